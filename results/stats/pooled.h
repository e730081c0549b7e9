/* Estimates the variance between trainings of one configuration. The variances of two compared rows
 * are pooled with the variances of the other rows of their family, as in a one-way analysis of
 * variance.
 *
 * A family is the set of rows that are compared under one metric. Row i has n_i trainings, the
 * variance s_i^2 between their values, and f_i = n_i - 1 degrees of freedom. The compared pair
 * consists of rows a and b.
 *
 *     pooled:  E = s^2 (1 / n_a + 1 / n_b)      s^2 = sum f_i s_i^2 / sum f_i
 *     own:     E = s_a^2 / n_a + s_b^2 / n_b    (Welch 1947)
 *
 * A contrast is a sum of the means of several rows with weights w_i. A pair has the weights 1 and
 * -1. For a contrast, both formulas have the sum over its rows, with w_i^2 / n_i in place of 1 /
 * n_i.
 *
 * The degrees of freedom of the pooled E depend on how much the s_i^2 of the K rows differ. They
 * are limited to the range from 1 to sum f_i:
 *
 *     2 s^4 / v      v = K / (K - 1) sum (f_i / sum f)^2 (s_i^2 - s^2)^2, K rows
 *
 * If all rows have equal variances, there are sum f_i degrees of freedom. If one training of the
 * family has failed, there are about 2, because the variance of its row dominates s^2.
 *
 * Pooling assumes equal variances. So the own E of the pair is compared with the E that the other
 * rows alone would give (one-sided F test). If p < 0.25, or if no other row varies, E is the larger
 * of the pooled and the own E. It then has the smaller of their degrees of freedom. The degrees of
 * freedom of the own E are Satterthwaite's if n_a = n_b, else min(n_a, n_b) - 1. If the rows of a
 * contrast have unequal n_i, they are the smallest n_i - 1.
 *
 * If both rows have the same trainings, the pair is one row: the differences by seed.
 *
 * `make test-level` measures by simulation how often this test marks equal rows. docs/metrics.md
 * has the results. */
#pragma once

#include "results/stats/student.h"

/* The variance between the values of a row's seeds. Requires two seeds or more. */
struct pooled_row {
    double variance;
    int seeds;
    double weight; /* of the row's mean in a contrast; not used for rows outside of it */
};
/* Computes the variance of a row. The weight is 1. */
struct pooled_row pooled_row(const double *value, int seeds);

/* Returns E of a contrast and its degrees of freedom. `own` has the rows of the contrast, or one
 * row of values of the contrast by seed. */
struct student_part pooled_error(const struct pooled_row *own, int owns,
                                 const struct pooled_row *other, int others);
