/* Words as runs of token ids. A word's pieces, and so its ids, are a function of its letters:
 * train's ids say which words train has, and nobody keeps the words themselves. */
#ifndef CORE_CORPUS_KNOWN_WORDS_H
#define CORE_CORPUS_KNOWN_WORDS_H

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

/* Which ids go on in the next piece of the word: those with @@. */
bool *words_marked(struct arena *arena, const struct vocabulary *vocabulary);
/* The word at *at of a sentence, a run of pieces up to one without @@, and *at behind it; false at
 * the <eos>. An unknown piece ends a word: ids do not say whether it had @@. */
bool words_next(struct token_span sentence, const bool *marked, int64_t *at,
                struct token_span *word);
/* The words of a side of a split, as a set on the heap (table_free); the split must outlive it. */
struct table *words_of_side(const struct side *side, int sentences,
                            const struct vocabulary *vocabulary);

#endif
