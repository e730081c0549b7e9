/* Spearman's rank correlation: Pearson's correlation of the ranks. Equal values all have the mean
 * of their ranks. */
#pragma once

/* Returns the correlation of x[count] and y[count], from -1 to 1. NaN if count < 3 or if all x or
 * all y are equal. */
double rank_correlation(const double *x, const double *y, int count);
