/* Computes statistics of a prepared corpus, and prints them (`sanlab corpus check`). */
#pragma once

#include "core/corpus/corpus_folder.h"

/* Statistics of one side of a split. A word is a run of pieces up to the first piece without @@. */
struct side_statistics {
    int64_t tokens;                    /* <eos> included */
    double mean;                       /* mean number of tokens per sentence */
    int median, percentile95, longest; /* number of tokens per sentence */
    int64_t words;
    double pieces_per_word;
    int64_t unknown;   /* pieces that are <unk> */
    int64_t new_words; /* words that do not occur on this side of train */
    int64_t in_train;  /* sentences that also occur on this side of train */
    int64_t in_dev;    /* sentences that also occur on this side of dev */
};

struct split_statistics {
    struct side_statistics side[SIDES];
    int64_t duplicates; /* pairs that occurred before in this split */
};

/* Computes the statistics of all splits. Sentences and words are compared as token ids, so a
 * difference only in unknown pieces is ignored. Empty sentences do not count as shared. */
void corpus_statistics(const struct corpus *corpus, struct split_statistics of[SPLITS]);

void corpus_statistics_print(const struct corpus *corpus, FILE *out);
