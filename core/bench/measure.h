/* Clocks, medians and memory bandwidth. */
#pragma once

#include "core/base/base.h"

enum { MEASURE_ROUNDS = 99 }; /* upper bound of the rounds of a measurement */

/* Returns seconds: clock_seconds or measure_cpu_seconds. */
typedef double measure_clock(void);

/* Returns the CPU time of all threads of this process. Use it for ratios of single-threaded work on
 * a machine with other load. */
double measure_cpu_seconds(void);
/* Returns the median of 1 to MEASURE_ROUNDS values. */
double measure_median(const double *value, int count);
/* Returns the bytes read and written per second when all threads copy memory beyond the caches;
 * best of five. */
double measure_copy_rate(measure_clock *clock);
