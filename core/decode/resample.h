/* Computes statistics of resampled sets from the items of each run. Texts are not scored again.
 *
 * The draws are equal to those of sacreBLEU with the same generator. BLEU is also computed as in
 * sacreBLEU: the bootstrap uses single precision (NumPy sums float32). Approximate randomization
 * uses double precision. */
#pragma once

#include "core/base/pcg64.h"
#include "core/decode/statistic.h"

/* Runs that are resampled together, for example systems or seeds. Each sample draws the same item
 * indices for all runs. */
struct resample_runs {
    const struct statistic *statistic;
    struct strata strata; /* strata of the items of each run */
    int runs;
    const void *const *item; /* [runs] arrays of the statistic's items */
};

/* Bootstrap: draws `samples` sets of items with replacement. Each stratum keeps its size. Writes
 * the statistic of each run and sample to score [runs][samples]. */
void resample_bootstrap(const struct resample_runs *runs, struct pcg64 *random, int samples,
                        double *score);

/* Approximate randomization: `runs` has the runs of side a, followed by the same number of runs of
 * side b. In each trial, each item index is exchanged between the sides with probability 1/2, in
 * all runs together. Writes the mean of side b minus the mean of side a to difference [trials]. */
void resample_swap(const struct resample_runs *runs, struct pcg64 *random, int trials,
                   double *difference);

/* Writes the limits of the middle 95% of sorted [count], whose values must be ascending. */
void resample_middle(const double *sorted, int count, double *low, double *high);
void resample_sort(double *value, int count);
/* Computes p-values of a paired bootstrap from the differences in the samples and the difference
 * `real` of the original set. koehn: fraction of the samples in which the system that is better on
 * the original set is not better (Koehn 2004). centered: p-value as in sacreBLEU and Moses, after
 * the mean of the absolute differences is subtracted. */
void resample_judge(const double *difference, int count, double real, double *koehn,
                    double *centered);
/* Returns sacreBLEU's p-value: (n + 1) / (count + 1), where n is the number of resampled statistics
 * above `real`, the statistic of the original set. */
double resample_p(const double *statistic, int count, double real);
