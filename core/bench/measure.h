/* Clocks, medians, and what memory does at most. */
#pragma once

#include "core/base/base.h"

enum { MEASURE_ROUNDS = 99 }; /* of any measurement, at most */

/* In seconds: clock_seconds or measure_cpu_seconds. */
typedef double measure_clock(void);

/* Time on processors that this process has used, all its threads together: for ratios of one
 * thread's work on a machine that others use, too. */
double measure_cpu_seconds(void);
/* Of 1 to MEASURE_ROUNDS values. */
double measure_median(const double *value, int count);
/* Bytes read and written per second when memory beyond the caches is copied by all threads: best of
 * five. */
double measure_copy_rate(measure_clock *clock);
