/* Packed batches: all tokens of a batch are in one array, without padding.
 *
 * Sentence b of a field is the elements start[b] .. start[b+1]-1 of [T]; its last token is <eos>. A
 * batch has named fields, of which a model may use only one, and labels for losses that need
 * them. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_folder.h"

enum field_name { FIELD_SOURCE, FIELD_TARGET, FIELDS };

struct field {
    int T, B;             /* tokens, sentences */
    int longest;          /* longest sentence, in tokens */
    const int32_t *token; /* [T] */
    const int32_t *start; /* [B+1] */
};

struct batch {
    struct field field[FIELDS];
    const int32_t *label; /* [labels], one per row of the loss; or NULL */
    int labels;
    /* Number of tokens and sentences that precede this batch in its optimizer step. Dropout masks
     * use them, so that masks do not depend on how a step is split into micro-batches. */
    int64_t first_token[FIELDS], first_sentence;
    const int32_t *sentence; /* [B] indices into the split; or NULL */
};

/* Returns the batches of one epoch: a pure function of (split, budget, seed, epoch). Sentences are
 * shuffled and put into pools of 100 batches. Each pool is sorted by length (target, then source,
 * then shuffled order) and cut so that no side of a batch exceeds `tokens` tokens. Then the batches
 * are shuffled. A pool ends before a side of it exceeds 100 times `tokens`. Dies if a sentence is
 * longer than the budget. */
struct epoch {
    int batches;
    const int32_t *begin;    /* [batches+1] into sentence */
    const int32_t *sentence; /* [sentences] */
};
struct epoch epoch_plan(struct arena *arena, const struct split *split, int tokens, uint32_t seed,
                        uint32_t epoch);

/* Returns batches of the wanted sentences (NULL: all), in file order, for validation. A batch has
 * at most `sentences` sentences and at most `tokens` tokens per side. A longer sentence, which
 * training never has, is a separate batch: plan for the larger of `tokens` and split->longest. */
struct epoch epoch_of_some(struct arena *arena, const struct split *split, const bool *wanted,
                           int tokens, int sentences);
/* Returns batches of all sentences, sorted by source length, longest first (translation). */
struct epoch epoch_by_length(struct arena *arena, const struct split *split, int tokens,
                             int sentences);

/* Packs `count` given sentences into a batch, in the arena. */
struct batch batch_pack(struct arena *arena, const struct split *split, const int32_t *sentence,
                        int count);
