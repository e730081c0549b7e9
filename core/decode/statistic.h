/* A statistic: a number that is computed from a set of items, or from a resample of the set.
 * Examples are BLEU of sentences, a mean, and a loss per token. The significance tests (resample.h,
 * results/stats/significance.h) do not depend on the type of items.
 *
 * Items may be divided into strata, for example tasks. Each stratum keeps its size in every
 * resample. Items are ordered by stratum. Without strata, all items are one stratum. */
#pragma once

#include "core/decode/bleu.h"

struct strata {
    int count;
    /* [count] end index of each stratum, ascending; the last end index is the number of items */
    const int *end;
};
int strata_items(struct strata strata);

struct statistic {
    const char *items; /* name of the items: "sentences" */
    /* size of an item in bytes. The type of items must have no padding, so that equal items have
     * equal bytes */
    size_t bytes;
    const void *context; /* first argument of the function `of` */
    /* Returns the statistic of item[at[0]], item[at[1]], .. If `at` is NULL, the items are item[0],
     * item[1], .. The strata are ranges of the index of `at`. The first stratum has the indices 0
     * to end[0] - 1. If `single` is true and the statistic supports it, computes in single
     * precision. */
    double (*of)(const void *context, struct strata strata, const void *item, const uint32_t *at,
                 bool single);
    bool single; /* argument `single` of the function `of` for resamples; true for BLEU, chrF and
                    TER, as in sacreBLEU */
};
/* Returns the statistic in double precision, which is the reported value. */
static inline double statistic_of(const struct statistic *statistic, struct strata strata,
                                  const void *item, const uint32_t *at)
{
    return statistic->of(statistic->context, strata, item, at, false);
}

/* The item of corpus BLEU: the counts of a sentence. Strata are ignored. For a resample, the n-gram
 * precisions of sacreBLEU's BLEU are computed as float, because sacreBLEU's bootstrap uses NumPy's
 * float32. */
struct bleu_item {
    int32_t hyp_len, ref_len, match[BLEU_ORDER], total[BLEU_ORDER];
};
/* Returns corpus BLEU as a statistic. The options must outlive the statistic. */
struct statistic statistic_bleu(const struct bleu_options *options);
/* Converts stats [count] to items. Dies if a sentence has more than 2^31 / min(count, 4096)
 * words. */
void statistic_bleu_items(const struct bleu_stats *stats, int count, struct bleu_item *item);
struct bleu_stats statistic_bleu_sum(const struct bleu_item *item, int count);

/* Mean of items of type double. With several strata, the mean of their means, so that tasks have
 * equal weights. */
extern const struct statistic statistic_mean;

/* Sum of numbers divided by sum of weights, for example the loss per token from losses and token
 * counts of sentences. With several strata, the mean of their ratios. */
struct ratio_item {
    double number, weight; /* if all weights are 0, the ratio is NaN */
};
extern const struct statistic statistic_ratio;
