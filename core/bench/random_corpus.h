/* Makes sentences of random tokens, to measure the speed of a model without a corpus. The lengths
 * of the two sides are correlated. */
#pragma once

#include "core/corpus/corpus_folder.h"

/* Number of sentences, size of the vocabulary, and lengths in tokens. The lengths of a side have a
 * normal distribution with this mean and standard deviation, limited to shortest .. longest. */
struct random_lengths {
    int sentences, vocabulary, shortest, longest;
    double mean[SIDES], deviation[SIDES];
};
/* random_multi30k is like Multi30k with 8k joint pieces. random_wmt has sentences of twice the
 * length and 32,000 pieces, like WMT. */
extern const struct random_lengths random_multi30k, random_wmt;
const struct corpus *random_corpus(struct arena *arena, uint32_t seed,
                                   const struct random_lengths *like);

/* Writes the training text to a folder that scripts/compare/twin reads: a shard, and a vocabulary
 * for each side. */
void random_corpus_write(const struct corpus *corpus, const char *folder);
