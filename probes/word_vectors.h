/* Vectors of the words of treebanks (words.h): values of a frozen encoder at a path, or vectors of
 * another program.
 *
 * Another program writes two files to a folder. PATH.npy has one row for each word of each
 * sentence. sentences.tsv is the index of the sentences, in the order of the rows. A line has three
 * columns, separated by tabs: the set, the number of the sentence, and its words. The set is train,
 * dev, test or further. The number counts the sentences of its file from 1. Single blanks separate
 * words. */
#pragma once

#include "core/corpus/tokenized.h"
#include "probes/kept_rows.h"
#include "probes/words.h"

/* The vector of a word: of its first piece, of its last piece, or the mean of its pieces. */
enum word_pieces { PIECES_MEAN, PIECES_FIRST, PIECES_LAST };
#define WORD_PIECES "mean|first|last"

struct word_vectors {
    int columns;
    float *vector; /* [words][columns] */
};
/* Measures the loaded set of the encoder. Sets words->lost for words without a piece; their vectors
 * are 0. Dies at a sentence of more than CORPUS_LINE_PIECES pieces. */
struct word_vectors word_vectors_measure(const struct frozen *frozen, struct words *words,
                                         const struct tokenized_reading *reading, const char *path,
                                         enum word_pieces pieces, struct arena *arena);

#define WORD_INDEX "sentences.tsv"
/* Reads vectors of another program. Dies if the index lacks a sentence, or has other words than the
 * treebank. Also dies if the number of rows differs, or a number is not finite. */
struct word_vectors word_vectors_read(const char *npy, const char *index, const struct words *words,
                                      struct arena *arena);

/* Subtracts from each column its mean over the words of train that are not lost, and divides it by
 * its population standard deviation over them. A constant column becomes 0. */
void word_vectors_standardize(struct word_vectors *vectors, const struct words *words);
