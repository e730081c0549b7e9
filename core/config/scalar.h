/* Reads strict scalars, for the rows of option.h and for code that reads a tree without rows. On an
 * error these functions die at the scalar's location. The message has `what` ("train.epochs"), the
 * expected value, the text found, and if possible a hint of what to write instead.
 *
 * Numbers are those of YAML 1.2: 12, -3, .5, 1e-4. 08, 0x10, 1_000, 12abc, .nan and quoted texts
 * are refused. An integer has only digits and a sign. `low` and `high` are those of struct
 * option. */
#pragma once

#include "core/config/tree.h"

int scalar_int(const struct tree *scalar, const char *what, double low, double high);
int64_t scalar_int64(const struct tree *scalar, const char *what, double low, double high);
double scalar_real(const struct tree *scalar, const char *what, double low, double high);
bool scalar_bool(const struct tree *scalar, const char *what);
const char *scalar_text(const struct tree *scalar, const char *what);

/* Returns the index of the scalar's text in `choices`, such as 1 for "post" in "pre|post". Choices
 * that begin with { are only for messages. */
int scalar_choice(const struct tree *scalar, const char *what, const char *choices);

struct texts {
    int count;
    const char **text;
    struct location *location;
};
/* Reads a list of texts, or one text. */
struct texts scalar_texts(const struct tree *tree, const char *what, struct arena *arena);
bool texts_have(const struct texts *texts, const char *text);
void texts_add(struct texts *texts, const char *text, struct location location,
               struct arena *arena);
/* Returns the texts as the words of a command, NULL-terminated (core/base/child.h). */
const char *const *texts_words(const struct texts *texts, struct arena *arena);
