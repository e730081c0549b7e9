/* Speed of beam search: whole rounds over the sentences of a split, each timed. */
#pragma once

#include "core/bench/measure.h"
#include "core/decode/crew.h"
#include "core/model/frozen.h"

struct search_pace_job {
    struct frozen_job frozen; /* model and weights */
    const struct beam_options *beam;
    const struct split *split;
    enum crew_kind kind;
    int batch;  /* upper bound of the sentences of a batch; 0: chosen automatically */
    int rounds; /* timed rounds, after warm-up batches */
    measure_clock *clock;
};

struct translated_ids {
    const int32_t *token;
    int count;
};
struct search_pace {
    int searchers, batch, batches; /* searches; sentences per batch; batches per round */
    int64_t step;                  /* step of the checkpoint */
    double median, all;            /* median seconds per round; seconds of all rounds */
    int warm;                      /* number of warm-up batches */
    double first;                  /* seconds of the warm-up batches */
    double rows, steps, flops;     /* per round: extended hypotheses, decoder steps, operations */
    double tokens;                 /* tokens of the best hypotheses, <eos> included */
    int sentences;                 /* sentences of the split */
    struct translated_ids *found;  /* [sentences] best hypotheses, in the arena */
    struct arena *arena;
};
struct search_pace search_pace(const struct search_pace_job *job, struct arena *arena);
