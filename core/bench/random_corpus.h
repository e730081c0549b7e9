/* Sentences of random tokens: enough to time a model without a corpus. Longer ones stand beside
 * longer ones. */
#pragma once

#include "core/corpus/corpus.h"

/* What they are like: mean and deviation of a normal distribution, cut, of a side's tokens. */
struct random_lengths {
    int sentences, vocabulary, shortest, longest;
    double mean[SIDES], deviation[SIDES];
};
/* multi30k in 8k joint subwords; sentences twice as long with 32,000 words, as WMT's are. */
extern const struct random_lengths random_multi30k, random_wmt;
const struct corpus *random_corpus(struct arena *arena, uint32_t seed,
                                   const struct random_lengths *like);

/* Its training text as a folder that scripts/twin reads: a shard, and a line for every word. */
void random_corpus_write(const struct corpus *corpus, const char *folder);
