/* Words as runs of token ids. A word's pieces, and so its ids, are a function of its letters:
 * train's ids say which words train has, and nobody keeps the words themselves. */
#pragma once

#include "core/base/table.h"
#include "core/corpus/split.h"
#include "core/text/vocabulary.h"

struct token_span {
    const int32_t *token;
    int64_t count;
};

/* Sets of spans: two are equal when their ids are. */
bool span_is_in(const struct table *set, struct token_span span);
bool span_put(struct table *set, struct token_span span); /* false when it was there */
/* What such a set has beside a span: TABLE_ABSENT; and where it stands, `fresh` of a new one. */
int64_t span_get(const struct table *set, struct token_span span);
int64_t *span_at(struct table *set, struct token_span span, int64_t fresh);

/* Which ids go on in the next piece of the word: those with @@. */
bool *words_marked(struct arena *arena, const struct vocabulary *vocabulary);
/* The word at *at of a sentence, a run of pieces up to one without @@, and *at behind it; false at
 * the <eos>. An unknown piece ends a word: ids do not say whether it had @@. */
bool words_next(struct token_span sentence, const bool *marked, int64_t *at,
                struct token_span *word);
/* All words of a side of a split, one after the other. */
struct side_words {
    const struct side *side;
    int sentences;
    const bool *marked;
    int sentence; /* where it is: the sentence, */
    int64_t at;   /* and the piece of it */
};
/* The arena lives as long as it does. */
struct side_words side_words(struct arena *arena, const struct side *side, int sentences,
                             const struct vocabulary *vocabulary);
bool side_words_next(struct side_words *words, struct token_span *word); /* false: at the end */
/* They as a set on the heap (table_free); the split must outlive it. */
struct table *words_of_side(const struct side *side, int sentences,
                            const struct vocabulary *vocabulary);
