/* How much trainings of one configuration vary: the variance between the seeds of two rows, pooled
 * with that of the other rows of their family, as in a one-way layout.
 *
 * A family is the rows that are compared under one metric. Row i has n_i trainings, the variance
 * s_i^2 between their values, and f_i = n_i - 1 degrees of freedom. The pair that is compared has
 * the rows a and b.
 *
 *     pooled:  E = s^2 (1 / n_a + 1 / n_b)      s^2 = sum f_i s_i^2 / sum f_i
 *     own:     E = s_a^2 / n_a + s_b^2 / n_b    (Welch 1947)
 *
 * The pooled E has as many degrees of freedom as the spread of the s_i^2 shows, from 1 to sum f_i:
 *
 *     2 s^4 / v      v = K / (K - 1) sum (f_i / sum f)^2 (s_i^2 - s^2)^2, K rows
 *
 * Rows that vary alike have sum f_i. A family in which one training has failed has about 2: its s^2
 * is that of one row.
 *
 * Equal variances are an assumption. So the pair's own E decides where it is larger than that of
 * the other rows allows: p < 0.25 by F, one-sided. Then E is the larger of the two and the degrees
 * of freedom are the fewer. Own degrees of freedom are Satterthwaite's where n_a = n_b, else the
 * smaller n less 1. A pair without other rows has its own E.
 *
 * A pair of the same trainings has differences by seed: one row, whose variance is that of the
 * differences.
 *
 * `make test-level` simulates the rule; docs/metrics.md has the levels. */
#pragma once

#include "results/stats/student.h"

/* The variance between the values of a row's seeds, of which there are two at least. */
struct pooled_row {
    double variance;
    int seeds;
};
struct pooled_row pooled_row(const double *value, int seeds);

/* E of a pair and its degrees of freedom. own: the rows a and b, or one row of differences. */
struct student_part pooled_error(const struct pooled_row *own, int owns,
                                 const struct pooled_row *other, int others);
