/* Makes an op table that measures the time of each op. Ops have no context argument, so only one
 * such table exists at a time. */
#pragma once

#include "core/bench/measure.h"
#include "core/tensor/ops.h"

struct bench_op {
    const char *name; /* name in ops.def */
    int64_t calls;
    double seconds; /* sum over all calls */
};
/* Returns the table, which calls the ops of `inner`. It is valid until the next call. Times come
 * from marks of `inner`, or from `clock` if `inner` has no marks. Steps are not recorded, and all
 * ops run in order. `only` has the names of the ops that are measured, then NULL. If `only` is
 * NULL, all ops are measured. */
const struct ops *bench_ops(const struct ops *inner, measure_clock *clock, const char *const *only);
/* Returns the calls and seconds of each op since the last bench_ops_clear, [*count], in the order
 * of ops.def. */
const struct bench_op *bench_ops_read(int *count);
/* Returns the seconds of one op, which must exist. */
double bench_ops_seconds(const char *name);
void bench_ops_clear(void);

/* Measure work that is not part of other measured work. bench_mark_begin returns the argument
 * `begun` of bench_mark_end, which adds the time to *seconds. A device runs asynchronously. If it
 * has marks, they are issued before and after the work. They are read by bench_read_marks, or when
 * no mark is left (after about 500 nodes, forward and backward). Reading waits for the device, so
 * the times of the following work include its launches. */
double bench_mark_begin(const struct ops *ops, measure_clock *clock);
void bench_mark_end(const struct ops *ops, measure_clock *clock, double begun, double *seconds);
void bench_read_marks(const struct ops *ops);
enum { BENCH_FREE_MARKS = 2 }; /* the first marks, which these functions do not use */
