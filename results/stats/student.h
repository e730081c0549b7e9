/* Distributions of errors whose variances are estimates: Student's, Fisher's, and the fiducial
 * distribution of a sum. */
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

/* An estimated variance of an error, and its degrees of freedom. For the mean of n >= 2 values, the
 * variance is s^2 / n, with n - 1 degrees of freedom. */
struct student_part {
    double variance, freedom;
};

/* The distribution of an error that is the sum of two independent errors with estimated variances:
 *     error = t sqrt(E e / X + V)
 * X has the chi-squared distribution with e degrees of freedom. Given X, t has Student's
 * distribution with f (1 + E e / (X V))^2 degrees of freedom (Satterthwaite 1946). E and e are
 * those of `a`, V and f are those of `b`. With an infinite f, this is Fisher's fiducial
 * distribution (Behrens 1929, Fisher 1935). With f = 30 or 9, the share can differ from Fisher's by
 * 0.001 or 0.002. If one variance is 0, it is Student's. One variance must be above 0.
 *
 * fiducial_share: returns P(error <= limit). The integral over X has an absolute error below 1e-9.
 * fiducial_quantile: returns the limit for which this probability is `share`. `share` is above 0
 * and below 1. */
double fiducial_share(double limit, struct student_part a, struct student_part b);
double fiducial_quantile(double share, struct student_part a, struct student_part b);
