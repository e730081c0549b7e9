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

static int runs_of(const struct significance_system *system)
{
    return system->seeds * (system->sets ? system->sets : 1);
}

void significance_draw(const struct statistic *statistic, struct strata strata,
                       const struct significance_options *options, const void *const *item,
                       int runs, double *score)
{
    const struct resample_runs all = {statistic, strata, runs, item};
    struct pcg64 random = pcg64_seed(options->seed);
    resample_bootstrap(&all, &random, options->samples, score);
}

/* Returns the value of each seed: the mean over its sets of items. */
static const double *values_of(const struct significance_system *system,
                               const struct statistic *statistic, struct strata strata,
                               struct arena *arena)
{
    if (system->value) return system->value;
    const int sets = runs_of(system) / system->seeds;
    double *value = ARENA_ARRAY(arena, double, system->seeds);
    for (int i = 0; i < runs_of(system); i++)
        value[i / sets] += statistic_of(statistic, strata, system->item[i], NULL) / sets;
    return value;
}

/* Returns the resamples of a system. Both systems have the same draws of items (Koehn 2004), so the
 * difficulty of an item cancels in the difference. */
static const double *samples_of(const struct significance_system *system,
                                const struct statistic *statistic, struct strata strata,
                                const struct significance_options *options, struct arena *arena)
{
    if (system->sample || !system->item) return system->sample;
    const int runs = runs_of(system), samples = options->samples;
    double *mean = ARENA_ARRAY(arena, double, samples);
    double *score = heap_alloc(sizeof *score * (size_t)runs * (size_t)samples);
    significance_draw(statistic, strata, options, system->item, runs, score);
    for (int i = 0; i < samples; i++)
        for (int r = 0; r < runs; r++)
            mean[i] += score[(size_t)r * (size_t)samples + (size_t)i] / runs;
    free(score);
    return mean;
}

/* Returns the two-sided p of approximate randomization (Noreen 1989; Riezler and Maxwell 2005). If
 * the systems were equal, the results of an item could be exchanged between them. Then |d| and the
 * |d_t| of all trials would be equally likely. The results of all runs on an item are exchanged
 * together, because they are observations of one item. */
static double randomization_p(const struct statistic *statistic, struct strata strata,
                              const struct significance_options *options,
                              const struct significance_system *a,
                              const struct significance_system *b,
                              const struct difference_known *known)
{
    const int trials = options->trials, runs = runs_of(a);
    const void **item = heap_alloc(sizeof *item * 2 * (size_t)runs);
    double *swapped = heap_alloc(sizeof *swapped * (size_t)trials);
    memcpy(item, a->item, sizeof *item * (size_t)runs);
    memcpy(item + runs, b->item, sizeof *item * (size_t)runs);
    struct pcg64 random = pcg64_seed(options->seed);
    resample_swap(&(struct resample_runs){statistic, strata, 2 * runs, item}, &random, trials,
                  swapped);
    for (int i = 0; i < trials; i++) swapped[i] = fabs(swapped[i]);
    const double p =
        resample_p(swapped, trials, fabs(known->value) - difference_rounding(known->a, known->b));
    free(swapped);
    free(item);
    return p;
}

/* Returns McNemar's p; NaN for several runs or strata, or if the items have more than two
 * values. */
static double discordance_p(const struct statistic *statistic, struct strata strata,
                            const struct significance_system *a,
                            const struct significance_system *b)
{
    if (runs_of(a) != 1 || runs_of(b) != 1 || strata.count != 1 ||
        statistic->of != statistic_mean.of)
        return (double)NAN;
    const double *one = a->item[0], *other = b->item[0];
    double low = one[0], high = one[0];
    int less = 0, more = 0;
    for (int i = 0; i < strata_items(strata); i++) {
        low = fmin(low, fmin(one[i], other[i]));
        high = fmax(high, fmax(one[i], other[i]));
    }
    for (int i = 0; i < strata_items(strata); i++) {
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
static void test_items(struct significance *result, const struct statistic *statistic,
                       struct strata strata, const struct significance_options *options,
                       const struct significance_system *a, const struct significance_system *b)
{
    struct difference_known items = result->known; /* a copy with one seed, so that difference_p
                                                      uses the resamples */
    double unused;
    items.seeds = 1;
    result->koehn = difference_p(&items);
    resample_judge(items.sample, items.samples, items.value, &unused, &result->centered);
    result->centered = fmax(result->centered, items.least);
    if (a->item && b->item) result->mcnemar = discordance_p(statistic, strata, a, b);
    if (a->item && b->item && runs_of(a) == runs_of(b) && options->trials > 0)
        result->swapped = randomization_p(statistic, strata, options, a, b, &result->known);
    if (result->difference == 0) result->centered = result->swapped = 1;
}

struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, struct arena *arena)
{
    struct difference_design design = {.paired = options->paired,
                                       .owns = options->owns,
                                       .own = options->own,
                                       .others = options->others,
                                       .other = options->other,
                                       .samples = options->samples};
    CHECK(a->seeds > 0 && b->seeds > 0, "nothing to compare");
    if (statistic) {
        design.single = statistic->single;
        design.items = strata_items(strata);
        design.strata = strata.count;
        CHECK(design.items > 0, "nothing to compare");
    }
    const struct significance_system *system[] = {b, a};
    struct difference_side side[2];
    for (int i = 0; i < 2; i++)
        side[i] = (struct difference_side){
            system[i]->seeds, values_of(system[i], statistic, strata, arena),
            samples_of(system[i], statistic, strata, options, arena)};
    struct significance result = {.known = difference_of(&side[0], &side[1], &design, arena),
                                  .koehn = (double)NAN,
                                  .centered = (double)NAN,
                                  .swapped = (double)NAN,
                                  .mcnemar = (double)NAN,
                                  .p = (double)NAN};
    const struct difference_known *known = &result.known;
    result.a = known->b;
    result.b = known->a;
    result.difference = known->value;
    result.decides = statistic ? known->seeds > 1 : difference_by_seeds(known);
    if (result.decides) result.p = difference_p(known);
    result.detectable =
        difference_detectable(known, known->seeds > 1 ? 0.025 : 0.05, DIFFERENCE_POWER);
    difference_interval(known, 0.025, &result.low, &result.high);
    if (statistic) test_items(&result, statistic, strata, options, a, b);
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
void significance_holm(const double *p, int count, double *adjusted)
{
    struct ranked_p *rank = heap_alloc(sizeof *rank * (size_t)(count + 1));
    int family = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(p[i])) rank[family++] = (struct ranked_p){p[i], i};
    qsort(rank, (size_t)family, sizeof *rank, compare_ranked);
    double least = 0;
    for (int i = 0; i < family; i++) {
        least = fmax(least, fmin(1, (family - i) * rank[i].p));
        adjusted[rank[i].index] = least;
    }
    if (adjusted != p)
        for (int i = 0; i < count; i++)
            if (isnan(p[i])) adjusted[i] = p[i];
    free(rank);
}
