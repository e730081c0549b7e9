/* The words of a split of a corpus, read again from its text: ids do not say what an unknown piece
 * was, nor where a word ends that has one. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_options.h"

/* The source sentences that the corpus keeps of dev or test, in the order of the split. */
struct split_text {
    int sentences;
    const char **words; /* [sentences] as they go to BPE, between single blanks */
    const char **plain; /* [sentences] the same words without joiners and escapes: of raw text those
                         * of our tokenizer */
};
/* In the arena. Dies where a file is missing or is no text. */
struct split_text split_text_read(struct arena *arena, const struct corpus_options *options,
                                  enum split_name split);
