/* Number formats for tables and lists. The program stays in the locale "C". */
#pragma once

#include "core/base/arena.h"

const char *number_fixed(struct arena *arena, double value, int decimals);  /* 36.12 */
const char *number_signed(struct arena *arena, double value, int decimals); /* +0.46, -0.31, 0.00 */
const char *number_count(struct arena *arena, double value);                /* 3,681,280 */
const char *number_scaled(struct arena *arena, double value); /* 3 significant digits: 524, 32.8K,
                                                                 6.29M */
const char *number_short(struct arena *arena, double value);  /* 5 significant digits: 0.0314,
                                                                 3.2e-09 */
/* Returns the number of decimals of a mean and its deviation, as in 25.50 ± 0.77. The deviation has
 * two significant digits, but fewer if the mean would have more than five. Returns -1 if both must
 * be printed by number_short. */
int number_mean_decimals(double mean, double deviation);
const char *number_seconds(struct arena *arena, double value); /* 45.2 s, 17 min 05 s, 3 h 20 min */
const char *number_bytes(struct arena *arena, double bytes);   /* 12 MB, 3.4 GB; at least 1 MB if
                                                                  bytes > 0 */
const char *number_age(struct arena *arena, double seconds);   /* 8 s, 12 min, 3 h, 5 d */
