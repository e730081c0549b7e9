/* Significance tests between two systems, from items (core/decode/statistic.h: sentences, or
 * numbers), never from re-scored text.
 *
 * A system is n trainings (seeds) of one configuration, each with its results on the same items.
 * The tests are of the mean difference of a statistic S (for example BLEU),
 * d = mean_s S(b, s) - mean_s S(a, s). Resampling draws items with replacement, equally for both
 * systems and all seeds. Each stratum keeps its size. Seeds are not drawn: the first four p ignore
 * the randomness of training, so only the last p decides.
 *
 *   koehn      one-sided, Koehn 2004: (k + 1) / (samples + 1). In k resamples the system that is
 *              better on the whole text is not better. Either system may be the better one, so 2
 *              alpha of equal systems are marked, alpha on each side.
 *   centered   the p that sacreBLEU's --paired-bs and Moses print (Riezler and Maxwell 2005):
 *              (#{|d_b| - mean |d| > |d|} + 1) / (samples + 1). It centers |d|
 *              instead of d, and so marks 2 alpha of equal systems, too.
 *   swapped    approximate randomization: each item's results change sides with probability 1/2,
 *              those of all its seeds at once; (#{|d_t| >= |d|} + 1) / (trials + 1).
 *              NaN if the numbers of runs differ, or without trials. sacreBLEU counts |d_t| > |d|,
 *              which is equivalent for BLEU, because differences are rarely equal. Numbers with
 *              few values (right or wrong) have many ties. Without the ties, equal systems would
 *              be marked up to four times too often.
 *   mcnemar    two-sided and exact (mcnemar.h), for one seed each and items that are right or
 *              wrong. The statistic is a mean over one stratum of numbers with two values at most.
 *              Otherwise NaN.
 *   p          two-sided, Student's t over seeds and items (difference.h); NaN with one seed
 *
 * Differences within the rounding error are equal. If d is 0, every p is 1 (sacreBLEU would print
 * its smallest p, because it counts strictly larger differences). The order of seeds affects only
 * the rounding of means.
 *
 * Random numbers are NumPy's: PCG64 of the seed, so that one seed against one seed gives
 * sacreBLEU's digits. */
#pragma once

#include "core/decode/statistic.h"
#include "results/stats/difference.h"

struct significance_options {
    int samples;                    /* of the bootstrap */
    int trials;                     /* of the randomization */
    uint32_t seed;                  /* 12345 */
    bool paired;                    /* seed s of both systems is the same training */
    int others;                     /* rows of the family other than both systems (difference.h) */
    const struct pooled_row *other; /* [others] */
};
/* Defaults of tables and claims. */
#define SIGNIFICANCE_SAMPLES "10000"
extern const struct significance_options significance_usual;

struct significance_system {
    int seeds;
    int sets; /* sets of items per seed; the statistic is their mean (mean_of_best); 0 means 1 */
    const void *const *item; /* [seeds * sets] arrays of items, the sets of a seed adjacent;
                                NULL: no items */
    const double *sample;    /* [samples] means over its runs (significance_draw); NULL: drawn from
                                the items */
    const double *value;     /* [seeds] NULL: the statistic of its items */
};

struct significance {
    double a, b;       /* means of the statistic */
    double difference; /* b - a */
    bool decides;      /* two seeds each, so p is known; without items also requires a variance
                          above 0 */
    double low, high;  /* 95% interval of d: by t if p is known, else over items */
    double koehn, centered, swapped, mcnemar, p; /* see above */
    double detectable; /* smallest difference that p (koehn with one seed) detects at .05 with
                          power 0.8 */
    struct difference_known known; /* of b - a */
};

/* Compares b to a. Items of both systems are those of the statistic, in the same strata. Without a
 * statistic the systems have only values, and the p over items are NaN. The arrays of `known` are
 * in the arena. */
struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, struct arena *arena);

/* Draws the resamples of several runs: score [runs][samples]. The draw depends only on the strata
 * and the options, so runs that are drawn separately can be compared. */
void significance_draw(const struct statistic *statistic, struct strata strata,
                       const struct significance_options *options, const void *const *item,
                       int runs, double *score);

/* Holm's correction (1979): adjusts p [count] of one family. `adjusted` [count] may be p itself.
 * NaN is skipped. */
void significance_holm(const double *p, int count, double *adjusted);
