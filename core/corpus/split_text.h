/* The words of a split of a corpus, read again from its text. Token ids are not enough, because
 * they do not show the text of an unknown piece, or where a word with an unknown piece ends. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_options.h"

/* The source sentences of dev or test that the corpus keeps, in the order of the split. */
struct split_text {
    int sentences;
    const char **words; /* [sentences] input of BPE, between single blanks */
    /* [sentences] the same words; if the corpus has raw text, without the joiners and escapes of
     * tokenize.h */
    const char **plain;
};
/* Reads the sentences into the arena. Dies if a file is missing or is not text. */
struct split_text split_text_read(struct arena *arena, const struct corpus_options *options,
                                  enum split_name split);
