/* Labeled pairs of sentences, for models that classify the relation of two sentences. Each sentence
 * is stored once, as token ids. A pair has the indices of two sentences.
 *
 * A file is little-endian, and every array is aligned to its type:
 *
 *   char     magic[8]             "SANPAIRS"
 *   uint32   version, words, classes, sentences, pairs, 0
 *   uint64   tokens
 *   int64    start[sentences+1]   start[0] = 0, start[sentences] = tokens
 *   int32    token[tokens]        at least one per sentence, without <eos>
 *   int32    pair[pairs][5]       indices of two sentences, label, group, split
 *   char     digest[64]           SHA-256 of all preceding bytes, in hexadecimal digits */
#pragma once

#include "core/corpus/batch.h"

struct labeled_pair {
    int32_t side[2]; /* indices of its two sentences */
    int32_t label;   /* 0 to classes - 1 */
    int32_t group;   /* group for statistics, from 0, such as the number of operators */
    int32_t split;   /* enum split_name */
};
struct labeled {
    int words, classes; /* size of the vocabulary, number of labels */
    struct split text;  /* the sentences, as a source without target */
    int pairs;
    const struct labeled_pair *pair; /* [pairs] */
};

/* Writes a file, which appears whole or not at all; dies if it cannot be written. */
void labeled_write(const char *path, const struct labeled *labeled);
/* Reads a file into the arena. Dies with the path if the file is incomplete or has invalid
 * values. */
struct labeled labeled_read(struct arena *arena, const char *path);

/* Returns the number of tokens of both sentences of a pair. */
int labeled_tokens(const struct labeled *labeled, int32_t pair);
/* Packs `count` given pairs into a batch: a source of 2 * count sentences, and one label per
 * pair. */
struct batch labeled_batch(struct arena *arena, const struct labeled *labeled, const int32_t *pair,
                           int count);
