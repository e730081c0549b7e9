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
    int samples;                    /* number of resamples of the bootstrap */
    int trials;                     /* number of trials of the randomization */
    uint32_t seed;                  /* seed of the random numbers; usually 12345 */
    bool paired;                    /* true: seed s is the same training in both systems */
    int owns;                       /* rows of a contrast (difference.h) */
    const struct pooled_row *own;   /* [owns] */
    int others;                     /* number of rows of the family without the two systems
                                       (difference.h) */
    const struct pooled_row *other; /* [others] */
};
/* Defaults of tables and claims. */
#define SIGNIFICANCE_SAMPLES "10000"
extern const struct significance_options significance_usual;

struct significance_system {
    int seeds;
    int sets; /* number of sets of items per seed (mean_of_best); 0 means 1. The value of a seed is
                 the mean over its sets */
    const void *const *item; /* [seeds * sets] arrays of items, the sets of a seed adjacent;
                                NULL: no items */
    const double *sample;    /* [samples] resamples, which are means over all sets of all seeds
                                (significance_draw); NULL: drawn from the items */
    const double *value;     /* [seeds] values; NULL: computed from the items */
};

struct significance {
    double a, b;       /* means of the statistic over the seeds */
    double difference; /* b - a */
    bool decides;      /* true: p is known, because both systems have two seeds or more. Without
                          items, p also requires a variance above 0 */
    double low, high;  /* 95% confidence interval of d: by Student's t if p is known, else from the
                          resamples */
    double koehn, centered, swapped, mcnemar, p; /* see above */
    double detectable; /* smallest difference that p detects at level 0.05 with power 0.8; with one
                          seed, that koehn detects */
    struct difference_known known; /* more about b - a (difference.h) */
};

/* Compares b with a. The items of both systems have the type that the statistic requires, and the
 * same strata. Without a statistic, the systems have only values, and all p from items are NaN. The
 * arrays of `known` are in the arena. */
struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, struct arena *arena);

/* Draws the resamples of several sets of items (runs): score [runs][samples]. The draw depends only
 * on the strata and the options, so runs that are drawn separately can be compared. */
void significance_draw(const struct statistic *statistic, struct strata strata,
                       const struct significance_options *options, const void *const *item,
                       int runs, double *score);

/* Holm's correction (1979): adjusts p [count] of one family. `adjusted` [count] may be p itself.
 * NaN is skipped. */
void significance_holm(const double *p, int count, double *adjusted);
