/* Several beam searches in parallel.
 *   - Host with our own ops: each thread runs its own search. Ops that share all threads would wait
 *     for the slowest thread some thirty times per step.
 *   - Device: two searches alternate. The device computes a step of one while the host selects the
 *     tokens of the other.
 *   - Too few batches, or other ops: one search uses all threads.
 * The result of a row does not depend on the other rows. So on the host all three give the same
 * bits. On a device two searches give the bits of one search with the same batches.
 *
 *   struct crew crew = crew_open(arena, model, &options, split, CREW, 0);
 *   crew_search(&crew, 0, crew.epoch.batches, found, context);
 *   crew_close(&crew); */
#pragma once

#include "core/corpus/batch.h"
#include "core/decode/beam.h"

enum crew_kind {
    /* Several searches if this is faster. Host: batches of 128 sentences. Device: batches of up to
     * 2048 rows or half of the split. */
    CREW,
    CREW_OF_ONE, /* one search with the same batches, which uses all threads */
    CREW_FRUGAL  /* one search with the batches of searcher_capacity */
};

struct crew {
    const struct split *split;
    struct capacity capacity; /* upper bounds of a batch */
    /* Sorted by length, because a search takes as many steps as its longest sentence needs. */
    struct epoch epoch;
    int searchers;
    /* true: one thread runs all searches; false: each search has its own thread. */
    bool by_turns;
    struct searcher **searcher; /* [searchers] */
};

/* Opens searches of the sources of a split; host memory is in the arena. `sentences` is the upper
 * bound of the sentences of a batch, for kinds that do not fix it; 0: chosen automatically. */
struct crew crew_open(struct arena *arena, struct model *model, const struct beam_options *options,
                      const struct split *split, enum crew_kind kind, int sentences);
void crew_close(struct crew *crew);
/* Sets the number of hypotheses that the caller wants per sentence; default: 1. */
void crew_want(const struct crew *crew, int hypotheses);

/* Callback with the translations of a batch, called by one thread at a time. Translation i of
 * `count` belongs to sentence[i] of the split. The translations are valid until the function
 * returns. */
typedef void crew_found(void *context, const int32_t *sentence,
                        const struct translation *translation, int count);
void crew_search(const struct crew *crew, int from, int to, crew_found *found, void *context);

/* Returns the bytes of a crew in addition to the model. The model may belong to a planner
 * (device_planner). Only lengths of the split are read. */
size_t crew_bytes(struct model *model, const struct beam_options *options,
                  const struct split *split, enum crew_kind kind);
