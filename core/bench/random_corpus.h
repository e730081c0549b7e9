/* Sentences of random tokens, for timing a model without a corpus. The lengths of the two sides are
 * correlated. */
#pragma once

#include "core/corpus/corpus_folder.h"

/* Distribution of lengths: mean and deviation of a truncated normal distribution, in tokens of a
 * side. */
struct random_lengths {
    int sentences, vocabulary, shortest, longest;
    double mean[SIDES], deviation[SIDES];
};
/* random_multi30k is like Multi30k with 8k joint pieces. random_wmt has sentences of twice the
 * length and 32,000 pieces, like WMT. */
extern const struct random_lengths random_multi30k, random_wmt;
const struct corpus *random_corpus(struct arena *arena, uint32_t seed,
                                   const struct random_lengths *like);

/* Writes the training text as a folder that scripts/compare/twin reads: a shard, and a line for
 * every word. */
void random_corpus_write(const struct corpus *corpus, const char *folder);
