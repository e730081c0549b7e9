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

/* Computes the statistic of the array `item`. at: [items] index of the item at each position; NULL:
 * the identity. The strata are those of the positions. */
typedef double statistic_function(const void *context, struct strata strata, const void *item,
                                  const uint32_t *at);

struct statistic {
    const char *items; /* name of the items: "sentences" */
    /* Bytes of an item, without padding: equal items have equal bytes. */
    size_t bytes;
    const void *context; /* context of the functions */
    /* Reported value; `at` selects for each position one of the runs' items at this position. */
    statistic_function *of_set;
    /* Value of a bootstrap sample: `at` is drawn with replacement, never NULL. */
    statistic_function *of_sample;
    bool single; /* of_sample computes in single precision */
};

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
