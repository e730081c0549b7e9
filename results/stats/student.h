/* Student's t of differences whose variance is a sum of estimated parts. */
#pragma once

/* I_x(a, b), the regularized incomplete beta function, for x in [0, 1] and positive a, b; relative
 * error some 1e-13. */
double beta_incomplete(double a, double b, double x);

/* P(T <= t) of Student's distribution with `freedom` (> 0, need not be whole) degrees, and the t
 * for a probability strictly between 0 and 1. */
double student_share(double t, double freedom);
double student_quantile(double share, double freedom);

/* P(F > ratio) of Fisher's distribution of the ratio of two estimated variances, the upper one with
 * f1 and the lower one with f2 degrees of freedom. */
double fisher_above(double ratio, double f1, double f2);

/* The upper limit, of level 0.85, of a variance that is estimated as 1 with so many degrees. */
double variance_limit(double freedom);

/* A part of the variance of a difference, and its degrees of freedom: of the mean of n values, at
 * least two, it is s^2 / n with n - 1. */
struct student_part {
    double variance, freedom;
};

/* A difference, its standard error, and the degrees of freedom (Satterthwaite 1946):
 *     error^2 = sum v_k      freedom = (sum v_k)^2 / sum (v_k^2 / f_k)
 * of independent parts. Without any variance the error is 0 and freedom means nothing. */
struct student_difference {
    double difference, error, freedom;
};
struct student_difference student_sum(double difference, const struct student_part *part,
                                      int parts);
