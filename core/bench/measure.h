/* Measures CPU time and memory bandwidth, and computes medians. */
#pragma once

#include "core/base/base.h"

enum { MEASURE_ROUNDS = 99 }; /* maximum number of rounds of a measurement */

/* A clock that returns seconds: clock_seconds or measure_cpu_seconds. */
typedef double measure_clock(void);

/* Returns the CPU time of all threads of this process. Use it to compare two times of
 * single-threaded work while other processes use the machine. */
double measure_cpu_seconds(void);
/* Returns the median of 1 to MEASURE_ROUNDS values. */
double measure_median(const double *value, int count);
/* Returns the bytes read and written per second when all threads copy more memory than the caches
 * can have. This is the median of nine rounds. */
double measure_copy_rate(measure_clock *clock);
