/* Measures the throughput of training: the time of whole optimizer steps (batches, forward,
 * backward, clipping, Adam) on the training text of a corpus.
 *
 * The batches depend only on the corpus, train.batch_tokens and train.accumulate. So two models on
 * the same corpus get the same batches in the same order. Nothing is saved. */
#pragma once

#include "core/bench/measure.h"
#include "core/train/translating.h"

/* Options of the section evaluate.speed, which measures all rows of a grid alternately. */
struct throughput_options {
    int steps, warmup; /* measured steps and warm-up steps, per round and row */
    int rounds;
};
extern const struct section throughput_section;

struct throughput_job {
    /* model, options and corpus; the seed determines parameters, dropout and the order of
     * sentences */
    struct translating translating;
    int warmup, steps; /* number of warm-up steps; number of measured steps */
};

struct throughput {
    double seconds; /* seconds of all measured steps */
    int steps;
    int64_t tokens[SIDES]; /* tokens of all measured steps */
};
/* Dies if the training text is empty or has a sentence that does not fit into a step. */
struct throughput throughput_measure(const struct throughput_job *job);
