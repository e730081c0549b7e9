/* A statistic of resampled sets, from the items of each run: never is a text scored again.
 *
 * Both draw exactly as sacreBLEU does from the same generator, and of BLEU both count like it: its
 * bootstrap has precisions in single precision (NumPy sums float32), its randomization in
 * double. */
#pragma once

#include "core/base/pcg64.h"
#include "core/decode/statistic.h"

/* The systems or seeds that are resampled together: the same items for all of them. */
struct resample_runs {
    const struct statistic *statistic;
    struct strata strata; /* of the items of each run */
    int runs;
    const void *const *item; /* [runs] arrays of the statistic's items */
};

/* Bootstrap: `samples` sets drawn with replacement, of each stratum as many items as it has.
 * score: [runs][samples] */
void resample_bootstrap(const struct resample_runs *runs, struct pcg64 *random, int samples,
                        double *score);

/* Approximate randomization: in each trial every item changes sides with probability 1/2, with all
 * runs of its side at once. `runs` holds the runs of side a, then as many of side b.
 * difference: [trials] mean of side b less that of side a */
void resample_swap(const struct resample_runs *runs, struct pcg64 *random, int trials,
                   double *difference);

/* Where the middle 95% of sorted [count] begin and end. */
void resample_middle(const double *sorted, int count, double *low, double *high);
void resample_sort(double *value, int count);
/* p of a paired bootstrap, of the differences of the samples against the real one. koehn: the share
 * in which the better system is not better (Koehn 2004); centered: sacreBLEU's and Moses' */
void resample_judge(const double *difference, int count, double real, double *koehn,
                    double *centered);
/* sacreBLEU's p: how often a resampled statistic exceeds the real one, (# + 1) / (count + 1). */
double resample_p(const double *statistic, int count, double real);
