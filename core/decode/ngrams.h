/* Precisions of n-grams of one to eight words (Yang et al. 2018, figure 4), equal to mteval's:
 *
 *   individual_n   100 matched_n / total_n; the k-th order without a match counts 1/2^k of one
 *   cumulative_n   BP (individual_1 .. individual_n)^(1/n)
 *
 * The scores are NaN from the first order for which the hypotheses have no n-gram. */
#pragma once

#include "core/decode/bleu.h"

struct ngram_scores {
    double individual[NGRAM_ORDER], cumulative[NGRAM_ORDER]; /* [n - 1], in percent */
};

/* Returns the scores of the sum of stats[at[0]], stats[at[1]], .. for at [count]; NULL: 0, 1, 2,
 * .. */
struct ngram_scores ngram_score(const struct bleu_stats *stats, const uint32_t *at, int count);

/* Translations of the same sentences by several runs. */
struct ngram_runs {
    int runs, items;
    const struct bleu_stats **stats; /* [runs][items] */
};
/* Difference of two sets of runs, by order: mean over `ours` minus mean over `base`, and the middle
 * 95% of the samples of sentences. NaN if a mean is undefined. */
struct ngram_gap {
    double value[NGRAM_ORDER], low[NGRAM_ORDER], high[NGRAM_ORDER];
};
struct ngram_gap ngram_compare(const struct ngram_runs *ours, const struct ngram_runs *base,
                               bool cumulative, int samples, uint64_t seed);
