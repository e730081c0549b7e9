/* Sentences of random tokens whose lengths are spread as those of multi30k in 8k joint subwords (15
 * a side, longer ones with longer ones): enough to time a model without a corpus. */
#ifndef CORE_BENCH_RANDOM_CORPUS_H
#define CORE_BENCH_RANDOM_CORPUS_H

#include "core/corpus/corpus.h"

const struct corpus *random_corpus(struct arena *arena, uint32_t seed);

#endif
