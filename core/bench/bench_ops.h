/* The table of ops with a clock around each op. Ops know nothing but their arguments, so there is
 * one such table at a time. */
#pragma once

#include "core/bench/measure.h"
#include "core/tensor/ops.h"

struct bench_op {
    const char *name; /* as in ops.def */
    int64_t calls;
    double seconds; /* of all calls */
};
/* The table, valid until the next call. The clock is asked where `inner` has no marks; steps are
 * not recorded, and everything is done in its order. `only`: names of the ops that are timed, up to
 * NULL; NULL: all are. */
const struct ops *bench_ops(const struct ops *inner, measure_clock *clock, const char *const *only);
/* What was counted since the last bench_ops_clear: every op in the order of ops.def, [*count]. */
const struct bench_op *bench_ops_read(int *count);
/* The same of one op, which there must be. */
double bench_ops_seconds(const char *name);
/* Sets all counts to 0. */
void bench_ops_clear(void);
