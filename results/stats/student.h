/* Differences of means of a few values whose variances are unknown and unequal: Welch's t. */
#ifndef RESULTS_STATS_STUDENT_H
#define RESULTS_STATS_STUDENT_H

/* I_x(a, b), the regularized incomplete beta function, for x in [0, 1] and positive a, b; relative
 * error some 1e-13. */
double beta_incomplete(double a, double b, double x);

/* P(T <= t) of Student's distribution with `freedom` (> 0, need not be whole) degrees, and the t
 * for a probability strictly between 0 and 1. */
double student_share(double t, double freedom);
double student_quantile(double share, double freedom);

double student_mean(const double *value, int count);
double student_deviation(const double *value, int count); /* of a sample (n - 1); 0 when n is 1 */

/* mean a - mean b, its standard error, and the degrees of freedom (Welch 1947, Satterthwaite 1946).
 * At least two values each; without any spread the error is 0 and freedom means nothing. */
struct student_difference {
    double difference, error, freedom;
};
struct student_difference student_welch(const double *a, int count_a, const double *b, int count_b);

#endif
