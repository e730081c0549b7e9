/* How fast beam search is: whole rounds over the sentences of a split, with a clock around each. */
#pragma once

#include "core/bench/measure.h"
#include "core/decode/crew.h"
#include "core/model/frozen.h"

struct search_pace_job {
    struct frozen_job frozen; /* the model and its weights */
    const struct beam_options *beam;
    const struct split *split;
    enum crew_kind kind;
    int batch;  /* most sentences of a batch; 0: as many as suit */
    int rounds; /* timed ones; batches before them warm up */
    measure_clock *clock;
};

struct translated_ids {
    const int32_t *token;
    int count;
};
struct search_pace {
    int searchers, batch, batches; /* searches; sentences of a batch; batches of a round */
    int64_t step;                  /* of the weights */
    double median, all;            /* seconds of a round; of all rounds */
    int warm;                      /* batches before the rounds, */
    double first;                  /* and their seconds */
    double rows, steps, flops;     /* of a round: hypotheses extended, decoder steps */
    double tokens;                 /* of the best hypotheses, <eos> included */
    int sentences;                 /* of the split */
    struct translated_ids *found;  /* [sentences] best hypotheses, in the arena */
    struct arena *arena;
};
struct search_pace search_pace(const struct search_pace_job *job, struct arena *arena);
