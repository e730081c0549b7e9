/* Packed batches: all tokens of a batch are in one array, without padding.
 *
 * Sentence b of a field has the tokens token[start[b]] to token[start[b+1]-1]; its last token is
 * <eos>. A batch has two fields, source and target; a model may use only one of them. A batch has
 * labels if the loss of the model needs labels. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_folder.h"

enum field_name { FIELD_SOURCE, FIELD_TARGET, FIELDS };

struct field {
    int T, B;             /* number of tokens, number of sentences */
    int longest;          /* number of tokens of the longest sentence */
    const int32_t *token; /* [T] */
    const int32_t *start; /* [B+1] */
};

struct batch {
    struct field field[FIELDS];
    const int32_t *label; /* [labels] label of each row of the loss; or NULL */
    int labels;
    /* Number of tokens and sentences that precede this batch in its optimizer step. Dropout masks
     * depend on these numbers, and so not on how a step is split into micro-batches. */
    int64_t first_token[FIELDS], first_sentence;
    const int32_t *sentence; /* [B] indices into the split; or NULL */
};

/* The batches of one epoch. epoch_plan computes them from `split`, `tokens`, `seed` and `epoch`
 * alone. It shuffles the sentences and cuts them into pools. A pool has at most 100 times `tokens`
 * tokens per side. Each pool is sorted by target length, then source length, then shuffled order.
 * It is cut into batches of at most `tokens` tokens per side. Then the batches are shuffled. Dies
 * if a sentence has more than `tokens` tokens. */
struct epoch {
    int batches;
    const int32_t *begin;    /* [batches+1] start of each batch in `sentence` */
    const int32_t *sentence; /* [sentences] */
};
struct epoch epoch_plan(struct arena *arena, const struct split *split, int tokens, uint32_t seed,
                        uint32_t epoch);

/* Returns batches for validation, in file order. They have the sentences i with wanted[i]; if
 * `wanted` is NULL, all sentences. A batch has at most `sentences` sentences and at most `tokens`
 * tokens per side. A longer sentence, which does not occur in training, is a separate batch. So the
 * caller must allow for max(`tokens`, split->longest) tokens per side. */
struct epoch epoch_of_some(struct arena *arena, const struct split *split, const bool *wanted,
                           int tokens, int sentences);
/* Returns batches of all sentences for translation. The sentences are sorted by source length,
 * longest first. */
struct epoch epoch_by_length(struct arena *arena, const struct split *split, int tokens,
                             int sentences);

/* Packs `count` given sentences into a batch, in the arena. */
struct batch batch_pack(struct arena *arena, const struct split *split, const int32_t *sentence,
                        int count);
