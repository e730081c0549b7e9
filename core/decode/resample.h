/* Statistics of resampled sets, from the items of each run. No text is scored again.
 *
 * The draws are equal to those of sacreBLEU with the same generator. BLEU is also computed as in
 * sacreBLEU: the bootstrap uses single precision (NumPy sums float32), the randomization double. */
#pragma once

#include "core/base/pcg64.h"
#include "core/decode/statistic.h"

/* Systems or seeds that are resampled together, with the same items drawn for all. */
struct resample_runs {
    const struct statistic *statistic;
    struct strata strata; /* strata of the items of each run */
    int runs;
    const void *const *item; /* [runs] arrays of the statistic's items */
};

/* Bootstrap: `samples` sets drawn with replacement; each stratum keeps its size. score:
 * [runs][samples] */
void resample_bootstrap(const struct resample_runs *runs, struct pcg64 *random, int samples,
                        double *score);

/* Approximate randomization: in each trial every item changes sides with probability 1/2, in all
 * runs of its side together. `runs` has the runs of side a, then the same number of side b.
 * difference [trials]: mean of side b minus mean of side a. */
void resample_swap(const struct resample_runs *runs, struct pcg64 *random, int trials,
                   double *difference);

/* Returns the ends of the middle 95% of sorted [count]. */
void resample_middle(const double *sorted, int count, double *low, double *high);
void resample_sort(double *value, int count);
/* Computes p-values of a paired bootstrap from the differences of the samples and the real
 * difference. koehn: fraction of samples in which the better system is not better (Koehn 2004).
 * centered: p-value of sacreBLEU and Moses. */
void resample_judge(const double *difference, int count, double real, double *koehn,
                    double *centered);
/* Returns sacreBLEU's p-value: (n + 1) / (count + 1), where n resampled statistics exceed the real
 * statistic. */
double resample_p(const double *statistic, int count, double real);
