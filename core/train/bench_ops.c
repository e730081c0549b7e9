/* The op table with a clock around every op. */
#include <string.h>

#include "core/train/bench.h"

static const struct ops *inner_ops;
static double (*now)(void);
static struct bench_op timed[] = {
#define OP(op, parameters, arguments) {.name = #op},
#include "core/tensor/ops.def"
#undef OP
};
enum {
#define OP(op, parameters, arguments) OP_##op,
#include "core/tensor/ops.def"
#undef OP
};

/* When all that was issued is done. */
static double tick(void)
{
    inner_ops->sync();
    return now();
}

#define OP(op, parameters, arguments)                                                              \
    static void timed_##op parameters                                                              \
    {                                                                                              \
        const double begin = tick();                                                               \
        inner_ops->op arguments;                                                                   \
        timed[OP_##op].seconds += tick() - begin;                                                  \
        timed[OP_##op].calls++;                                                                    \
    }
#include "core/tensor/ops.def"
#undef OP

const struct ops *bench_ops(const struct ops *inner, double (*clock)(void))
{
    static struct ops table;
    inner_ops = inner;
    now = clock;
    table = *inner;
#define OP(op, parameters, arguments) table.op = timed_##op;
#include "core/tensor/ops.def"
#undef OP
    return &table;
}

const struct bench_op *bench_ops_read(int *count)
{
    *count = (int)COUNT_OF(timed);
    return timed;
}

double bench_ops_seconds(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(timed); i++)
        if (!strcmp(timed[i].name, name)) return timed[i].seconds;
    CHECK(false, "there is no op %s", name);
    return 0;
}

void bench_ops_clear(void)
{
    for (size_t i = 0; i < COUNT_OF(timed); i++) timed[i].calls = 0, timed[i].seconds = 0;
}
