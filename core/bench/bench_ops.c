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

/* Sums to which the times between two marks will be added; only for tables with marks. */
enum { FIRST_MARK = BENCH_FREE_MARKS };
static double *waiting[(OPS_MARKS - FIRST_MARK) / 2];
static int waits;

void bench_read_marks(const struct ops *ops)
{
    for (int i = 0; i < waits; i++)
        *waiting[i] += ops->elapsed(FIRST_MARK + 2 * i, FIRST_MARK + 2 * i + 1);
    waits = 0;
}

double bench_mark_begin(const struct ops *ops, measure_clock *clock)
{
    if (!ops->mark) return clock();
    if (waits == (int)COUNT_OF(waiting)) bench_read_marks(ops);
    ops->mark(FIRST_MARK + 2 * waits);
    return 0;
}

void bench_mark_end(const struct ops *ops, measure_clock *clock, double begun, double *seconds)
{
    if (!ops->mark) {
        *seconds += clock() - begun;
        return;
    }
    ops->mark(FIRST_MARK + 2 * waits + 1);
    waiting[waits++] = seconds;
}

#define OP(op, parameters, arguments)                                                              \
    static void timed_##op parameters                                                              \
    {                                                                                              \
        const double begun = bench_mark_begin(inner_ops, now);                                     \
        inner_ops->op arguments;                                                                   \
        counted[OP_##op].calls++;                                                                  \
        bench_mark_end(inner_ops, now, begun, &counted[OP_##op].seconds);                          \
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
    bench_read_marks(inner_ops);
    *count = (int)COUNT_OF(counted);
    return counted;
}

double bench_ops_seconds(const char *name)
{
    bench_read_marks(inner_ops);
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
