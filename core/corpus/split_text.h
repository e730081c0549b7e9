/* The words of a split of a corpus, read again from its text. The ids are not enough: they contain
 * neither unknown pieces nor the end of a word with an unknown piece. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_options.h"

/* The source sentences of dev or test that the corpus keeps, in the order of the split. */
struct split_text {
    int sentences;
    const char **words; /* [sentences] input of BPE, between single blanks */
    const char **plain; /* [sentences] the same words without joiners and escapes; for raw text
                         * the words of tokenize.h */
};
/* Reads into the arena. Dies if a file is missing or is not text. */
struct split_text split_text_read(struct arena *arena, const struct corpus_options *options,
                                  enum split_name split);
