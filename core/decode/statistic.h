/* A number that is computed of a set of items, and of any resample of it: the BLEU of sentences,
 * the mean of numbers, a loss per token. Whatever has such a number can be tested (resample.h,
 * results/stats/significance.h) without knowing what its items are.
 *
 * Items may be in strata (tasks, say), of which each keeps its size in every resample. They stand
 * together, stratum by stratum; one stratum is all of them. */
#pragma once

#include "core/decode/bleu.h"

struct strata {
    int count;
    const int *end; /* [count] behind its last item, ascending; the last one is how many items */
};
int strata_items(struct strata strata);

/* Of `item`, an array. at: NULL, or [items] which of them stands at each place. The strata are
 * those of the places. */
typedef double statistic_function(const void *context, struct strata strata, const void *item,
                                  const uint32_t *at);

struct statistic {
    const char *items;             /* what they are called: "sentences" */
    size_t bytes;                  /* of an item, without padding: equal items have equal bytes */
    const void *context;           /* of the functions */
    statistic_function *of_set;    /* what is reported; `at` chooses each item at its own place */
    statistic_function *of_sample; /* `at` is drawn with replacement, and never NULL */
    bool single;                   /* of_sample computes in single precision */
};

/* What a step of arithmetic leaves: of +, -, * and / of single numbers done in double, and rounded,
 * the same bits as of those done in single precision. */
static inline double rounded(bool single, double value)
{
    return single ? (double)(float)value : value;
}

/* Corpus BLEU of sentences, whatever their strata. Of a sample its precisions are single, as
 * sacreBLEU's are, whose bootstrap sums in NumPy's float32. */
struct bleu_item {
    int32_t hyp_len, ref_len, match[BLEU_ORDER], total[BLEU_ORDER];
};
struct statistic statistic_bleu(const struct bleu_options *options); /* they outlive it */
/* stats [count] as items; dies at a sentence of more words than 2^31 / min(count, 4096). */
void statistic_bleu_items(const struct bleu_stats *stats, int count, struct bleu_item *item);
struct bleu_stats statistic_bleu_sum(const struct bleu_item *item, int count);

/* The mean of doubles. Over several strata it is the mean of their means: tasks weigh the same,
 * however many items they have. */
extern const struct statistic statistic_mean;

/* The sum of numbers over the sum of weights: of sentences with their losses and tokens, the loss
 * per token. Over several strata it is the mean of their ratios. */
struct ratio_item {
    double number, weight; /* of a set whose weights are all 0 it is NaN */
};
extern const struct statistic statistic_ratio;
