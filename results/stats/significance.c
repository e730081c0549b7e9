/* Compares two systems on the same items by bootstrap, randomization and McNemar's test. Corrects p
 * by Holm's method. */
#include "results/stats/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/resample.h"
#include "results/stats/mcnemar.h"

const struct significance_options significance_usual = {
    .samples = 10000, .trials = 10000, .seed = 12345};

void significance_draw(const struct statistic *statistic, struct strata strata,
                       const struct significance_options *options, const void *const *item,
                       int runs, double *score)
{
    const struct resample_runs all = {statistic, strata, runs, item};
    struct pcg64 random = pcg64_seed(options->seed);
    resample_bootstrap(&all, &random, options->samples, score);
}

/* Returns the two-sided p of approximate randomization (Noreen 1989; Riezler and Maxwell 2005). If
 * the systems were equal, the results of an item could be exchanged between them. Then |d| and the
 * |d_t| of all trials would be equally likely. The results of all runs on an item are exchanged
 * together, because they are observations of one item. */
static double randomization_p(const struct significance_items *items,
                              const struct significance_options *options,
                              const struct difference_known *known)
{
    const int trials = options->trials, runs = items->runs[0];
    const void **item = heap_alloc(sizeof *item * 2 * (size_t)runs);
    double *swapped = heap_alloc(sizeof *swapped * (size_t)trials);
    memcpy(item, items->item[1], sizeof *item * (size_t)runs);
    memcpy(item + runs, items->item[0], sizeof *item * (size_t)runs);
    struct pcg64 random = pcg64_seed(options->seed);
    resample_swap(&(struct resample_runs){items->statistic, items->strata, 2 * runs, item}, &random,
                  trials, swapped);
    for (int i = 0; i < trials; i++) swapped[i] = fabs(swapped[i]);
    const double p =
        resample_p(swapped, trials, fabs(known->value) - difference_rounding(known->a, known->b));
    free(swapped);
    free(item);
    return p;
}

/* Returns McNemar's p; NaN for several runs or strata, or if the items have more than two
 * values. */
static double discordance_p(const struct significance_items *items)
{
    if (items->runs[0] != 1 || items->runs[1] != 1 || items->strata.count != 1 ||
        items->statistic->of != statistic_mean.of)
        return (double)NAN;
    const double *one = items->item[0][0], *other = items->item[1][0];
    const int count = strata_items(items->strata);
    double low = one[0], high = one[0];
    int less = 0, more = 0;
    for (int i = 0; i < count; i++) {
        low = fmin(low, fmin(one[i], other[i]));
        high = fmax(high, fmax(one[i], other[i]));
    }
    for (int i = 0; i < count; i++) {
        if ((one[i] != low && one[i] != high) || (other[i] != low && other[i] != high))
            return (double)NAN;
        less += other[i] < one[i];
        more += other[i] > one[i];
    }
    return mcnemar_p(less, more);
}

/* Computes the four p that need items. The resampled differences are distributed around d, not
 * around 0. koehn is the share of these differences that are 0 or have the other sign. centered
 * first subtracts the mean of |d|, to simulate the null hypothesis (Riezler and Maxwell 2005). */
static void test_items(struct significance *result, const struct significance_items *items,
                       const struct significance_options *options)
{
    struct difference_known one_seed = result->known; /* difference_p then uses the resamples */
    double unused;
    one_seed.seeds = 1;
    result->koehn = difference_p(&one_seed);
    resample_judge(one_seed.sample, one_seed.samples, one_seed.value, &unused, &result->centered);
    result->centered = fmax(result->centered, one_seed.least);
    if (items->item[0] && items->item[1]) {
        result->mcnemar = discordance_p(items);
        if (items->runs[0] == items->runs[1] && options->trials > 0)
            result->swapped = randomization_p(items, options, &result->known);
    }
    if (result->difference == 0) result->centered = result->swapped = 1;
}

const struct significance significance_none = {.difference = (double)NAN,
                                               .low = (double)NAN,
                                               .high = (double)NAN,
                                               .koehn = (double)NAN,
                                               .centered = (double)NAN,
                                               .swapped = (double)NAN,
                                               .mcnemar = (double)NAN,
                                               .p = (double)NAN,
                                               .detectable = (double)NAN};

struct significance significance_of(const struct difference_known *known,
                                    const struct significance_items *items,
                                    const struct significance_options *options)
{
    struct significance result = significance_none;
    result.known = *known;
    result.difference = known->value;
    result.decides = items ? known->seeds > 1 : difference_by_seeds(known);
    if (result.decides) result.p = difference_p(known);
    result.detectable =
        difference_detectable(known, known->seeds > 1 ? 0.025 : 0.05, DIFFERENCE_POWER);
    difference_interval(known, 0.025, &result.low, &result.high);
    if (items) test_items(&result, items, options);
    return result;
}

struct ranked_p {
    double p;
    int index;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked_p *x = a, *y = b;
    return x->p != y->p ? (x->p < y->p ? -1 : 1) : x->index - y->index;
}

/* Holm 1979: the i-th of m ascending p is multiplied by m - i + 1, the number of hypotheses that
 * are not rejected yet. The running maximum keeps the adjusted p ascending. */
void significance_holm(double *p, int count)
{
    struct ranked_p *rank = heap_alloc(sizeof *rank * (size_t)(count + 1));
    int family = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(p[i])) rank[family++] = (struct ranked_p){p[i], i};
    qsort(rank, (size_t)family, sizeof *rank, compare_ranked);
    double least = 0;
    for (int i = 0; i < family; i++) {
        least = fmax(least, fmin(1, (family - i) * rank[i].p));
        p[rank[i].index] = least;
    }
    free(rank);
}
