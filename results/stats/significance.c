/* Both systems are resampled by the same items: bootstrap, randomization, and Holm's correction. */
#include "results/stats/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/resample.h"
#include "results/stats/student.h"

/* The normal quantiles of 0.95 and 0.8 together: what a difference must measure, in standard
 * deviations, for a one-sided test at .05 to find it in 4 of 5 cases. */
static const double detectable_deviations = 1.6448536 + 0.8416212;

/* A seed, or what is left of it for the resampling: its sets side by side. */
struct seed_runs {
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
    const struct seed_runs *x = a, *y = b;
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
    struct seed_runs *run = heap_alloc(sizeof *run * (size_t)system->seeds);
    for (int i = 0; i < system->seeds; i++) {
        run[i] = (struct seed_runs){.item = system->item + i * sets, .sets = sets, .bytes = bytes};
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

/* Both systems, their runs in the order of their scores. */
struct two_samples {
    const struct significance_system *a, *b;
    const void **item; /* [ours + theirs] */
    int ours, theirs;  /* runs of a and b */
    double mean_a, mean_b;
    struct resample_runs runs;
};

static struct two_samples samples_open(const struct statistic *statistic, struct strata strata,
                                       const struct significance_system *a,
                                       const struct significance_system *b)
{
    CHECK(a->seeds > 0 && b->seeds > 0 && strata_items(strata) > 0, "nothing to compare");
    struct two_samples both = {a, b, .ours = a->seeds * sets_of(a),
                               .theirs = b->seeds * sets_of(b)};
    const int all = both.ours + both.theirs;
    both.item = heap_alloc(sizeof *both.item * (size_t)all);
    both.mean_a = sort_seeds(a, statistic, strata, both.item);
    both.mean_b = sort_seeds(b, statistic, strata, both.item + both.ours);
    both.runs = (struct resample_runs){statistic, strata, all, both.item};
    return both;
}

/* Paired: one draw of items serves both systems (Koehn 2004), so what makes an item
 * hard for both cancels in the difference. Seeds are drawn for each system by itself, because seed
 * 3 of one has nothing but its number in common with seed 3 of the other. */
static void samples_bootstrap(const struct two_samples *both,
                              const struct significance_options *options, double *difference)
{
    const int samples = options->samples;
    struct pcg64 random = pcg64_seed(options->seed);
    double *score = heap_alloc(sizeof *score * (size_t)both->runs.runs * (size_t)samples);
    resample_bootstrap(&both->runs, &random, samples, score);
    for (int i = 0; i < samples; i++) {
        const double *score_b = score + (size_t)both->ours * (size_t)samples;
        const double mean = seeds_mean(score + i, samples, both->a, &random);
        difference[i] = difference_of(seeds_mean(score_b + i, samples, both->b, &random), mean);
    }
    resample_sort(difference, samples);
    free(score);
}

/* Two-sided p of randomization (Noreen 1989; Riezler and Maxwell 2005). Were both systems
 * the same, the sides of an item could be exchanged: |d| is one of as many equally likely ones as
 * there are trials, itself among them. An item's runs change sides together, since they are
 * observations of one item. */
static double randomization_p(const struct two_samples *both,
                              const struct significance_options *options, double difference)
{
    const int trials = options->trials;
    double *swapped = heap_alloc(sizeof *swapped * (size_t)trials);
    struct pcg64 random = pcg64_seed(options->seed);
    resample_swap(&both->runs, &random, trials, swapped);
    for (int i = 0; i < trials; i++) swapped[i] = fabs(swapped[i]);
    const double p =
        resample_p(swapped, trials, fabs(difference) - rounding(both->mean_a, both->mean_b));
    free(swapped);
    return p;
}

double significance_resample(const struct statistic *statistic, struct strata strata,
                             const struct significance_options *options,
                             const struct significance_system *a,
                             const struct significance_system *b, double *difference)
{
    const struct two_samples both = samples_open(statistic, strata, a, b);
    samples_bootstrap(&both, options, difference);
    free(both.item);
    return difference_of(both.mean_b, both.mean_a);
}

double significance_least(int items, int samples)
{
    const double least = ldexp(1, -items);
    return least * samples > 1 ? least : 0;
}

/* The bootstrap's differences lie around d, not around 0. Koehn reads p off them as they are: the
 * share on the wrong side of 0. Centered moves |d| by its mean first, to where it would lie without
 * a difference (Riezler and Maxwell 2005). */
struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b)
{
    const int samples = options->samples;
    const struct two_samples both = samples_open(statistic, strata, a, b);
    struct significance result = {.a = both.mean_a,
                                  .b = both.mean_b,
                                  .difference = difference_of(both.mean_b, both.mean_a),
                                  .swapped = (double)NAN};
    double *difference = heap_alloc(sizeof *difference * (size_t)samples);
    samples_bootstrap(&both, options, difference);
    resample_judge(difference, samples, result.difference, &result.koehn, &result.centered);
    const double least = significance_least(strata_items(strata), samples);
    result.koehn = fmax(result.koehn, least);
    result.centered = fmax(result.centered, least);
    result.detectable = detectable_deviations * student_deviation(difference, samples);
    resample_middle(difference, samples, &result.low, &result.high);
    free(difference);
    if (both.ours == both.theirs && options->trials > 0)
        result.swapped = randomization_p(&both, options, result.difference);
    if (result.difference == 0) result.koehn = result.centered = result.swapped = 1;
    free(both.item);
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

/* Holm 1979: of m ascending p the i-th is multiplied by m - i + 1, for the hypotheses still open;
 * the maximum over those before it keeps the order. */
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
