/* results/stats/difference.h, computed from its formulas: t of seeds and items, the shares of one
 * seed, pairs of seeds. */
#include "results/stats/difference.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/test.h"

enum { SAMPLES = 40 };
static struct arena arena;

static void expect_near(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error)) fail_msg("%.17g, expected %.17g", value, expected);
}

/* P(T > t) of Student's distribution by Simpson's rule over its density, t >= 0. */
static double tail(double t, double freedom)
{
    enum { STEPS = 200000 };
    const double scale =
        exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * 3.14159265358979324);
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double x = t * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        sum += weight * pow(1 + x * x / freedom, -(freedom + 1) / 2);
    }
    return 0.5 - scale * sum * t / STEPS / 3;
}

/* Resampled means, of which the differences are -1 + k / 10 in another order. */
static void fill(double *a, double *b)
{
    for (int i = 0; i < SAMPLES; i++) {
        const int k = i * 7 % SAMPLES;
        a[i] = 30 + i + (k - 10) / 10.;
        b[i] = 30 + i;
    }
}

static double variance(const double *value, int count)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < count; i++) mean += value[i] / count;
    for (int i = 0; i < count; i++) sum += (value[i] - mean) * (value[i] - mean);
    return sum / (count - 1);
}

static const double ours[] = {31, 33, 32.5}, theirs[] = {30, 30.5};
static const struct difference_design design = {.items = 12, .strata = 2, .samples = SAMPLES};

static void expect_student(const struct difference_known *known, double error, double freedom)
{
    double low, high;
    assert_true(difference_by_student(known));
    expect_near(known->student.error, error, 1e-12);
    expect_near(known->student.freedom, freedom, 1e-9);
    const double t = known->value / error, p = tail(fabs(t), freedom);
    expect_near(difference_above(known, 0), t > 0 ? p : 1 - p, 1e-9);
    expect_near(difference_below(known, 0), t > 0 ? 1 - p : p, 1e-9);
    expect_near(difference_p(known), 2 * p, 1e-9);
    expect_near(difference_above(known, known->value - error), tail(1, freedom), 1e-9);
    expect_near(difference_below(known, known->value + error), tail(1, freedom), 1e-9);
    difference_interval(known, 0.05, &low, &high);
    expect_near(tail((high - known->value) / error, freedom), 0.05, 1e-9);
    expect_near(high - known->value, known->value - low, 1e-9);
    /* what is found in 4 of 5 cases: beyond the limit of the test with a probability of .8 */
    const double beyond = difference_detectable(known, 0.05) - (high - known->value);
    expect_near(tail(beyond / error, freedom), 0.2, 1e-9);
}

static void seeds_and_items(void **state)
{
    (void)state;
    double a[SAMPLES], b[SAMPLES], d[SAMPLES];
    fill(a, b);
    for (int i = 0; i < SAMPLES; i++) d[i] = a[i] - b[i];
    const struct difference_known known =
        difference_of(&(struct difference_side){3, ours, a},
                      &(struct difference_side){2, theirs, b}, &design, &arena);
    const double of_a = variance(ours, 3) / 3, of_b = variance(theirs, 2) / 2,
                 of_items = variance(d, SAMPLES), all = of_a + of_b + of_items;
    expect_near(known.value, 96.5 / 3 - 30.25, 1e-12);
    assert_int_equal(known.seeds, 2);
    expect_near(known.spread, sqrt(of_items), 1e-12);
    expect_student(&known, sqrt(all),
                   all * all / (of_a * of_a / 2 + of_b * of_b + of_items * of_items / 10));
}

static void seeds_alone(void **state)
{
    (void)state;
    const struct difference_known known = difference_of(&(struct difference_side){2, theirs, NULL},
                                                        &(struct difference_side){3, ours, NULL},
                                                        &(struct difference_design){0}, &arena);
    const double of_a = variance(ours, 3) / 3, of_b = variance(theirs, 2) / 2, all = of_a + of_b;
    assert_null(known.sample);
    assert_true(known.value < 0);
    expect_student(&known, sqrt(all), all * all / (of_a * of_a / 2 + of_b * of_b));
}

/* Each item is drawn every time, and the resamples differ by rounding alone. */
static void items_that_do_not_vary(void **state)
{
    (void)state;
    double a[SAMPLES], b[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) a[i] = 31.7 + i * 1e-15, b[i] = 30.25;
    for (int items = 1; items <= 12; items += 11) {
        const struct difference_design alone = {
            .items = items, .strata = items == 1 ? 1 : 2, .samples = SAMPLES};
        const struct difference_known known =
            difference_of(&(struct difference_side){3, ours, a},
                          &(struct difference_side){2, theirs, b}, &alone, &arena);
        const double of_a = variance(ours, 3) / 3, of_b = variance(theirs, 2) / 2,
                     all = of_a + of_b;
        expect_student(&known, sqrt(all), all * all / (of_a * of_a / 2 + of_b * of_b));
    }
}

/* A margin: what makes a seed good is in both values. */
static void seeds_that_belong_together(void **state)
{
    (void)state;
    const double trained[] = {31, 35, 27.5}, start[] = {30, 33.5, 26.2}, d[] = {1, 1.5, 1.3};
    const struct difference_side a = {3, trained, NULL}, b = {3, start, NULL};
    const struct difference_known known =
        difference_of(&a, &b, &(struct difference_design){.paired = true}, &arena);
    expect_student(&known, sqrt(variance(d, 3) / 3), 2);
    const struct difference_known apart =
        difference_of(&a, &b, &(struct difference_design){0}, &arena);
    assert_true(apart.student.error > 10 * known.student.error);
}

static void one_seed(void **state)
{
    (void)state;
    double a[SAMPLES], b[SAMPLES], low, high;
    fill(a, b);
    const struct difference_known known =
        difference_of(&(struct difference_side){1, ours, a},
                      &(struct difference_side){2, theirs, b}, &design, &arena);
    assert_false(difference_by_student(&known));
    expect_near(known.value, 0.75, 1e-12);
    /* of -1, -0.9, .., 2.9: 11 are 0 or less, 30 are 0 or more, 16 at most 0.5 */
    expect_near(difference_above(&known, 0), 12 / 41., 1e-12);
    expect_near(difference_below(&known, 0), 31 / 41., 1e-12);
    expect_near(difference_above(&known, 0.5), 17 / 41., 1e-12);
    expect_near(difference_p(&known), 12 / 41., 1e-12);
    expect_near(difference_above(&known, -2), 1 / 41., 1e-12);
    difference_interval(&known, 0.05, &low, &high);
    expect_near(low, -0.8, 1e-12);
    expect_near(high, 2.7, 1e-12);
    expect_near(difference_detectable(&known, 0.05), (1.6448536 + 0.8416212) * known.spread, 1e-4);
    struct difference_design few = design;
    few.items = 2; /* 2^-2 */
    const struct difference_known little =
        difference_of(&(struct difference_side){1, ours, a},
                      &(struct difference_side){1, theirs, b}, &few, &arena);
    expect_near(difference_above(&little, -2), 0.25, 1e-12);
}

static void nothing_varies(void **state)
{
    (void)state;
    const double four[] = {4, 4}, five[] = {5, 5};
    const struct difference_side a = {2, four, NULL}, b = {2, five, NULL};
    const struct difference_known known =
        difference_of(&a, &b, &(struct difference_design){0}, &arena);
    assert_false(difference_by_student(&known));
    assert_true(known.student.error == 0 && known.value == -1);
    assert_true(difference_below(&known, 0) == 0 && difference_above(&known, 0) == 1);
    /* Over five items that all fall to one side: either side would have been found. */
    double low[SAMPLES] = {0}, high[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) high[i] = 1;
    const struct difference_design five_items = {.items = 5, .strata = 1, .samples = SAMPLES};
    const struct difference_side e = {2, four, low}, f = {2, five, high};
    const struct difference_known items = difference_of(&e, &f, &five_items, &arena);
    assert_false(difference_by_student(&items));
    expect_near(difference_below(&items, 0), 1. / 32, 1e-12);
    expect_near(difference_p(&items), 2. / 32, 1e-12);
    const double third[] = {0.1 + 0.2, 0.1 + 0.2}, same[] = {0.3, 0.3};
    const struct difference_side c = {2, third, NULL}, d = {2, same, NULL};
    assert_true(difference_of(&c, &d, &(struct difference_design){0}, &arena).value == 0);
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_and_items),
        cmocka_unit_test(seeds_alone),
        cmocka_unit_test(items_that_do_not_vary),
        cmocka_unit_test(seeds_that_belong_together),
        cmocka_unit_test(one_seed),
        cmocka_unit_test(nothing_varies),
    };
    return cmocka_run_group_tests_name("difference", tests, NULL, end);
}
