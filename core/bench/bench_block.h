/* Self-attention of one composition alone: projections, branches, fusion, forward and backward over
 * `sentences` sentences of `length` tokens. */
#ifndef CORE_BENCH_BENCH_BLOCK_H
#define CORE_BENCH_BENCH_BLOCK_H

#include "attention/attention.h"
#include "core/bench/measure.h"

struct bench_block {
    const struct ops *ops;
    const struct attention_spec *spec;
    int width, heads, length, sentences, rounds;
    measure_clock *clock;
};
/* Median seconds of a forward and a backward pass together. */
double bench_block_seconds(const struct bench_block *block);

#endif
