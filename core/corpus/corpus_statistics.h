/* Statistics of a prepared corpus, as a table for people (`sanlab corpus check`). */
#pragma once

#include "core/corpus/corpus.h"

/* Statistics of one side of a split. A word is a run of pieces up to the first without @@. */
struct side_statistics {
    int64_t tokens; /* with <eos> */
    double mean;    /* tokens per sentence, as the next three */
    int median, percentile95, longest;
    int64_t words;
    double pieces_per_word;
    int64_t unknown;   /* pieces that are <unk> */
    int64_t new_words; /* words that train lacks on this side */
    int64_t in_train;  /* sentences that train also has, on this side */
    int64_t in_dev;    /* sentences that dev also has */
};

struct split_statistics {
    struct side_statistics side[SIDES];
    int64_t duplicates; /* pairs that occurred before in this split */
};

/* Sentences and words are compared as token ids: if they differ only in unknown pieces, they count
 * as equal. Empty sentences are never shared. */
void corpus_statistics(const struct corpus *corpus, struct split_statistics of[SPLITS]);

void corpus_statistics_print(const struct corpus *corpus, FILE *out);
