/* Implements the op table that measures the time of each op. A device runs asynchronously, so times
 * come from marks in its queue before and after each op. The marks are read later. */
#include "core/bench/bench_ops.h"

#include <string.h>

static const struct ops *inner_ops;
static measure_clock *now;
static struct bench_op counted[] = {
#define OP(op, parameters, arguments) {.name = #op},
#include "core/tensor/ops.def"
#undef OP
};
enum {
#define OP(op, parameters, arguments) OP_##op,
#include "core/tensor/ops.def"
#undef OP
};

/* Op of each call whose two marks have not been read; only for tables with marks. */
static int waiting[OPS_MARKS / 4], waits; /* uses the lower half of all marks */

static void read_marks(void)
{
    for (int i = 0; i < waits; i++)
        counted[waiting[i]].seconds += inner_ops->elapsed(2 * i, 2 * i + 1);
    waits = 0;
}

static double begin(void)
{
    if (!inner_ops->mark) return now();
    if (waits == (int)COUNT_OF(waiting)) read_marks();
    inner_ops->mark(2 * waits);
    return 0;
}

static void end(int op, double begun)
{
    counted[op].calls++;
    if (!inner_ops->mark) {
        counted[op].seconds += now() - begun;
        return;
    }
    inner_ops->mark(2 * waits + 1);
    waiting[waits++] = op;
}

#define OP(op, parameters, arguments)                                                              \
    static void timed_##op parameters                                                              \
    {                                                                                              \
        const double begun = begin();                                                              \
        inner_ops->op arguments;                                                                   \
        end(OP_##op, begun);                                                                       \
    }
#include "core/tensor/ops.def"
#undef OP

static bool is_timed(const char *name, const char *const *only)
{
    if (!only) return true;
    while (*only && strcmp(*only, name) != 0) only++;
    return *only;
}

const struct ops *bench_ops(const struct ops *inner, measure_clock *clock, const char *const *only)
{
    static struct ops table;
    inner_ops = inner;
    now = clock;
    table = *inner;
    /* Steps are not recorded, because a replay does not call single ops. Ops do not run in
     * parallel, because they would have no separate times. */
    table.run = NULL;
    table.fork = table.fork_end = NULL;
    table.join = NULL;
    table.send = NULL; /* `download` is used instead, and is measured */
    table.receive = NULL;
#define OP(op, parameters, arguments)                                                              \
    if (is_timed(#op, only)) table.op = timed_##op;
#include "core/tensor/ops.def"
#undef OP
    return &table;
}

const struct bench_op *bench_ops_read(int *count)
{
    read_marks();
    *count = (int)COUNT_OF(counted);
    return counted;
}

double bench_ops_seconds(const char *name)
{
    read_marks();
    for (size_t i = 0; i < COUNT_OF(counted); i++)
        if (!strcmp(counted[i].name, name)) return counted[i].seconds;
    CHECK(false, "there is no op %s", name);
    return 0;
}

void bench_ops_clear(void)
{
    waits = 0;
    for (size_t i = 0; i < COUNT_OF(counted); i++) counted[i].calls = 0, counted[i].seconds = 0;
}
