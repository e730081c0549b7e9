/* Compares Student's t with results of mpmath (30 digits), and Welch's test with values by hand.
 * Also tests McNemar's exact p by hand, and its counts of right and wrong items. */
#include "tests/support/test.h"

#include "results/stats/student.h"
#include "core/base/mean.h"
#include "results/stats/mcnemar.h"
#include "results/stats/significance.h"

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 2e-13 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

TEST(incomplete_beta)
{
    static const struct {
        double a, b, x, value;
    } cases[] = {
        {2, 3, .4, 0.524800000000000038},
        {.5, .5, .3, 0.369010119565545375},
        {10, .5, .9, 0.151640909634709969},
        {1.47, .5, .2, 0.0428628950509394016},
        {200, 300, .41, 0.677628164772178949},
        {1, 1, 0, 0},
        {3, 2, 1, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect_near(beta_incomplete(cases[i].a, cases[i].b, cases[i].x), cases[i].value);
    assert_float_equal(beta_incomplete(5e4, .5, .99999), 0.317310507857965995, 1e-10);
}

TEST(shares_and_quantiles)
{
    static const struct {
        double t, freedom, share;
    } cases[] = {
        {0, 5, .5},
        {1, 1, .75},
        {2.5, 3.7, 0.964088988544086614},
        {-1.3, 12, 0.109008585541757044},
        {0.2, 1000, 0.579239377838012002},
        {12.7062047361746993, 1, .975},
        {4.30265272974946179, 2, .975},
        {2.13184678632664953, 4, .95},
        {2.04227245630123788, 30, .975},
        {2.37307304813235434, 2.94, .95},
        {6.86882662588127513, 5, .9995},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        expect_near(student_share(cases[i].t, cases[i].freedom), cases[i].share);
        assert_float_equal(student_quantile(cases[i].share, cases[i].freedom), cases[i].t,
                           1e-10 * (1 + fabs(cases[i].t)));
    }
}

/* If the numerator has 2 degrees of freedom, P(F > x) is (1 + 2 x / f2)^(-f2 / 2). If it has 1
 * degree of freedom, F is t^2. */
TEST(ratios_of_variances)
{
    for (int f = 1; f < 40; f += 3) {
        expect_near(fisher_above(1.7, 2, f), pow(1 + 2 * 1.7 / f, -f / 2.));
        expect_near(fisher_above(1.7, 1, f), 2 * student_share(-sqrt(1.7), f));
    }
    assert_float_equal(fisher_above(3.3258345, 5, 10), .05, 1e-8); /* from tables of F */
    assert_float_equal(fisher_above(2.9782370, 10, 10), .05, 1e-8);
    assert_true(fisher_above(0, 3, 4) == 1);
}

/* f / variance_limit(f) is the 15% quantile of chi-squared with f degrees of freedom. The share is
 * computed by erf for 1 degree of freedom, and by Poisson's distribution for even f. */
TEST(limits_of_variances)
{
    assert_float_equal(erf(sqrt(1 / variance_limit(1) / 2)), .15, 1e-12);
    for (int f = 2; f <= 60; f += 2) {
        const double half = f / variance_limit(f) / 2;
        double term = exp(-half), above = 0;
        for (int k = 0; k < f / 2; k++) {
            above += term;
            term *= half / (k + 1);
        }
        assert_float_equal(above, .85, 1e-12);
    }
}

TEST(mean_and_deviation)
{
    static const double value[] = {2, 4, 4, 4, 5, 5, 7, 9};
    expect_near(mean_of(value, 8), 5);
    expect_near(mean_deviation(value, 8), sqrt(32. / 7));
    expect_near(mean_deviation(value, 2), sqrt(2));
    assert_true(mean_deviation(value, 1) == 0);
}

/* The samples have means 3 and 5, variances 1 and 4, and 3 and 5 values. error^2 = 1/3 + 4/5 =
 * 17/15. freedom = (17/15)^2 / ((1/3)^2 / 2 + (4/5)^2 / 4) = 289/225 / (1/18 + 4/25). */
TEST(welch)
{
    const double a[] = {2, 3, 4}, b[] = {5 - sqrt(8), 5, 5, 5, 5 + sqrt(8)};
    const struct student_part part[] = {{1 / 3., 2}, {4 / 5., 4}};
    const struct student_difference d = student_sum(mean_of(a, 3) - mean_of(b, 5), part, 2);
    expect_near(d.difference, -2);
    expect_near(d.error, sqrt(17 / 15.));
    expect_near(d.freedom, 289 / 225. / (1 / 18. + 4 / 25.));
}

/* Expected values are from exact integer arithmetic: 2 sum_{i <= min} C(n, i) / 2^n. */
TEST(p_is_exact)
{
    static const struct {
        int a, b;
        double p;
    } known[] = {
        {0, 0, 1},
        {3, 3, 1},
        {2, 3, 1},
        {0, 5, 2. / 32},
        {5, 0, 2. / 32},
        {1, 5, 14. / 64},
        {3000, 0, 0},
        {1, 0, 1},
        {150, 86, 3.715936139571442e-05},
        {900, 1100, 8.457089535503927e-06},
        {1100, 900, 8.457089535503927e-06},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        const double p = mcnemar_p(known[i].a, known[i].b);
        assert_true(fabs(p - known[i].p) <= 1e-11 * known[i].p);
    }
}

enum { ITEMS = 40 };

static struct significance compare(const double *a, const double *b, int strata, int trials)
{
    const int one[] = {ITEMS}, two[] = {ITEMS / 2, ITEMS};
    struct significance_options options = significance_usual;
    const void *item[] = {a, b};
    options.trials = trials;
    options.samples = 100;
    return significance_compare(
        &statistic_mean, (struct strata){strata, strata == 1 ? one : two}, &options,
        &(struct significance_system){.seeds = 1, .item = &item[0]},
        &(struct significance_system){.seeds = 1, .item = &item[1]}, &arena);
}

/* 3 items are right only in a, and 9 only in b. So p = 2 (1 + 12 + 66 + 220) / 2^12. */
TEST(items_are_right_or_wrong)
{
    double a[ITEMS] = {0}, b[ITEMS] = {0};
    for (int i = 0; i < ITEMS; i++) {
        a[i] = i < 3 || i > 20 ? 100 : 0;
        b[i] = (i >= 3 && i < 12) || i > 20 ? 100 : 0;
    }
    const struct significance known = compare(a, b, 1, 40000);
    assert_true(fabs(known.mcnemar - 598. / 4096) < 1e-12);
    assert_true(fabs(known.swapped - known.mcnemar) < 0.01); /* the same test with random swaps */
    assert_true(isnan(compare(a, b, 2, 0).mcnemar));
    b[30] = 50; /* a mean over classifiers */
    assert_true(isnan(compare(a, b, 1, 0).mcnemar));
}
