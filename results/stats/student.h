/* Computes Student's t and its degrees of freedom for differences whose variance is a sum of
 * estimated parts. Also computes the required distributions. */
#pragma once

/* Returns I_x(a, b), the regularized incomplete beta function, for x in [0, 1] and positive a, b.
 * The relative error is about 1e-13. */
double beta_incomplete(double a, double b, double x);

/* student_share: returns P(T <= t) of Student's distribution with `freedom` degrees of freedom, a
 * real number above 0. student_quantile: returns the t for which this probability is `share`.
 * `share` is above 0 and below 1. */
double student_share(double t, double freedom);
double student_quantile(double share, double freedom);

/* Returns P(F > ratio) of Fisher's distribution: the ratio of two estimated variances, with f1
 * degrees of freedom in the numerator and f2 in the denominator. */
double fisher_above(double ratio, double f1, double f2);

/* Returns the upper confidence limit, at level 0.85, of a variance that is estimated as 1 with
 * `freedom` degrees of freedom. */
double variance_limit(double freedom);

/* A part of the variance of a difference, and its degrees of freedom. For the mean of n >= 2
 * values, the variance is s^2 / n, with n - 1 degrees of freedom. */
struct student_part {
    double variance, freedom;
};

/* The difference, its standard error, and its degrees of freedom (Satterthwaite 1946):
 *     error^2 = sum v_k      freedom = (sum v_k)^2 / sum (v_k^2 / f_k)
 * The parts k are independent. If all variances are 0, the error is 0 and freedom is undefined. */
struct student_difference {
    double difference, error, freedom;
};
struct student_difference student_sum(double difference, const struct student_part *part,
                                      int parts);
