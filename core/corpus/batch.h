/* Packed batches: all real tokens of a batch in a row, no padding anywhere.
 *
 * Sentence b of a field owns rows start[b] .. start[b+1]-1 of [T]; its last token is <eos>.
 * A batch has named fields, of which a model may use one alone, and labels where a loss wants
 * them. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus.h"

enum field_name { FIELD_SOURCE, FIELD_TARGET, FIELDS };

struct field {
    int T, B;             /* tokens, sentences */
    int longest;          /* longest sentence, in tokens */
    const int32_t *token; /* [T] */
    const int32_t *start; /* [B+1] */
};

struct batch {
    struct field field[FIELDS];
    const int32_t *label; /* [labels], one per row of the loss that reads them; or NULL */
    int labels;
    /* What stands before this batch in its optimizer step: masks do not depend on how a step is
     * split into micro-batches. */
    int64_t first_token[FIELDS], first_sentence;
    const int32_t *sentence; /* [B] indices into the split; or NULL */
};

/* The batches of one epoch: a pure function of (split, budget, seed, epoch). Sentences are
 * shuffled, put into pools of 100 batches, sorted by length within a pool (target, then source,
 * then shuffled order), cut so that no side of a batch exceeds `tokens` real tokens, and the
 * batches are shuffled. A pool ends before a side of it exceeds 100 times `tokens`. Dies when a
 * sentence is longer than the budget. */
struct epoch {
    int batches;
    const int32_t *begin;    /* [batches+1] into sentence */
    const int32_t *sentence; /* [sentences] */
};
struct epoch epoch_plan(struct arena *arena, const struct split *split, int tokens, uint32_t seed,
                        uint32_t epoch);

/* Those of the sentences that are wanted (NULL: all), in file order, `sentences` at a time but at
 * most `tokens` per side (validation). A sentence longer than that, which no training sentence is,
 * is a batch of its own: plan for the larger of `tokens` and split->longest. */
struct epoch epoch_of_some(struct arena *arena, const struct split *split, const bool *wanted,
                           int tokens, int sentences);
/* The same of all, sorted by source length, longest first (translation). */
struct epoch epoch_by_length(struct arena *arena, const struct split *split, int tokens,
                             int sentences);

/* The batch of `count` given sentences. Lives in the arena. */
struct batch batch_pack(struct arena *arena, const struct split *split, const int32_t *sentence,
                        int count);
