/* A split of a corpus: sentences of both sides as packed token ids. */
#pragma once

#include "core/base/arena.h"

enum split_name { SPLIT_TRAIN, SPLIT_DEV, SPLIT_TEST, SPLITS };
extern const char *const split_names[SPLITS + 1]; /* "train", "dev", "test", NULL */

enum side_name { SIDE_SOURCE, SIDE_TARGET, SIDES };
extern const char *const side_names[SIDES + 1]; /* "source", "target", NULL */

struct side {
    const int32_t *token; /* [start[sentences]]; every sentence ends with VOCABULARY_EOS */
    const int64_t *start; /* [sentences+1] */
};

struct split {
    int sentences;
    int longest[SIDES];      /* number of tokens of the longest sentence */
    struct side side[SIDES]; /* if `start` is NULL, the side has no tokens */
};

/* Returns a split without targets. It has the source sentences i with row[i] >= 0. */
struct split split_chosen(struct arena *arena, const struct split *all, const int32_t *row);
