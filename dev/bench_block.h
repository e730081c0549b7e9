/* Measures the time of a single block of a layer, forward and backward. */
#pragma once

#include "core/bench/measure.h"
#include "core/tensor/graph.h"

struct bench_block {
    const struct ops *ops;
    /* Adds the nodes of the block to the graph. Its input is x [T, width]. Returns its output,
     * which has T rows and any number of columns. */
    struct value *(*build)(struct graph *graph, struct value *x, const void *of);
    const void *of;
    int width, sentences, rounds;
    const int *length; /* [sentences] tokens of each sentence, at least 1 */
    measure_clock *clock;
};
/* Returns the median seconds of a forward and a backward pass together. */
double bench_block_seconds(const struct bench_block *block);
