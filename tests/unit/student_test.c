/* Compares Student's t with results of mpmath (30 digits), and Welch's test with values by hand.
 * Also tests McNemar's exact p by hand, and its counts of right and wrong items. */
#include "tests/support/test.h"

#include "results/stats/student.h"
#include "core/base/mean.h"
#include "results/stats/mcnemar.h"
#include "results/stats/significance.h"
#include "tests/support/compared_items.h"

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

/* Returns P(error <= limit) if `a` has two degrees of freedom. X is then 2 log(1 / u), with u
 * uniform in (0, 1). By the midpoint rule over u. */
static double share_of_two(double limit, double variance, struct student_part b)
{
    enum { STEPS = 200000 };
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double all = b.variance - variance / log((i + 0.5) / STEPS), ratio = all / b.variance;
        sum += student_share(limit / sqrt(all), b.freedom * ratio * ratio) / STEPS;
    }
    return sum;
}

TEST(sums_of_errors)
{
    /* Computed by adaptive quadrature, in another program. */
    static const struct {
        double limit, share;
        struct student_part a, b;
    } cases[] = {
        {-2, 0.1303626717514, {0.5, 1}, {0.7, 500}},
        {-3, 0.0564066088075, {0.2, 1}, {1, 30}},
        {-1.5, 0.1425013506144, {1, 2}, {0.1, 9}},
        {-5, 0.0003092709292, {0.3, 4.5}, {0.6, 1000}},
        {-2.2, 0.0117830254780, {0.4, 26}, {0.5, 400}},
        {-0.3, 0.0429436247243, {0.01, 300}, {0.02, 60}},
        {-40, 0.0079560899170, {1, 1}, {1e-6, 1e9}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct student_part a = cases[i].a, b = cases[i].b;
        assert_float_equal(fiducial_share(cases[i].limit, a, b), cases[i].share, 1e-9);
        assert_float_equal(fiducial_share(-cases[i].limit, a, b), 1 - cases[i].share, 1e-9);
        assert_float_equal(fiducial_quantile(cases[i].share, a, b), cases[i].limit,
                           -1e-5 * cases[i].limit);
    }
    assert_float_equal(
        fiducial_share(-1.5, (struct student_part){1, 2}, (struct student_part){2, 7}),
        share_of_two(-1.5, 1, (struct student_part){2, 7}), 1e-6);
    /* Without one of the errors, it is Student's t. */
    expect_near(fiducial_share(-3, (struct student_part){4, 3}, (struct student_part){0, 0}),
                student_share(-1.5, 3));
    expect_near(fiducial_share(-3, (struct student_part){0, 0}, (struct student_part){4, 3}),
                student_share(-1.5, 3));
}

TEST(mean_and_deviation)
{
    static const double value[] = {2, 4, 4, 4, 5, 5, 7, 9};
    expect_near(mean_of(value, 8), 5);
    expect_near(mean_deviation(value, 8), sqrt(32. / 7));
    expect_near(mean_deviation(value, 2), sqrt(2));
    assert_true(mean_deviation(value, 1) == 0);
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
    return compared_items(&statistic_mean, (struct strata){strata, strata == 1 ? one : two},
                          &options, &(struct compared_system){.seeds = 1, .item = &item[0]},
                          &(struct compared_system){.seeds = 1, .item = &item[1]});
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
