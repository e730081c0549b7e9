/* Tests if two systems differ significantly. The tests resample items, such as the n-gram counts of
 * a sentence or a number (core/decode/statistic.h). They never score text again.
 *
 * A system is n trainings (seeds) of one configuration, each with its results on the same items.
 * The tests are about d = mean_s S(b, s) - mean_s S(a, s). S is a statistic of items, for example
 * BLEU, and s is a seed. Resampling draws items with replacement, equally for both systems and all
 * seeds. Each stratum keeps its size. Seeds are not drawn. So the first four p ignore the
 * randomness of training, and only the last p decides.
 *
 *   koehn      one-sided, Koehn 2004: (k + 1) / (samples + 1). k is the number of resamples in
 *              which the system that is better on the whole text is not better. Either system can
 *              be the better one. So for equal systems, koehn is below alpha with probability
 *              2 alpha, alpha for each side.
 *   centered   the p that sacreBLEU's --paired-bs and Moses print (Riezler and Maxwell 2005):
 *              (#{|d_b| - mean |d| > |d|} + 1) / (samples + 1). It centers |d| instead of d. So for
 *              equal systems, centered is also below alpha with probability 2 alpha.
 *   swapped    approximate randomization: (#{|d_t| >= |d|} + 1) / (trials + 1). In each trial t,
 *              the results of an item are exchanged between the systems with probability 1/2, for
 *              all seeds together. NaN if the numbers of runs differ, or without trials. sacreBLEU
 *              counts |d_t| > |d|, which is equivalent for BLEU, because differences are rarely
 *              equal. For numbers with few values (right or wrong), many differences are equal. If
 *              they were not counted, equal systems would be marked up to four times too often.
 *   mcnemar    two-sided and exact (mcnemar.h). For systems with one seed whose items are right
 *              or wrong. Then the statistic is a mean over one stratum, and its numbers have at
 *              most two values. Otherwise NaN.
 *   p          two-sided, Student's t over seeds and items (difference.h); NaN with one seed
 *
 * Differences within the rounding error count as equal. If d is 0, every p is 1 (sacreBLEU would
 * print its smallest p, because it counts strictly larger differences). The order of seeds affects
 * only the rounding of means.
 *
 * Random numbers are equal to those of NumPy's PCG64 with the same seed. So for one training
 * against one training, the digits are equal to sacreBLEU's. */
#pragma once

#include "core/decode/statistic.h"
#include "results/stats/difference.h"

struct significance_options {
    int samples;   /* number of resamples of the bootstrap */
    int trials;    /* number of trials of the randomization */
    uint32_t seed; /* seed of the random numbers; usually 12345 */
};
/* Defaults of tables and claims. */
#define SIGNIFICANCE_SAMPLES "10000"
extern const struct significance_options significance_usual;

/* The items of both systems, b first. They have the type that the statistic requires, and the same
 * strata. */
struct significance_items {
    const struct statistic *statistic;
    struct strata strata;
    const void *const *item[2]; /* [runs] arrays of items, the sets of a seed adjacent. NULL: then
                                   mcnemar and swapped are NaN */
    int runs[2];                /* number of seeds, times the sets of a seed (mean_of_best) */
};

struct significance {
    struct difference_known known; /* of b - a: its `a` is the mean of b, its `b` the mean of a */
    double difference;             /* d, as known.value */
    bool decides;     /* true: p is known, because both systems have two seeds or more. Without
                          items, p also requires a variance above 0 */
    double low, high; /* 95% confidence interval of d: by Student's t if p is known, else from the
                          resamples */
    double koehn, centered, swapped, mcnemar, p; /* see above */
    double detectable; /* smallest difference that p detects at level 0.05 with power 0.8; with one
                          seed, that koehn detects */
};

/* No test: all numbers are NaN. */
extern const struct significance significance_none;
/* Tests a difference. `items`: NULL if the systems have only values; all p from items are then
 * NaN. */
struct significance significance_of(const struct difference_known *known,
                                    const struct significance_items *items,
                                    const struct significance_options *options);

/* Draws the resamples of several sets of items (runs): score [runs][samples]. The draw depends only
 * on the strata and the options, so runs that are drawn separately can be compared. */
void significance_draw(const struct statistic *statistic, struct strata strata,
                       const struct significance_options *options, const void *const *item,
                       int runs, double *score);

/* Holm's correction (1979): adjusts p [count] of one family. NaN is skipped. */
void significance_holm(double *p, int count);
