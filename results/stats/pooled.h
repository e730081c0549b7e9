/* The variance between trainings of one configuration. The variances of two rows are pooled with
 * those of the other rows of their family, as in a one-way layout.
 *
 * A family is the set of rows that are compared under one metric. Row i has n_i trainings, the
 * variance s_i^2 between their values, and f_i = n_i - 1 degrees of freedom. The compared pair
 * consists of rows a and b.
 *
 *     pooled:  E = s^2 (1 / n_a + 1 / n_b)      s^2 = sum f_i s_i^2 / sum f_i
 *     own:     E = s_a^2 / n_a + s_b^2 / n_b    (Welch 1947)
 *
 * The degrees of freedom of the pooled E follow from the spread of the s_i^2, from 1 to sum f_i:
 *
 *     2 s^4 / v      v = K / (K - 1) sum (f_i / sum f)^2 (s_i^2 - s^2)^2, K rows
 *
 * Rows of equal variance have sum f_i degrees. A family in which one training has failed has about
 * 2, because one row dominates s^2.
 *
 * Pooling assumes equal variances. So the pair's own E is used if it is significantly larger than
 * that of the other rows (one-sided F test, p < 0.25). Then E is the larger of the two, with the
 * smaller degrees of freedom. The own degrees of freedom are Satterthwaite's if n_a = n_b, else the
 * smaller n less 1. A pair without other rows has its own E.
 *
 * A pair with the same trainings is one row of differences by seed.
 *
 * `make test-level` simulates the rule; docs/metrics.md has the levels. */
#pragma once

#include "results/stats/student.h"

/* The variance between the values of a row's seeds. Requires two seeds or more. */
struct pooled_row {
    double variance;
    int seeds;
};
struct pooled_row pooled_row(const double *value, int seeds);

/* Returns E of a pair and its degrees of freedom. own: the rows a and b, or one row of
 * differences. */
struct student_part pooled_error(const struct pooled_row *own, int owns,
                                 const struct pooled_row *other, int others);
