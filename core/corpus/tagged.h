/* Tagged words as a model reads them: every piece knows its word, every word its class. <eos> is of
 * no word, and a word may have no piece: rules took it out, or corpus.max_length cut it off. */
#pragma once

#include "core/corpus/split_text.h"
#include "core/corpus/tags.h"
#include "core/corpus/tokenized.h"
#include "core/corpus/treebank.h"

struct tagged_text {
    struct split split; /* its source: the sentences */
    int words;          /* of all sentences */
    int32_t *first;     /* [sentences+1] of each sentence the first word */
    int32_t *word;      /* [pieces] the word of each, from 0 over all sentences; CORPUS_NO_WORD */
    int32_t *class;     /* [words] */
    int32_t *pieces;    /* [words] */
    int64_t *frequency; /* [words] how often train has these pieces as a word */
    int classes;
    const char *const *name; /* [classes] */
    /* Counted. */
    int64_t lost;                       /* words without a piece */
    int64_t read;                       /* words as the model reads them, */
    int64_t unknown_words;              /* of these: train does not have them */
    int64_t unknown_pieces, all_pieces; /* without <eos> */
    int ranges, empty;                  /* struct treebank */
};

/* Text that is not of the corpus. Dies at an unknown tag, and at a sentence of more than
 * CORPUS_LINE_PIECES pieces. */
struct tagged_text *tagged_read(struct arena *arena, const struct corpus *corpus,
                                const struct tokenized_reading *reading,
                                const struct treebank *treebank, struct tag_reading tags);
/* The sentences of a split, which are cut as they are there; `treebank` has the tags of `text`.
 * Dies also where the text does not become the split's ids: it is not what the corpus was made
 * of. */
struct tagged_text *tagged_split(struct arena *arena, const struct corpus *corpus,
                                 enum split_name split, const struct split_text *text,
                                 const struct treebank *treebank, struct tag_reading tags);
