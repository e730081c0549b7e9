/* Token <-> id. Ids 0, 1, 2 are <pad>, <eos>, <unk> (papers.md 0.1); <bos> is <eos>. */
#ifndef CORE_TEXT_VOCABULARY_H
#define CORE_TEXT_VOCABULARY_H

#include "core/base/arena.h"

enum {
    VOCABULARY_PAD = 0,
    VOCABULARY_EOS = 1,
    VOCABULARY_UNK = 2,
    VOCABULARY_FIRST = 3 /* first id of a real token */
};

struct vocabulary {
    int size;
    const char **token;   /* [size] */
    const int64_t *count; /* [size] in the training text; 0 for control symbols */
    struct table *index;  /* token -> id */
};

int vocabulary_id(const struct vocabulary *vocabulary, const char *token); /* VOCABULARY_UNK */

#endif
