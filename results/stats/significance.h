/* Is one system better than another? From items (core/decode/statistic.h: sentences, or numbers),
 * never from re-scored text.
 *
 * A system is n trainings (seeds) of one configuration, each with its results on the same items.
 * What is tested is the difference of a statistic S (BLEU, say) in the mean,
 * d = mean_s S(b, s) - mean_s S(a, s). Resampling draws items with replacement, the same for both
 * systems and all seeds, from each stratum as many as it has, and, where a system has n > 1 seeds,
 * n - 1 of its seeds with replacement, too: n of n would have too small a variance, by (n - 1) / n
 * (Rao and Wu 1988). With one seed the training's own randomness is not covered; whoever prints a
 * mark says so.
 *
 *   koehn      one-sided, Koehn 2004: the share of resamples in which the one that is better on the
 *              whole text is not better. Sets the marks of tables. Either system
 *              may turn out the better one: of two equal ones 2 alpha are marked, alpha each way.
 *   centered   what sacreBLEU's --paired-bs and Moses print (Riezler and Maxwell 2005):
 *              (#{|d_b| - mean |d| > |d|} + 1) / (samples + 1). It centers |d|
 *              instead of d, and so marks 2 alpha of equal systems, too.
 *   swapped    approximate randomization: each item's results change sides with probability 1/2,
 *              those of all its seeds at once; (#{|d_t| >= |d|} + 1) / (trials + 1). Looks at items
 *              only. NaN with unequal numbers of runs, or no trials. sacreBLEU counts |d_t| > |d|:
 *              the same of BLEU, where hardly two differences are equal. Where numbers have few
 *              values (right or wrong) many are, and leaving them out would mark equal systems up
 *              to four times as often as it says.
 *
 * Of few items no bootstrap says less than 2^-items, how often all of them are better by chance: a
 * single one is all there is in every resample, and would be certain.
 *
 * Differences that rounding alone tells apart are equal. Where d is 0 every p is 1 (sacreBLEU's
 * would be its smallest, because it counts what is larger). The order of seeds changes nothing.
 *
 * Random numbers are NumPy's: PCG64 of the seed, so that one seed against one seed gives
 * sacreBLEU's digits. */
#ifndef RESULTS_STATS_SIGNIFICANCE_H
#define RESULTS_STATS_SIGNIFICANCE_H

#include "core/decode/statistic.h"

struct significance_options {
    int samples;   /* of the bootstrap, 1000 */
    int trials;    /* of the randomization, 10000 */
    uint32_t seed; /* 12345 */
};

struct significance_system {
    int seeds;
    int sets; /* of items a seed, whose statistic is their mean (mean_of_best); 0 means 1 */
    const void *const *item; /* [seeds * sets] arrays of items, a seed's sets together */
};

struct significance {
    double a, b;                     /* means of the statistic */
    double difference;               /* b - a */
    double low, high;                /* of the difference: the middle 95% of the resamples */
    double koehn, centered, swapped; /* p */
    double detectable; /* smallest difference that this design finds at alpha .05 (one-sided) in 4
                          of 5 cases: 2.486 standard deviations of the resampled differences */
};

/* Items of both systems are those of the statistic, in the same strata. */
struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b);

/* The bootstrap alone: difference [samples] of the resamples, sorted. Returns the real one. */
double significance_resample(const struct statistic *statistic, struct strata strata,
                             const struct significance_options *options,
                             const struct significance_system *a,
                             const struct significance_system *b, double *difference);

/* The least p of so many resampled items, 2^-items; 0 where fewer than 1 of the samples. */
double significance_least(int items, int samples);

/* Holm 1979: p [count] of one family becomes adjusted [count], which may be p itself. */
void significance_holm(const double *p, int count, double *adjusted);

#endif
