#include "results/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/resample.h"
#include "results/number.h"

/* The normal quantiles of 0.95 and 0.8 together: what a difference must measure, in standard
 * deviations, for a one-sided test at .05 to find it in 4 of 5 cases. */
static const double detectable_deviations = 1.6448536 + 0.8416212;

struct run {
    const struct bleu_stats *stats;
    struct bleu_stats sum;
    double score;
};

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    return memcmp(&x->sum, &y->sum, sizeof x->sum);
}

/* The runs of a system by score: the order in which seeds are given must not matter to a resampling
 * that draws them by number. Returns their mean. */
static double sort_runs(const struct significance_system *system, const struct bleu_options *bleu,
                        int sentences, struct run *run)
{
    double mean = 0;
    for (int i = 0; i < system->seeds; i++) {
        run[i] = (struct run){.stats = system->stats[i]};
        for (int s = 0; s < sentences; s++) bleu_stats_add(&run[i].sum, &run[i].stats[s]);
        run[i].score = bleu_score(&run[i].sum, bleu).score;
    }
    qsort(run, (size_t)system->seeds, sizeof *run, compare_runs);
    for (int i = 0; i < system->seeds; i++) mean += run[i].score / system->seeds;
    return mean;
}

/* The mean of one resample over the seeds, resampled themselves: n - 1 of n, because n of n would
 * have too small a variance, by (n - 1) / n (Rao and Wu 1988); with two or three seeds that is most
 * of it. */
static double seeds_mean(const double *score, int samples, int seeds, struct pcg64 *random)
{
    if (seeds == 1) return *score;
    double sum = 0;
    for (int i = 0; i + 1 < seeds; i++)
        sum += score[(size_t)pcg64_below(random, (uint32_t)seeds) * (size_t)samples];
    return sum / (seeds - 1);
}

static void judge_bootstrap(struct significance *result, double *difference, int samples)
{
    int not_better = 0;
    double *size = heap_alloc(sizeof *size * (size_t)samples);
    for (int i = 0; i < samples; i++) {
        not_better += result->difference > 0 ? difference[i] <= 0 : difference[i] >= 0;
        size[i] = fabs(difference[i]);
    }
    const double mean = number_mean(size, samples);
    for (int i = 0; i < samples; i++) size[i] -= mean;
    result->koehn = (double)not_better / samples;
    result->centered = resample_p(size, samples, fabs(result->difference));
    free(size);
    result->detectable = detectable_deviations * number_deviation(difference, samples);
    resample_sort(difference, samples);
    resample_middle(difference, samples, &result->low, &result->high);
}

struct significance significance_compare(const struct bleu_options *bleu,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, int sentences)
{
    CHECK(a->seeds > 0 && b->seeds > 0 && sentences > 0, "nothing to compare");
    const int seeds = a->seeds + b->seeds, samples = options->samples, trials = options->trials;
    struct significance result = {.swapped = (double)NAN};
    struct run *run = heap_alloc(sizeof *run * (size_t)seeds);
    result.a = sort_runs(a, bleu, sentences, run);
    result.b = sort_runs(b, bleu, sentences, run + a->seeds);
    result.difference = result.b - result.a;

    const struct bleu_stats **stats = heap_alloc(sizeof *stats * (size_t)seeds);
    for (int i = 0; i < seeds; i++) stats[i] = run[i].stats;
    const struct resample_runs runs = {seeds, sentences, stats, bleu};
    struct pcg64 random = pcg64_seed(options->seed);
    double *score = heap_alloc(sizeof *score * (size_t)seeds * (size_t)samples);
    double *difference = heap_alloc(sizeof *difference * (size_t)samples);
    resample_bootstrap(&runs, &random, samples, score);
    for (int i = 0; i < samples; i++) {
        const double ours = seeds_mean(score + i, samples, a->seeds, &random);
        const double *theirs = score + (size_t)a->seeds * (size_t)samples + i;
        difference[i] = seeds_mean(theirs, samples, b->seeds, &random) - ours;
    }
    judge_bootstrap(&result, difference, samples);

    if (a->seeds == b->seeds && trials > 0) {
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
    free(run);
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
