/* How fast a model trains: whole optimizer steps (batches, forward, backward, clipping, Adam) on
 * real text, with a clock around them and none within.
 *
 * The batches are a function of the corpus, train.batch_tokens and train.accumulate alone: two
 * models on the same corpus see the same ones in the same order. Nothing is kept. */
#pragma once

#include "core/bench/measure.h"
#include "core/train/translating.h"

/* evaluate.speed: how all rows of a grid are timed side by side. */
struct throughput_options {
    int steps, warmup; /* of a round and row: timed; before them */
    int rounds;
};
extern const struct section throughput_section;

struct throughput_job {
    struct translating translating; /* seed: of parameters, dropout and the order of sentences */
    int warmup, steps;              /* not timed; timed */
};

struct throughput {
    double seconds; /* of the timed steps */
    int steps;
    int64_t tokens[SIDES]; /* real ones in them */
};
/* Dies when the training text has no sentences, or one that a step cannot hold. */
struct throughput throughput_measure(const struct throughput_job *job);
