/* Computes Student's and Fisher's distributions by the incomplete beta function, the fiducial
 * distribution by numerical integration, and quantiles by bisection. */
#include "results/stats/student.h"

#include <float.h>
#include <math.h>

#include "core/base/base.h"

/* Returns the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by
 * Lentz's method (1976). Converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { TERMS = 100000 };
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double factor = 1;
        for (int half = 0; half < 2; half++) {
            const double term = half ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            if (fabs(c) < tiny) c = tiny;
            factor = c * d;
            value *= factor;
        }
        if (fabs(factor - 1) < DBL_EPSILON) break;
    }
    return value;
}

double beta_incomplete(double a, double b, double x)
{
    CHECK(a > 0 && b > 0 && x >= 0 && x <= 1, "I_%g(%g, %g)", x, a, b);
    if (x == 0 || x == 1) return x;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_share(double t, double freedom)
{
    CHECK(freedom > 0, "%g degrees of freedom", freedom);
    const double tail = beta_incomplete(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
    return t < 0 ? tail : 1 - tail;
}

double student_quantile(double share, double freedom)
{
    CHECK(share > 0 && share < 1, "the quantile of %g", share);
    return fiducial_quantile(share, (struct student_part){1, freedom}, (struct student_part){0});
}

double fisher_above(double ratio, double f1, double f2)
{
    CHECK(ratio >= 0 && f1 > 0 && f2 > 0, "F = %g with %g and %g degrees", ratio, f1, f2);
    return beta_incomplete(f2 / 2, f1 / 2, f2 / (f2 + f1 * ratio));
}

/* Returns P(error <= limit) for a given X, with `variance` = E e / X. */
static double share_given(double limit, double variance, struct student_part b)
{
    enum { NORMAL = 1000000 };
    const double sum = variance + b.variance, ratio = sum / b.variance,
                 freedom = b.freedom * ratio * ratio, t = limit / sqrt(sum);
    return freedom < NORMAL ? student_share(t, freedom) : erfc(-t / sqrt(2)) / 2;
}

/* The integral over X, with X = e exp(u). The density of u is proportional to exp(e/2 (u + 1 -
 * exp(u))) and is 1 at u = 0. For such functions, the trapezoidal rule is exact to 1e-10 with this
 * step. Both sums end where the density is below 1e-12. */
double fiducial_share(double limit, struct student_part a, struct student_part b)
{
    if (!(b.variance > 0)) return student_share(limit / sqrt(a.variance), a.freedom);
    if (!(a.variance > 0)) return student_share(limit / sqrt(b.variance), b.freedom);
    const double step = fmin(0.4, 1.25 / sqrt(a.freedom)), least = 1e-12;
    double sum = 0, all = 0;
    for (int sign = -1; sign < 2; sign += 2) {
        double density = 1;
        for (int k = sign > 0; density > least; k++) {
            const double u = sign * k * step;
            density = exp(a.freedom / 2 * (u + 1 - exp(u)));
            sum += density * share_given(limit, a.variance * exp(-u), b);
            all += density;
        }
    }
    return sum / all;
}

double fiducial_quantile(double share, struct student_part a, struct student_part b)
{
    const double precision = 1e-12;
    if (share < 0.5) return -fiducial_quantile(1 - share, a, b);
    double low = 0, high = sqrt(a.variance + b.variance);
    while (fiducial_share(high, a, b) < share && high < 1e300) high *= 2;
    while (high - low > precision * high) {
        const double middle = low + (high - low) / 2;
        if (fiducial_share(middle, a, b) < share)
            low = middle;
        else
            high = middle;
    }
    return high;
}
