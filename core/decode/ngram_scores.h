/* Precisions of n-grams of one to eight words (Yang et al. 2018, figure 4), as mteval computes
 * them:
 *
 *   individual_n   100 matched_n / total_n. If an order has n-grams but no match, 1/2^k replaces
 *                  matched_n. k is 1 for the lowest of these orders, 2 for the next one, and so on
 *   cumulative_n   BP (individual_1 .. individual_n)^(1/n)
 *
 * The scores of an order are NaN if the hypotheses have no n-gram of this order. */
#pragma once

#include "core/decode/bleu.h"

struct ngram_scores {
    double individual[NGRAM_ORDER], cumulative[NGRAM_ORDER]; /* [n - 1], in percent */
};

/* Sums the counts of `count` sentences, stats[at[0]], stats[at[1]], .., and returns the scores of
 * the sum. If `at` is NULL, the sentences are stats[0], stats[1], .. */
struct ngram_scores ngram_score(const struct bleu_stats *stats, const uint32_t *at, int count);

/* Translations of the same sentences by several runs. */
struct ngram_runs {
    int runs, items;
    const struct bleu_stats **stats; /* [runs][items] */
};
/* Difference of two sets of runs, for each order. value: mean over the runs of `ours` minus mean
 * over the runs of `base`. low, high: 95% bootstrap interval over sentences; NaN if the difference
 * is NaN in any sample. */
struct ngram_gap {
    double value[NGRAM_ORDER], low[NGRAM_ORDER], high[NGRAM_ORDER];
};
struct ngram_gap ngram_compare(const struct ngram_runs *ours, const struct ngram_runs *base,
                               bool cumulative, int samples, uint64_t seed);
