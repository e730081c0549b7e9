/* Suggestions for misspelled words: the nearest valid word. */
#pragma once

#include "core/config/location.h"

/* Returns the word of a NULL-terminated list that is nearest to `word`; NULL if no word is near
 * enough. The distance is that of Damerau and Levenshtein. If no word is near, returns the longest
 * listed word with which `word` begins, "heat" for "heatmap"; at least 3 letters. */
const char *word_nearest(const char *word, const char *const *words);
/* Writes the end of a message, "; nearest is "..."", or an empty text. Returns the text. */
enum { WORD_NEAR = 140 };
const char *word_near(char text[WORD_NEAR], const char *word, const char *const *words);
/* Returns "a", or "an" before a vowel. */
const char *word_article(const char *word);
bool word_same(const char *a, const char *b);                /* equal texts, or both NULL */
bool word_known(const char *word, const char *const *words); /* true if listed */
bool word_begins(const char *text,
                 const char *const *words); /* true if the text begins with a word of the list */
/* True if a dotted key is `of`, or inside of it: "train.rate" is within "train". */
bool word_within(const char *key, const char *of);
/* True if a dotted key ends with `tail`, in whole words: "train.rate" ends with "rate". */
bool word_ends(const char *key, const char *tail);
/* Writes a message: "<what>: <problem> "<word>"; nearest is "..."; expected one of: ...". A long
 * list is omitted if there is a nearest word, and cut if there is none. */
enum { WORD_TEXT = MESSAGE_BYTES };
void word_describe(char text[WORD_TEXT], const char *what, const char *problem, const char *word,
                   const char *const *words);
/* Dies with the message of word_describe at `location`. */
NORETURN void word_refuse(struct location location, const char *what, const char *problem,
                          const char *word, const char *const *words);
