#include "results/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/resample.h"
#include "results/number.h"

/* The normal quantiles of 0.95 and 0.8 together: what a difference must measure, in standard
 * deviations, for a one-sided test at .05 to find it in 4 of 5 cases. */
static const double detectable_deviations = 1.6448536 + 0.8416212;

/* A seed, or what is left of it for the resampling: its sets side by side. */
struct run {
    const struct bleu_stats *const *stats; /* [sets][sentences] */
    struct bleu_stats sum;                 /* of all sets */
    double score;                          /* mean of the sets */
};

static int sets_of(const struct significance_system *system)
{
    return system->sets ? system->sets : 1;
}

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    return memcmp(&x->sum, &y->sum, sizeof x->sum);
}

/* The sets of a system's seeds, seeds ordered by score: the order in which they are given must not
 * matter to a resampling that draws them by number. Returns their mean. */
static double sort_seeds(const struct significance_system *system, const struct bleu_options *bleu,
                         int sentences, const struct bleu_stats **stats)
{
    const int sets = sets_of(system);
    struct run *run = heap_alloc(sizeof *run * (size_t)system->seeds);
    for (int i = 0; i < system->seeds; i++) {
        run[i] = (struct run){.stats = system->stats + (size_t)i * (size_t)sets};
        for (int k = 0; k < sets; k++) {
            struct bleu_stats sum = {0};
            for (int s = 0; s < sentences; s++) bleu_stats_add(&sum, &run[i].stats[k][s]);
            bleu_stats_add(&run[i].sum, &sum);
            run[i].score += bleu_score(&sum, bleu).score / sets;
        }
    }
    qsort(run, (size_t)system->seeds, sizeof *run, compare_runs);
    double mean = 0;
    for (int i = 0; i < system->seeds; i++) {
        mean += run[i].score / system->seeds;
        for (int k = 0; k < sets; k++) *stats++ = run[i].stats[k];
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

struct significance significance_compare(const struct bleu_options *bleu,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, int sentences)
{
    CHECK(a->seeds > 0 && b->seeds > 0 && sentences > 0, "nothing to compare");
    const int ours = a->seeds * sets_of(a), theirs = b->seeds * sets_of(b);
    const int samples = options->samples, trials = options->trials;
    const struct bleu_stats **stats = heap_alloc(sizeof *stats * (size_t)(ours + theirs));
    struct significance result = {.swapped = (double)NAN};
    result.a = sort_seeds(a, bleu, sentences, stats);
    result.b = sort_seeds(b, bleu, sentences, stats + ours);
    result.difference = result.b - result.a;

    const struct resample_runs runs = {ours + theirs, sentences, stats, bleu};
    struct pcg64 random = pcg64_seed(options->seed);
    double *score = heap_alloc(sizeof *score * (size_t)runs.runs * (size_t)samples);
    double *difference = heap_alloc(sizeof *difference * (size_t)samples);
    resample_bootstrap(&runs, &random, samples, score);
    for (int i = 0; i < samples; i++) {
        const double *score_a = score + i, *score_b = score_a + (size_t)ours * (size_t)samples;
        const double mean = seeds_mean(score_a, samples, a, &random);
        difference[i] = seeds_mean(score_b, samples, b, &random) - mean;
    }
    resample_judge(difference, samples, result.difference, &result.koehn, &result.centered);
    result.detectable = detectable_deviations * number_deviation(difference, samples);
    resample_sort(difference, samples);
    resample_middle(difference, samples, &result.low, &result.high);

    if (ours == theirs && trials > 0) {
        double *swapped = heap_alloc(sizeof *swapped * (size_t)trials);
        random = pcg64_seed(options->seed);
        resample_swap(&runs, &random, trials, swapped);
        for (int i = 0; i < trials; i++) swapped[i] = fabs(swapped[i]);
        result.swapped = resample_p(swapped, trials, fabs(result.difference));
        free(swapped);
    }
    if (result.difference == 0) result.koehn = result.centered = result.swapped = 1;
    free(difference);
    free(score);
    free(stats);
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
