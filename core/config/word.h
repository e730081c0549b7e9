/* Words that were meant: the nearest valid one beside what was written. */
#pragma once

#include "core/config/place.h"

/* The word of a NULL-terminated list that is nearest to `word` (Damerau and Levenshtein), or NULL
 * when none is near enough to be meant. */
const char *word_nearest(const char *word, const char *const *words);
/* What a refusal says of it behind the word: "; nearest is "..."", or nothing. Returns the text. */
enum { WORD_NEAR = 96 };
const char *word_near(char text[WORD_NEAR], const char *word, const char *const *words);
/* "a", or "an" before a vowel. */
const char *word_article(const char *word);
bool word_same(const char *a, const char *b);                 /* equal texts, or both NULL */
bool word_known(const char *word, const char *const *words);  /* whether it is in the list */
bool word_begins(const char *text, const char *const *words); /* whether it begins with one */
/* What a refusal says: "<what>: <problem> "<word>"; nearest is "..."; expected one of: ...". A long
 * list is left out where there is a nearest word, and cut where there is none. */
enum { WORD_TEXT = MESSAGE_BYTES };
void word_describe(char text[WORD_TEXT], const char *what, const char *problem, const char *word,
                   const char *const *words);
/* Dies with that at `place`. */
NORETURN void word_refuse(struct place place, const char *what, const char *problem,
                          const char *word, const char *const *words);
