/* Training throughput: whole optimizer steps (batches, forward, backward, clipping, Adam) on real
 * text, timed as a whole.
 *
 * The batches depend only on the corpus, train.batch_tokens and train.accumulate. So two models on
 * the same corpus get the same batches in the same order. Nothing is saved. */
#pragma once

#include "core/bench/measure.h"
#include "core/train/translating.h"

/* Section evaluate.speed: times all rows of a grid alternately. */
struct throughput_options {
    int steps, warmup; /* timed steps, and warm-up steps, per round and row */
    int rounds;
};
extern const struct section throughput_section;

struct throughput_job {
    struct translating translating; /* seed of parameters, dropout and the order of sentences */
    int warmup, steps;              /* warm-up steps; timed steps */
};

struct throughput {
    double seconds; /* seconds of the timed steps */
    int steps;
    int64_t tokens[SIDES]; /* real tokens of the timed steps */
};
/* Dies if the training text is empty or has a sentence that does not fit into a step. */
struct throughput throughput_measure(const struct throughput_job *job);
