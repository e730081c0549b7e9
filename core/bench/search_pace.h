/* Measures the speed of beam search. A round translates all sentences of a split. */
#pragma once

#include "core/bench/measure.h"
#include "core/decode/crew.h"
#include "core/model/frozen.h"

struct search_pace_job {
    struct frozen_job frozen; /* model and weights */
    const struct beam_options *beam;
    const struct split *split;
    enum crew_kind kind;
    int batch;  /* maximum number of sentences of a batch; 0: chosen automatically */
    int rounds; /* number of measured rounds, after warm-up batches */
    measure_clock *clock;
};

struct translated_ids {
    const int32_t *token;
    int count;
};
struct search_pace {
    /* number of searches; maximum number of sentences per batch; batches per round */
    int searchers, batch, batches;
    int64_t step;       /* step of the checkpoint */
    double median, all; /* median seconds per round; seconds of all rounds */
    int warm;           /* number of warm-up batches */
    double first;       /* seconds of the warm-up batches */
    /* numbers per round of extended hypotheses, decoder steps and operations */
    double rows, steps, flops;
    double tokens;                /* number of tokens of all best hypotheses, <eos> included */
    int sentences;                /* number of sentences of the split */
    struct translated_ids *found; /* [sentences] best hypotheses, in the arena */
    struct arena *arena;
};
struct search_pace search_pace(const struct search_pace_job *job, struct arena *arena);
