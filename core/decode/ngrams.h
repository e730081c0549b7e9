/* Precisions of n-grams of one to eight words (Yang et al. 2018, figure 4), with the numbers of
 * mteval:
 *
 *   individual_n   100 matched_n / total_n; the k-th order without a match counts 1/2^k of one
 *   cumulative_n   BP (individual_1 .. individual_n)^(1/n)
 *
 * NaN from the first order on of which the hypotheses have no n-gram. */
#pragma once

#include "core/decode/bleu.h"

struct ngram_scores {
    double individual[NGRAM_ORDER], cumulative[NGRAM_ORDER]; /* [n - 1] in per cent */
};

/* Of the sum of stats[at[0]], stats[at[1]], ..; at: [count] NULL: each at its own place. */
struct ngram_scores ngram_score(const struct ngram_stats *stats, const uint32_t *at, int count);

/* Translations of the same sentences by several runs. */
struct ngram_runs {
    int runs, items;
    const struct ngram_stats **stats; /* [runs][items] */
};
/* By order, the mean over the runs of one less that of the others, and the middle 95% of so many
 * samples of sentences; NaN where one of these has no value. */
struct ngram_gap {
    double value[NGRAM_ORDER], low[NGRAM_ORDER], high[NGRAM_ORDER];
};
struct ngram_gap ngram_compare(const struct ngram_runs *ours, const struct ngram_runs *base,
                               bool cumulative, int samples, uint64_t seed);
