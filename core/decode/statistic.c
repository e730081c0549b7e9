/* Computes the statistics: BLEU from sums of counts, and mean and ratio from sums of numbers. */
#include "core/decode/statistic.h"

int strata_items(struct strata strata)
{
    return strata.end[strata.count - 1];
}

/* ---- BLEU ---- */

enum { BLOCK = 4096 }; /* number of sentences whose counts can be summed in 32 bits */

void statistic_bleu_items(const struct bleu_stats *stats, int count, struct bleu_item *item)
{
    const int most = INT32_MAX / (count < BLOCK ? count : BLOCK);
    for (int s = 0; s < count; s++) {
        const struct bleu_stats *one = &stats[s];
        if (one->hyp_len > most || one->ref_len > most)
            die("sentence %d has %lld words, its reference %lld; expected at most %d", s + 1,
                (long long)one->hyp_len, (long long)one->ref_len, most);
        item[s] = (struct bleu_item){(int32_t)one->hyp_len, (int32_t)one->ref_len, {0}, {0}};
        for (int n = 0; n < BLEU_ORDER; n++) {
            item[s].match[n] = (int32_t)one->match[n];
            item[s].total[n] = (int32_t)one->total[n];
        }
    }
}

/* The counts of a sentence as two vectors, so that adding them takes two instructions. */
typedef int32_t first_counts __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t last_counts __attribute__((vector_size(8), aligned(4), may_alias));
struct counts {
    first_counts first;
    last_counts last;
};
_Static_assert(sizeof(struct counts) == sizeof(struct bleu_item), "the same bytes");

static struct bleu_stats sum_of(const struct bleu_item *item, size_t count, const uint32_t *at)
{
    const struct counts *counts = (const struct counts *)item;
    struct bleu_stats stats = {0};
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const size_t end = count - begin < BLOCK ? count : begin + BLOCK;
        first_counts first = {0};
        last_counts last = {0};
        for (size_t s = begin; s < end; s++) {
            const struct counts *one = &counts[at ? at[s] : s];
            first += one->first;
            last += one->last;
        }
        stats.hyp_len += first[0];
        stats.ref_len += first[1];
        for (int n = 0; n < BLEU_ORDER; n++) {
            stats.match[n] += first[2 + n];
            stats.total[n] += n < 2 ? first[6 + n] : last[n - 2];
        }
    }
    return stats;
}

struct bleu_stats statistic_bleu_sum(const struct bleu_item *item, int count)
{
    return sum_of(item, (size_t)count, NULL);
}

static double bleu_of(const void *context, struct strata strata, const void *item,
                      const uint32_t *at, bool single)
{
    const struct bleu_stats stats = sum_of(item, (size_t)strata_items(strata), at);
    return bleu_resampled(&stats, context, single).score;
}

struct statistic statistic_bleu(const struct bleu_options *options)
{
    return (struct statistic){"sentences", sizeof(struct bleu_item), options, bleu_of, true};
}

/* ---- the mean, and the ratio ---- */

/* mean_of only tests whether its context is NULL. statistic_mean has the context NULL: items are
 * doubles with weight 1. statistic_ratio has the address of `weighted`: items are struct
 * ratio_item. The value of `weighted` is never read. */
static const bool weighted = true;

static double mean_of(const void *context, struct strata strata, const void *item,
                      const uint32_t *at, bool single)
{
    const double *plain = item;
    const struct ratio_item *ratio = item;
    double means = 0;
    for (int k = 0; k < strata.count; k++) {
        double number = 0, weight = 0;
        for (int i = k ? strata.end[k - 1] : 0; i < strata.end[k]; i++) {
            const uint32_t place = at ? at[i] : (uint32_t)i;
            number += context ? ratio[place].number : plain[place];
            weight += context ? ratio[place].weight : 1;
        }
        means += number / weight;
    }
    return means / strata.count;
}

const struct statistic statistic_mean = {"items", sizeof(double), NULL, mean_of, false};
const struct statistic statistic_ratio = {"items", sizeof(struct ratio_item), &weighted, mean_of,
                                          false};
