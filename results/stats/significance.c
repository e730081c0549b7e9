#include "results/stats/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/resample.h"
#include "results/sheet/number.h"

/* The normal quantiles of 0.95 and 0.8 together: what a difference must measure, in standard
 * deviations, for a one-sided test at .05 to find it in 4 of 5 cases. */
static const double detectable_deviations = 1.6448536 + 0.8416212;

/* A seed, or what is left of it for the resampling: its sets side by side. */
struct run {
    const void *const *item; /* [sets] */
    int sets;
    size_t bytes; /* of a set */
    double score; /* mean of the sets */
};

static int sets_of(const struct significance_system *system)
{
    return system->sets ? system->sets : 1;
}

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    int order = 0;
    for (int k = 0; k < x->sets && !order; k++) order = memcmp(x->item[k], y->item[k], x->bytes);
    return order;
}

/* The sets of a system's seeds, seeds ordered by score: the order in which they are given must not
 * matter to a resampling that draws them by number. Returns their mean. */
static double sort_seeds(const struct significance_system *system,
                         const struct statistic *statistic, struct strata strata, const void **item)
{
    const int sets = sets_of(system);
    const size_t bytes = statistic->bytes * (size_t)strata_items(strata);
    struct run *run = heap_alloc(sizeof *run * (size_t)system->seeds);
    for (int i = 0; i < system->seeds; i++) {
        run[i] = (struct run){.item = system->item + i * sets, .sets = sets, .bytes = bytes};
        for (int k = 0; k < sets; k++)
            run[i].score +=
                statistic->of_set(statistic->context, strata, run[i].item[k], NULL) / sets;
    }
    qsort(run, (size_t)system->seeds, sizeof *run, compare_runs);
    double mean = 0;
    for (int i = 0; i < system->seeds; i++) {
        mean += run[i].score / system->seeds;
        for (int k = 0; k < sets; k++) *item++ = run[i].item[k];
    }
    free(run);
    return mean;
}

/* The mean of one resample over the seeds, resampled themselves, n - 1 of n. score: [seeds * sets]
 * at a distance of `samples` */
static double seeds_mean(const double *score, int samples, const struct significance_system *system,
                         struct pcg64 *random)
{
    const int seeds = system->seeds, sets = sets_of(system), draws = seeds > 1 ? seeds - 1 : 1;
    double sum = 0;
    for (int i = 0; i < draws; i++) {
        const int seed = (int)pcg64_below(random, (uint32_t)seeds);
        for (int k = 0; k < sets; k++) sum += score[(size_t)(seed * sets + k) * (size_t)samples];
    }
    return sum / (draws * sets);
}

/* As far as rounding may carry apart two differences of such means that are the same. */
static double rounding(double a, double b)
{
    return 1e-9 * fmax(fabs(a), fabs(b));
}

/* b - a, and 0 where only rounding tells them apart. */
static double difference_of(double b, double a)
{
    return fabs(b - a) > rounding(a, b) ? b - a : 0;
}

/* Both systems' runs in the order of their scores. */
struct pair {
    const void **item; /* [ours + theirs] */
    int ours, theirs;
    double a, b; /* means */
    struct resample_runs runs;
};

static struct pair pair_open(const struct statistic *statistic, struct strata strata,
                             const struct significance_system *a,
                             const struct significance_system *b)
{
    CHECK(a->seeds > 0 && b->seeds > 0 && strata_items(strata) > 0, "nothing to compare");
    struct pair pair = {.ours = a->seeds * sets_of(a), .theirs = b->seeds * sets_of(b)};
    const int all = pair.ours + pair.theirs;
    pair.item = heap_alloc(sizeof *pair.item * (size_t)all);
    pair.a = sort_seeds(a, statistic, strata, pair.item);
    pair.b = sort_seeds(b, statistic, strata, pair.item + pair.ours);
    pair.runs = (struct resample_runs){statistic, strata, all, pair.item};
    return pair;
}

static void pair_bootstrap(const struct pair *pair, const struct significance_options *options,
                           const struct significance_system *a, const struct significance_system *b,
                           double *difference)
{
    const int samples = options->samples;
    struct pcg64 random = pcg64_seed(options->seed);
    double *score = heap_alloc(sizeof *score * (size_t)pair->runs.runs * (size_t)samples);
    resample_bootstrap(&pair->runs, &random, samples, score);
    for (int i = 0; i < samples; i++) {
        const double *score_a = score + i,
                     *score_b = score_a + (size_t)pair->ours * (size_t)samples;
        const double mean = seeds_mean(score_a, samples, a, &random);
        difference[i] = difference_of(seeds_mean(score_b, samples, b, &random), mean);
    }
    resample_sort(difference, samples);
    free(score);
}

double significance_resample(const struct statistic *statistic, struct strata strata,
                             const struct significance_options *options,
                             const struct significance_system *a,
                             const struct significance_system *b, double *difference)
{
    const struct pair pair = pair_open(statistic, strata, a, b);
    pair_bootstrap(&pair, options, a, b, difference);
    free(pair.item);
    return difference_of(pair.b, pair.a);
}

double significance_least(int items, int samples)
{
    const double least = ldexp(1, -items);
    return least * samples > 1 ? least : 0;
}

struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b)
{
    const int samples = options->samples, trials = options->trials;
    const struct pair pair = pair_open(statistic, strata, a, b);
    struct significance result = {.a = pair.a,
                                  .b = pair.b,
                                  .difference = difference_of(pair.b, pair.a),
                                  .swapped = (double)NAN};

    double *difference = heap_alloc(sizeof *difference * (size_t)samples);
    pair_bootstrap(&pair, options, a, b, difference);
    resample_judge(difference, samples, result.difference, &result.koehn, &result.centered);
    const double least = significance_least(strata_items(strata), samples);
    result.koehn = fmax(result.koehn, least);
    result.centered = fmax(result.centered, least);
    result.detectable = detectable_deviations * number_deviation(difference, samples);
    resample_middle(difference, samples, &result.low, &result.high);
    free(difference);

    if (pair.ours == pair.theirs && trials > 0) {
        double *swapped = heap_alloc(sizeof *swapped * (size_t)trials);
        struct pcg64 random = pcg64_seed(options->seed);
        resample_swap(&pair.runs, &random, trials, swapped);
        for (int i = 0; i < trials; i++) swapped[i] = fabs(swapped[i]);
        result.swapped =
            resample_p(swapped, trials, fabs(result.difference) - rounding(pair.a, pair.b));
        free(swapped);
    }
    if (result.difference == 0) result.koehn = result.centered = result.swapped = 1;
    free(pair.item);
    return result;
}

struct ranked {
    double p;
    int index;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->p != y->p ? (x->p < y->p ? -1 : 1) : x->index - y->index;
}

void significance_holm(const double *p, int count, double *adjusted)
{
    struct ranked *rank = heap_alloc(sizeof *rank * (size_t)(count + 1));
    int family = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(p[i])) rank[family++] = (struct ranked){p[i], i};
    qsort(rank, (size_t)family, sizeof *rank, compare_ranked);
    double least = 0; /* no p may be smaller than one that was smaller before */
    for (int i = 0; i < family; i++) {
        least = fmax(least, fmin(1, (family - i) * rank[i].p));
        adjusted[rank[i].index] = least;
    }
    if (adjusted != p)
        for (int i = 0; i < count; i++)
            if (isnan(p[i])) adjusted[i] = p[i];
    free(rank);
}
