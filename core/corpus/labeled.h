/* Labeled pairs of sentences, for models that tell how two sentences are related: each sentence
 * once, as token ids, a pair as the numbers of two of them.
 *
 * A file is little-endian, every array aligned to its type:
 *
 *   char     magic[8]             "SANPAIRS"
 *   uint32   version, words, classes, sentences, pairs, 0
 *   uint64   tokens
 *   int64    start[sentences+1]   start[0] = 0, start[sentences] = tokens
 *   int32    token[tokens]        sentences have one at least, and no end symbol
 *   int32    pair[pairs][5]       two sentences, label, group, split
 *   char     digest[64]           SHA-256 of all that stands before it, in hexadecimal digits */
#pragma once

#include "core/corpus/batch.h"

struct labeled_pair {
    int32_t side[2]; /* sentences */
    int32_t label;   /* below `classes` */
    int32_t group;   /* from 0: what it is counted with, as pairs of so many operators */
    int32_t split;   /* enum split_name */
};
struct labeled {
    int words, classes;
    struct split text; /* the sentences, as a source without target */
    int pairs;
    const struct labeled_pair *pair; /* [pairs] */
};

/* The file appears whole or not at all; dies when it cannot be written. */
void labeled_write(const char *path, const struct labeled *labeled);
/* In the arena. Dies, naming the path, when the file is not whole or says what cannot be. */
struct labeled labeled_read(struct arena *arena, const char *path);

/* Tokens of both sides. */
int labeled_tokens(const struct labeled *labeled, int32_t pair);
/* The batch of `count` given pairs: a source of 2 * count sentences, and their labels. */
struct batch labeled_batch(struct arena *arena, const struct labeled *labeled, const int32_t *pair,
                           int count);
