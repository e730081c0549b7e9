/* Tagged text, encoded for a model. Each piece has the index of its word, and each word has a
 * class. <eos> has no word. A word may have no piece, if rules deleted it or corpus.max_length cut
 * it off. */
#pragma once

#include "core/corpus/split_text.h"
#include "core/corpus/tags.h"
#include "core/corpus/tokenized.h"
#include "core/corpus/treebank.h"

struct tagged_text {
    struct split split; /* source side: the sentences */
    int words;          /* number of words of all sentences */
    int32_t *first;     /* [sentences+1] index of the first word of each sentence */
    /* [pieces] index of the word, over all sentences; CORPUS_NO_WORD for <eos> */
    int32_t *word;
    int32_t *class;     /* [words] class of each word */
    int32_t *pieces;    /* [words] number of pieces of each word */
    int64_t *frequency; /* [words] count in train of the word with the same pieces */
    int classes;
    const char *const *name; /* [classes] names of the classes */
    /* Statistics. */
    int64_t lost;                       /* number of words without a piece */
    int64_t read;                       /* number of words that the model reads */
    int64_t unknown_words;              /* number of these words that do not occur in train */
    int64_t unknown_pieces, all_pieces; /* numbers of pieces, without <eos> */
    /* number of skipped ranges and empty nodes (struct treebank) */
    int ranges, empty;
};

/* Reads text from outside of the corpus. Dies at an unknown tag, and at a sentence of more than
 * CORPUS_LINE_PIECES pieces. */
struct tagged_text *tagged_read(struct arena *arena, const struct corpus *corpus,
                                const struct tokenized_reading *reading,
                                const struct treebank *treebank, struct tag_reading tags);
/* Reads the sentences of a split, cut as in the split. `treebank` has the tags of `text`. Also dies
 * if the text does not yield the split's ids, because the corpus was then made from other text. */
struct tagged_text *tagged_split(struct arena *arena, const struct corpus *corpus,
                                 enum split_name split, const struct split_text *text,
                                 const struct treebank *treebank, struct tag_reading tags);
