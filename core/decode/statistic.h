/* A statistic: a number of a set of items and of any resample of the set. Examples: BLEU of
 * sentences, a mean, a loss per token. The tests (resample.h, results/stats/significance.h) are
 * independent of the type of items.
 *
 * Items may be in strata, for example tasks; each stratum keeps its size in every resample. Items
 * are ordered by stratum. Without strata, all items are one stratum. */
#pragma once

#include "core/decode/bleu.h"

struct strata {
    int count;
    /* [count] end index of each stratum, ascending; the last one is the number of items */
    const int *end;
};
int strata_items(struct strata strata);

struct statistic {
    const char *items;   /* what they are called: "sentences" */
    size_t bytes;        /* of an item, without padding: equal items have equal bytes */
    const void *context; /* of the function */
    /* Returns the statistic of item[at[0]], item[at[1]], .. at: [items]; NULL: 0, 1, 2, .. The
     * strata divide these indices. `single`: in single precision if samples are computed so. */
    double (*of)(const void *context, struct strata strata, const void *item, const uint32_t *at,
                 bool single);
    bool single; /* samples are computed in single precision */
};
/* Returns the statistic in double precision, which is the reported value. */
static inline double statistic_of(const struct statistic *statistic, struct strata strata,
                                  const void *item, const uint32_t *at)
{
    return statistic->of(statistic->context, strata, item, at, false);
}

/* Result of an arithmetic operation in single precision. +, -, * and / of single numbers, computed
 * in double and then rounded, give the same bits as in single precision. */
static inline double rounded(bool single, double value)
{
    return single ? (double)(float)value : value;
}

/* Corpus BLEU of sentences; strata are ignored. The precisions of a sample are computed in single
 * precision, as in sacreBLEU, whose bootstrap sums in NumPy's float32. */
struct bleu_item {
    int32_t hyp_len, ref_len, match[BLEU_ORDER], total[BLEU_ORDER];
};
/* The options must outlive the statistic. */
struct statistic statistic_bleu(const struct bleu_options *options);
/* Converts stats [count] to items. Dies if a sentence has more than 2^31 / min(count, 4096)
 * words. */
void statistic_bleu_items(const struct bleu_stats *stats, int count, struct bleu_item *item);
struct bleu_stats statistic_bleu_sum(const struct bleu_item *item, int count);

/* Mean of doubles. With several strata: the mean of their means, so that tasks have equal
 * weights. */
extern const struct statistic statistic_mean;

/* Sum of numbers divided by sum of weights, for example the loss per token from losses and token
 * counts of sentences. With several strata: the mean of their ratios. */
struct ratio_item {
    double number, weight; /* if all weights are 0, the ratio is NaN */
};
extern const struct statistic statistic_ratio;
