/* A text as integers, for metrics: its symbols (characters or words) and its n-grams.
 *
 * N-grams are numbered in order of appearance, without hash collisions. The key of an n-gram is the
 * number of its first n-1 symbols, and its last symbol. Two counts are stored: the count in the
 * current text, and the largest count in an earlier text. */
#pragma once

#include "core/base/hash_table.h"
#include "core/text/pair_table.h"

/* Initialize with {0}. A reader of a text sets count to 0 first. */
struct symbols {
    int32_t *symbol; /* [count] */
    int count;
};
void symbols_add(struct symbols *symbols, int32_t symbol);
/* Adds the symbol of a word. `known` maps words to symbols and points into the text of the word; a
 * new word gets the next symbol. */
void symbols_add_word(struct symbols *symbols, struct hash_table *known, const char *word,
                      size_t bytes);
void symbols_free(struct symbols *symbols);

enum { GRAM_ORDER = 10 }; /* longest n-grams */

struct gram {
    int order;
    int here; /* count in the current text */
    int most; /* largest count in an earlier text */
};
struct grams {
    struct pair_table longer; /* (n-gram, symbol) -> longer n-gram */
    struct gram *gram;        /* [count] by number; number 0 is the empty n-gram */
    int32_t count;
    size_t capacity;
};
/* Initialize the struct with {0}. Discards all n-grams and reserves memory for n-grams up to
 * `order` of `symbols` symbols. */
void grams_clear(struct grams *grams, size_t symbols, int order);
void grams_count(struct grams *grams, const struct symbols *symbols, int order);
void grams_keep(struct grams *grams); /* ends the current text; the next one begins */
void grams_free(struct grams *grams);
