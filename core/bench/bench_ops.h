/* The table of ops with a clock around each op. Ops know nothing but their arguments, so there is
 * one such table at a time. */
#ifndef CORE_BENCH_BENCH_OPS_H
#define CORE_BENCH_BENCH_OPS_H

#include "core/bench/measure.h"
#include "core/tensor/ops.h"

struct bench_op {
    const char *name;
    int64_t calls;
    double seconds;
};
const struct ops *bench_ops(const struct ops *inner, measure_clock *clock);
/* What was counted since the last bench_ops_clear: [*count], by name. */
const struct bench_op *bench_ops_read(int *count);
double bench_ops_seconds(const char *name);
void bench_ops_clear(void);

#endif
