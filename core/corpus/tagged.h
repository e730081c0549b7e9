/* Tagged text for a model. Every piece has the index of its word, and every word has its class.
 * <eos> has no word. A word may have no piece, if rules deleted it or corpus.max_length cut it
 * off. */
#pragma once

#include "core/corpus/split_text.h"
#include "core/corpus/tags.h"
#include "core/corpus/tokenized.h"
#include "core/corpus/treebank.h"

struct tagged_text {
    struct split split; /* source side: the sentences */
    int words;          /* words of all sentences */
    int32_t *first;     /* [sentences+1] first word of each sentence */
    int32_t *word;      /* [pieces] word, from 0 over all sentences; CORPUS_NO_WORD */
    int32_t *class;     /* [words] */
    int32_t *pieces;    /* [words] */
    int64_t *frequency; /* [words] count of these pieces as a word in train */
    int classes;
    const char *const *name; /* [classes] */
    /* Statistics. */
    int64_t lost;                       /* words without a piece */
    int64_t read;                       /* number of words as read by the model */
    int64_t unknown_words;              /* number of these words that train lacks */
    int64_t unknown_pieces, all_pieces; /* without <eos> */
    int ranges, empty;                  /* skipped, see struct treebank */
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
