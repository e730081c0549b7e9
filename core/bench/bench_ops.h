/* An op table with a clock around each op. Ops have no context argument, so only one table with
 * clocks exists at a time. */
#pragma once

#include "core/bench/measure.h"
#include "core/tensor/ops.h"

struct bench_op {
    const char *name; /* name in ops.def */
    int64_t calls;
    double seconds; /* sum over all calls */
};
/* Returns the table, valid until the next call. `clock` is used if `inner` has no marks. Steps are
 * not recorded, and all ops run in order. `only`: NULL-terminated names of the ops to time; NULL:
 * all. */
const struct ops *bench_ops(const struct ops *inner, measure_clock *clock, const char *const *only);
/* Returns the counts since the last bench_ops_clear: every op in the order of ops.def, [*count]. */
const struct bench_op *bench_ops_read(int *count);
/* Returns the seconds of one op, which must exist. */
double bench_ops_seconds(const char *name);
void bench_ops_clear(void);
