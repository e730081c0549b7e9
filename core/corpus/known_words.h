/* Represents words by spans of token ids. The letters of a word determine its pieces, and so its
 * ids. So two words can be compared by their ids, without their texts. */
#pragma once

#include "core/base/hash_table.h"
#include "core/corpus/split.h"
#include "core/text/vocabulary.h"

struct token_span {
    const int32_t *token;
    int64_t count;
};

/* Sets of spans. Two spans are equal if their ids are equal. */
bool span_is_in(const struct hash_table *set, struct token_span span);
/* Adds a span. Returns false if the set already has this span. */
bool span_put(struct hash_table *set, struct token_span span);
/* span_get returns the value of a span, or HASH_TABLE_ABSENT. span_at returns a pointer to the
 * value, and adds a new span with the value `fresh`. */
int64_t span_get(const struct hash_table *set, struct token_span span);
int64_t *span_at(struct hash_table *set, struct token_span span, int64_t fresh);

/* Iterates over all words of a side of a split. An unknown piece ends a word, because its id does
 * not tell if the piece had @@. */
struct side_words {
    const struct side *side;
    int sentences;
    const bool *marked;
    int sentence; /* current sentence */
    int64_t at;   /* current piece */
};
/* Starts the iteration; the arena must outlive it. */
struct side_words side_words(struct arena *arena, const struct side *side, int sentences,
                             const struct vocabulary *vocabulary);
bool side_words_next(struct side_words *words, struct token_span *word); /* false at the end */
/* Returns all words of a side as a set; the split must outlive it. */
struct hash_table *words_of_side(struct arena *arena, const struct side *side, int sentences,
                                 const struct vocabulary *vocabulary);
