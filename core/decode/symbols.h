/* A text as numbers, which metrics compare: its symbols, characters or words, and its n-grams.
 *
 * N-grams are numbered as they come, and exactly: one by the number of its first n-1 symbols'
 * n-gram and its last symbol. Counted are those of the text that is read and, beside that, the
 * largest counts of the texts before it. */
#pragma once

#include "core/base/table.h"
#include "core/text/pair_table.h"

/* Begins as {0}; whoever reads a text sets the count to 0. */
struct symbols {
    int32_t *symbol; /* [count] */
    int count, room;
};
void symbols_add(struct symbols *symbols, int32_t symbol);
/* A word's number in `known`, whose key points into the word: a new one's is how many there are. */
void symbols_add_word(struct symbols *symbols, struct table *known, const char *word, size_t bytes);
void symbols_free(struct symbols *symbols);

enum { GRAM_ORDER = 10 }; /* the longest n-grams */

struct gram {
    int order;
    int here; /* in the text that is counted */
    int most; /* the largest count of those that were kept */
};
struct grams {
    struct pair_table longer; /* n-gram, symbol -> the n-gram of both */
    struct gram *gram;        /* [count] by number; 0 is the empty one */
    int32_t count;
    size_t room;
};
/* Begins as {0}. Forgets all, and has room for n-grams up to `order` of so many symbols. */
void grams_clear(struct grams *grams, size_t symbols, int order);
void grams_count(struct grams *grams, const struct symbols *symbols, int order);
void grams_keep(struct grams *grams); /* what is counted is a text before; the next one begins */
void grams_free(struct grams *grams);
