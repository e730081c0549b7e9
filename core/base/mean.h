/* Mean and standard deviation of a sample. */
#pragma once

double mean_of(const double *value, int count);
/* sqrt(sum (x - mean)^2 / (n - 1)); 0 for one value. */
double mean_deviation(const double *value, int count);
