/* Several beam searches at once. On the host with our own ops each thread runs its own search, so
 * no thread waits for another within a step; ops that share all threads wait for the slowest one
 * some thirty times a step. On a device two searches alternate: it computes a step of one while the
 * host picks the words of the other. With too few batches for that, or other ops, one search uses
 * all threads. No row's result depends on the other rows, so on the host all three find the same
 * bits; on a device two searches find those of one with the same batches.
 *
 *   struct crew crew = crew_open(arena, model, &options, split, CREW, 0);
 *   crew_search(&crew, 0, crew.epoch.batches, found, context);
 *   crew_close(&crew); */
#pragma once

#include "core/corpus/batch.h"
#include "core/decode/beam.h"

enum crew_kind {
    CREW,        /* several searches where that is faster, batches of 128 sentences; a device's have
                  * as many as make 2048 rows, or half of the split */
    CREW_OF_ONE, /* one search of such batches, which has all threads */
    CREW_FRUGAL  /* one search of the batches of searcher_capacity */
};

struct crew {
    const struct split *split;
    struct capacity capacity; /* of a batch */
    struct epoch epoch; /* by length: a search takes as many steps as its longest sentence needs */
    int searchers;
    bool by_turns;              /* one thread runs them all; else each has its own */
    struct searcher **searcher; /* [searchers] */
};

/* Opens what searches the sources of a split; all of it lies in the arena. sentences: most of a
 * batch, where the kind does not say it; 0: as many as suit. */
struct crew crew_open(struct arena *arena, struct model *model, const struct beam_options *options,
                      const struct split *split, enum crew_kind kind, int sentences);
void crew_close(struct crew *crew);
/* How many of the best hypotheses of a sentence are looked at, 1 unless told. */
void crew_want(const struct crew *crew, int hypotheses);

/* What is called with each batch's translations, by one thread at a time: of `count` sentences of
 * the split, sentence[i], the best hypotheses. They live until it returns. */
typedef void crew_found(void *context, const int32_t *sentence,
                        const struct translation *translation, int count);
/* Searches batches [from, to) of the epoch. */
void crew_search(const struct crew *crew, int from, int to, crew_found *found, void *context);

/* What one takes beside the model, which may be a planner's; of a split only lengths are read. */
size_t crew_bytes(struct model *model, const struct beam_options *options,
                  const struct split *split, enum crew_kind kind);
