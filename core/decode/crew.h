/* Runs several beam searches in parallel, in one of three ways.
 *   - Host, with sanlab's own products: each thread runs a separate search. If all threads shared
 *     each op, they would wait for the slowest thread about thirty times per step.
 *   - Device: two searches alternate. The device computes a step of one search while the host
 *     selects the tokens of the other search.
 *   - OpenBLAS, or too few batches, or too little memory: one search uses all threads.
 * The result of a row does not depend on the other rows. So on the host, one search and several
 * searches give the same bits. On a device, this is true if their batches are the same.
 *
 *   struct crew crew = crew_open(arena, model, &options, split, CREW, 0);
 *   crew_search(&crew, 0, crew.epoch.batches, found, context);
 *   crew_close(&crew); */
#pragma once

#include "core/corpus/batch.h"
#include "core/decode/beam.h"

enum crew_kind {
    /* Several searches if this is faster. By default, a batch has 128 sentences on the host. On a
     * device, it has half of the split, but at most 2048 rows. If memory is short, it has fewer
     * sentences, but not fewer than 128. */
    CREW,
    CREW_OF_ONE, /* one search with the same batches, which uses all threads */
    CREW_FRUGAL  /* one search with the batches of searcher_capacity */
};

struct crew {
    const struct split *split;
    struct capacity capacity; /* upper bounds of the size of a batch */
    /* The batches of the split, sorted by length. The search of a batch takes as many steps as its
     * longest sentence needs. */
    struct epoch epoch;
    int searchers;
    /* true: one thread runs all searches; false: each search has its own thread. */
    bool by_turns;
    struct searcher **searcher; /* [searchers] */
};

/* Opens the searches for the sources of a split. Host memory is in the arena. For CREW and
 * CREW_OF_ONE, `sentences` is the maximum number of sentences per batch (0: chosen automatically).
 * CREW_FRUGAL ignores `sentences`. */
struct crew crew_open(struct arena *arena, struct model *model, const struct beam_options *options,
                      const struct split *split, enum crew_kind kind, int sentences);
void crew_close(struct crew *crew);
/* Sets the number of hypotheses that the caller wants per sentence; default: 1. */
void crew_want(const struct crew *crew, int hypotheses);

/* Callback that receives the translations of a batch. It is called by one thread at a time.
 * Translation i of `count` belongs to sentence[i] of the split. The translations are valid until
 * the function returns. */
typedef void crew_found(void *context, const int32_t *sentence,
                        const struct translation *translation, int count);
/* Translates the batches from, .., to - 1 of the epoch. */
void crew_search(const struct crew *crew, int from, int to, crew_found *found, void *context);

/* Returns the number of bytes that a crew needs in addition to the model. The model may belong to a
 * planner (device_planner). Reads only the lengths of the sentences of the split, not their
 * tokens. */
size_t crew_bytes(struct model *model, const struct beam_options *options,
                  const struct split *split, enum crew_kind kind);
