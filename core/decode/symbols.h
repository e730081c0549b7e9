/* Represents a text by integers, for metrics. Each symbol (character or word) and each n-gram has a
 * number.
 *
 * N-grams are numbered in order of appearance, without hash collisions. The key of an n-gram is a
 * pair: the number of the (n-1)-gram before its last symbol, and its last symbol. Each n-gram has
 * two counts: the count in the current text, and the largest count in an earlier text. */
#pragma once

#include "core/base/hash_table.h"
#include "core/text/pair_table.h"

/* Initialize with {.arena = arena}. To begin a new text, set count to 0. */
struct symbols {
    struct arena *arena;
    int32_t *symbol; /* [count] */
    int count;
};
void symbols_add(struct symbols *symbols, int32_t symbol);
/* Adds the symbol of a word. `known` maps words to symbols; a new word gets the next symbol.
 * `known` keeps a pointer to `word`, so the bytes must exist until `known` is cleared. */
void symbols_add_word(struct symbols *symbols, struct hash_table *known, const char *word,
                      size_t bytes);

enum { GRAM_ORDER = 10 }; /* upper bound of n */

struct gram {
    int order;
    int here; /* count in the current text */
    int most; /* largest count in an earlier text */
};
struct grams {
    struct pair_table longer; /* (n-gram, symbol) -> n-gram with this symbol appended */
    /* [count] indexed by the number of the n-gram; 0 is the empty n-gram */
    struct gram *gram;
    int32_t count;
    size_t capacity;
};
/* Initialize the struct with {0}. Discards all n-grams and reserves memory for the n-grams of texts
 * with `symbols` symbols in total, for n up to `order`. */
void grams_clear(struct grams *grams, size_t symbols, int order);
void grams_count(struct grams *grams, const struct symbols *symbols, int order);
/* Ends the current text: updates `most` and sets `here` to 0. */
void grams_keep(struct grams *grams);
void grams_free(struct grams *grams);
