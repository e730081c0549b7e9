/* Do two quantities go together? Spearman's rank correlation: Pearson's of the ranks, equal values
 * having the mean of their ranks. */
#pragma once

/* From -1 to 1, of x[count] and y[count]. NaN: of fewer than three, or where all x or all y are
 * equal. */
double rank_correlation(const double *x, const double *y, int count);
