/* The expected best of k trials of a search (Dodge et al. 2019), from the values of n trials. It is
 * the mean of the best over all subsets of k trials: the unbiased estimator of Tang et al. 2020.
 *
 *     sum_i C(i - 1, k - 1) / C(n, k) v_i      v_1 is the worst value, v_n the best
 *
 * A NaN is a trial that diverged, which is worse than all others. The result is NaN if some subset
 * has only such trials. */
#pragma once

#include <stdbool.h>

/* Returns the expected best of k of value[count]. less: lower is better. NaN unless k is from 1 to
 * `count`. */
double best_of(const double *value, int count, int k, bool less);

/* Returns half of the width of its 95% interval. This is the standard error by the jackknife, times
 * a quantile of Student's t. Its degrees of freedom are 1.7 n / k - 1, at most n - 1.
 * docs/metrics.md has the simulated coverage, for k up to n / 3. */
double best_of_reach(const double *value, int count, int k, bool less);
