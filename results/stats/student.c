/* Computes Student's and Fisher's distributions by the incomplete beta function, and quantiles by
 * bisection. */
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
    if (share < 0.5) return -student_quantile(1 - share, freedom);
    double low = 0, high = 1;
    while (student_share(high, freedom) < share && high < 1e300) high *= 2;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return middle;
        if (student_share(middle, freedom) < share)
            low = middle;
        else
            high = middle;
    }
}

double fisher_above(double ratio, double f1, double f2)
{
    CHECK(ratio >= 0 && f1 > 0 && f2 > 0, "F = %g with %g and %g degrees", ratio, f1, f2);
    return beta_incomplete(f2 / 2, f1 / 2, f2 / (f2 + f1 * ratio));
}

/* Returns P(chi-squared <= x) by the series of the incomplete gamma function (Abramowitz and Stegun
 * 6.5.29). Converges fast below the mean. */
static double chi_squared_share(double x, double freedom)
{
    const double a = freedom / 2;
    double term = 1, sum = 1;
    for (int n = 1; term > DBL_EPSILON * sum; n++) sum += term *= x / 2 / (a + n);
    return sum * exp(a * log(x / 2) - x / 2 - lgamma(a + 1));
}

double variance_limit(double freedom)
{
    const double share = 0.15;
    double low = 0, high = freedom; /* `high` is the mean, so P(chi-squared <= high) is above 0.5 */
    for (int i = 0; i < 60; i++) {
        const double middle = low + (high - low) / 2;
        if (chi_squared_share(middle, freedom) < share)
            low = middle;
        else
            high = middle;
    }
    return freedom / high;
}

struct student_difference student_sum(double difference, const struct student_part *part, int parts)
{
    double variance = 0, squares = 0;
    for (int i = 0; i < parts; i++) {
        if (!(part[i].variance > 0)) continue;
        variance += part[i].variance;
        squares += part[i].variance * part[i].variance / part[i].freedom;
    }
    return (struct student_difference){difference, sqrt(variance), variance * variance / squares};
}
