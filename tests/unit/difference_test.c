/* Tests results/stats/difference.h against its formulas, which are computed here. The formulas are
 * for Student's t over seeds and items, resamples of one seed, and pairs of seeds. */
#include "results/stats/difference.h"

#include "tests/support/test.h"

#define SIDE(...)                                                                                  \
    &(struct difference_side)                                                                      \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

enum { SAMPLES = 40 };

static void expect_near(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error)) fail_msg("%.17g, expected %.17g", value, expected);
}

/* Returns P(T > t) of Student's distribution for t >= 0, by Simpson's rule over its density. */
static double tail_by(int steps, double t, double freedom)
{
    const double scale =
        exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * 3.14159265358979324);
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
        const double x = t * i / steps, weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
        sum += weight * pow(1 + x * x / freedom, -(freedom + 1) / 2);
    }
    return 0.5 - scale * sum * t / steps / 3;
}

static double tail(double t, double freedom)
{
    return tail_by(200000, t, freedom);
}

/* Returns P(error > limit) for limit >= 0, by Simpson's rule over |z|. The error has the variance E
 * / z^2 + V, so E has one degree of freedom; V has f. */
static double tail_of_both(double limit, double E, double V, double f)
{
    enum { STEPS = 4000 };
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double z = 9. * i / STEPS, variance = E / z / z + V, ratio = variance / V,
                     weight = i == 0 || i == STEPS ? 1
                              : i % 2              ? 4
                                                   : 2,
                     share = i ? tail_by(200, limit / sqrt(variance), f * ratio * ratio) : 0.5;
        sum += weight * exp(-z * z / 2) * share;
    }
    return sqrt(2 / 3.14159265358979324) * sum * 9 / STEPS / 3;
}

/* Fills the resampled means of two sides. Their differences are -1, -0.9, .., 2.9, in another
 * order. */
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
    assert_true(difference_by_seeds(known));
    expect_near(known->of_seeds.variance, error * error, 1e-12);
    expect_near(known->of_seeds.freedom, freedom, 1e-9);
    assert_true(known->of_items.variance == 0);
    const double t = known->value / error, p = tail(fabs(t), freedom);
    expect_near(difference_above(known, 0), t > 0 ? p : 1 - p, 1e-9);
    expect_near(difference_below(known, 0), t > 0 ? 1 - p : p, 1e-9);
    expect_near(difference_p(known), 2 * p, 1e-9);
    expect_near(difference_above(known, known->value - error), tail(1, freedom), 1e-9);
    expect_near(difference_below(known, known->value + error), tail(1, freedom), 1e-9);
    difference_interval(known, 0.05, &low, &high);
    expect_near(tail((high - known->value) / error, freedom), 0.05, 1e-9);
    expect_near(high - known->value, known->value - low, 1e-9);
    /* The detectable difference exceeds the limit of the test with probability 0.8, that is, in 4
     * of 5 cases. */
    const double beyond =
        difference_detectable(known, 0.05, DIFFERENCE_POWER) - (high - known->value);
    expect_near(tail(beyond / error, freedom), 0.2, 1e-9);
}

/* Returns the squared standard error of the pair without a family: the larger of Welch's and the
 * pooled one. If the numbers of seeds differ, the degrees of freedom are one less than the smaller
 * number. */
static double pair_error(void)
{
    const double a = variance(ours, 3), b = variance(theirs, 2);
    return fmax(a / 3 + b / 2, (2 * a + b) / 3 * (1 / 3. + 1 / 2.));
}

TEST(seeds_and_items)
{
    double a[SAMPLES], b[SAMPLES], d[SAMPLES];
    fill(a, b);
    for (int i = 0; i < SAMPLES; i++) d[i] = a[i] - b[i];
    const struct difference_known known =
        difference_of(SIDE(3, ours, a), SIDE(2, theirs, b), &design, &arena);
    const double of_items = variance(d, SAMPLES);
    expect_near(known.value, 96.5 / 3 - 30.25, 1e-12);
    assert_int_equal(known.seeds, 2);
    expect_near(known.spread, sqrt(of_items), 1e-12);
    expect_near(known.of_seeds.variance, pair_error(), 1e-12);
    assert_true(known.of_seeds.freedom == 1 && known.of_items.freedom == 10);
    for (double limit = -3; limit <= known.value; limit += 1.25)
        expect_near(difference_above(&known, limit),
                    tail_of_both(known.value - limit, pair_error(), of_items, 10), 1e-8);
    expect_near(difference_below(&known, 0), 1 - difference_above(&known, 0), 1e-12);
    expect_near(difference_p(&known), 2 * difference_above(&known, 0), 1e-12);
}

/* A resample has no value if it has no item of a side. It counts neither for V nor for p. */
TEST(resamples_without_a_value)
{
    double a[SAMPLES + 2], b[SAMPLES + 2];
    struct difference_design more = design;
    fill(a, b);
    a[SAMPLES] = b[SAMPLES + 1] = (double)NAN;
    b[SAMPLES] = a[SAMPLES + 1] = 1000;
    more.samples = SAMPLES + 2;
    for (int seeds = 1; seeds <= 2; seeds++) {
        const struct difference_known known = difference_of(SIDE(seeds, ours, a),
                                                            SIDE(seeds, theirs, b), &more, &arena),
                                      same = difference_of(SIDE(seeds, ours, a),
                                                           SIDE(seeds, theirs, b), &design, &arena);
        assert_int_equal(known.samples, SAMPLES);
        assert_true(known.spread == same.spread && difference_p(&known) == difference_p(&same));
    }
}

TEST(seeds_alone)
{
    const struct difference_known known = difference_of(SIDE(2, theirs, NULL), SIDE(3, ours, NULL),
                                                        &(struct difference_design){0}, &arena);
    assert_null(known.sample);
    assert_true(known.value < 0);
    expect_student(&known, sqrt(pair_error()), 1);
    /* With equal numbers of seeds, the test is Welch's, with Satterthwaite's degrees of freedom. */
    const struct difference_known equal = difference_of(SIDE(2, theirs, NULL), SIDE(2, ours, NULL),
                                                        &(struct difference_design){0}, &arena);
    const double of_a = variance(ours, 2) / 2, of_b = variance(theirs, 2) / 2, all = of_a + of_b;
    expect_student(&equal, sqrt(all), all * all / (of_a * of_a + of_b * of_b));
}

/* The resamples differ only by rounding, so items have no variance. */
TEST(items_that_do_not_vary)
{
    double a[SAMPLES], b[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) a[i] = 31.7 + i * 1e-15, b[i] = 30.25;
    for (int items = 1; items <= 12; items += 11) {
        const struct difference_design alone = {
            .items = items, .strata = items == 1 ? 1 : 2, .samples = SAMPLES};
        const struct difference_known known =
            difference_of(SIDE(3, ours, a), SIDE(2, theirs, b), &alone, &arena);
        expect_student(&known, sqrt(pair_error()), 1);
    }
}

/* Compares two rows of three seeds, with variances 1 and 2.25, in a family with other rows. */
static void expect_pooled(const struct pooled_row *other, int others, double error, double freedom)
{
    static const double a[] = {9, 10, 11}, b[] = {5, 6.5, 8};
    const struct difference_design family = {.others = others, .other = other};
    const struct difference_known known =
        difference_of(SIDE(3, a, NULL), SIDE(3, b, NULL), &family, &arena);
    expect_student(&known, error, freedom);
}

/* Without other rows, Welch's squared error is 3.25 / 3, with 2 * 3.25^2 / (1 + 2.25^2) degrees of
 * freedom. */
TEST(families_are_pooled)
{
    const double welch = 2 * 3.25 * 3.25 / (1 + 2.25 * 2.25);
    expect_pooled(NULL, 0, sqrt(3.25 / 3), welch);
    /* Rows with similar variances are pooled: s^2 = (1 + 2.25 + 1.5 + 1.5 + 2) / 5, with 10 degrees
     * of freedom. */
    const struct pooled_row alike[] = {{1.5, 3, 1}, {1.5, 3, 1}, {2, 3, 1}};
    expect_pooled(alike, 3, sqrt(8.25 / 5 * 2 / 3), 10);
    /* Rows with more seeds have more weight: s^2 = (2 * 1 + 2 * 2.25 + 9 * 2) / 13. */
    const struct pooled_row longer[] = {{2, 10, 1}};
    expect_pooled(longer, 1, sqrt(24.5 / 13 * 2 / 3), 13);
    /* The variance of the pair is significantly larger than the variance of the family, F = 1.625 /
     * 0.1. So the variance of the pair is used. */
    const struct pooled_row calm[] = {{0.1, 3, 1}, {0.1, 3, 1}, {0.1, 3, 1}};
    expect_pooled(calm, 3, sqrt(3.25 / 3), welch);
    const struct pooled_row still[] = {{0, 3, 1}, {0, 3, 1}};
    expect_pooled(still, 2, sqrt(3.25 / 3), welch);
    /* If the other variances are 1.28, F = 1.625 / 1.28 with 3.48 and 6 degrees of freedom has p =
     * 0.37. So all rows are pooled. If they are 0.7, p is 0.17, and the variance of the pair is
     * used. */
    const struct pooled_row near[] = {{1.28, 3, 1}, {1.28, 3, 1}, {1.28, 3, 1}},
                            below[] = {{0.7, 3, 1}, {0.7, 3, 1}, {0.7, 3, 1}};
    expect_pooled(near, 3, sqrt((3.25 + 3 * 1.28) / 5 * 2 / 3), 10);
    expect_pooled(below, 3, sqrt(3.25 / 3), welch);
}

/* A training failed in one of ten rows, so its variance is 300. The pooled variance then has little
 * more than the 2 degrees of freedom of this row. */
TEST(a_failed_training_leaves_few_degrees)
{
    struct pooled_row other[8];
    double sum = 1 + 2.25, around = 0;
    for (int i = 0; i < 8; i++)
        other[i] = (struct pooled_row){i ? 1 : 300, 3, 1}, sum += i ? 1 : 300;
    const double mean = sum / 10;
    for (int i = 0; i < 8; i++) around += (other[i].variance - mean) * (other[i].variance - mean);
    around += (1 - mean) * (1 - mean) + (2.25 - mean) * (2.25 - mean);
    const double freedom = 2 * mean * mean / (around / 9 / 10);
    assert_true(freedom > 2 && freedom < 2.2);
    expect_pooled(other, 8, sqrt(mean * 2 / 3), freedom);
}

/* p and interval use the same error and degrees of freedom. So p at a limit of the interval is the
 * level. */
TEST(one_error_for_all)
{
    double a[SAMPLES], b[SAMPLES], low, high;
    fill(a, b);
    const struct pooled_row other[] = {{0.5, 3, 1}, {1.2, 4, 1}, {0.1, 2, 1}};
    struct difference_design family = design;
    family.others = COUNT_OF(other);
    family.other = other;
    const struct difference_known known =
        difference_of(SIDE(3, ours, a), SIDE(2, theirs, b), &family, &arena);
    for (double level = 0.05; level > 0.0001; level /= 7) {
        difference_interval(&known, level, &low, &high);
        expect_near(difference_above(&known, low), level, 1e-9);
        expect_near(difference_below(&known, high), level, 1e-9);
    }
}

/* A margin subtracts the control from the value of the same seed. The quality of a seed affects
 * both values. */
TEST(seeds_that_belong_together)
{
    const double trained[] = {31, 35, 27.5}, start[] = {30, 33.5, 26.2}, d[] = {1, 1.5, 1.3};
    const struct difference_side a = {3, trained, NULL}, b = {3, start, NULL};
    const struct difference_known known =
        difference_of(&a, &b, &(struct difference_design){.paired = true}, &arena);
    expect_student(&known, sqrt(variance(d, 3) / 3), 2);
    const struct difference_known apart =
        difference_of(&a, &b, &(struct difference_design){0}, &arena);
    assert_true(apart.of_seeds.variance > 100 * known.of_seeds.variance);
    /* With paired seeds, the family has the variances of the differences of other rows. */
    const struct pooled_row other[] = {{0.05, 3, 1}, {0.08, 3, 1}};
    const struct difference_known pooled = difference_of(
        &a, &b, &(struct difference_design){.paired = true, .others = 2, .other = other}, &arena);
    expect_student(&pooled, sqrt((variance(d, 3) + 0.13) / 3 / 3), 6);
}

TEST(one_seed)
{
    double a[SAMPLES], b[SAMPLES], low, high;
    fill(a, b);
    const struct difference_known known =
        difference_of(SIDE(1, ours, a), SIDE(2, theirs, b), &design, &arena);
    assert_false(difference_by_seeds(&known));
    expect_near(known.value, 0.75, 1e-12);
    /* The 40 resampled differences are -1, -0.9, .., 2.9. Of these, 11 are 0 or less, 30 are 0 or
     * more, and 16 are 0.5 or less. */
    expect_near(difference_above(&known, 0), 12 / 41., 1e-12);
    expect_near(difference_below(&known, 0), 31 / 41., 1e-12);
    expect_near(difference_above(&known, 0.5), 17 / 41., 1e-12);
    expect_near(difference_p(&known), 12 / 41., 1e-12);
    expect_near(difference_above(&known, -2), 1 / 41., 1e-12);
    difference_interval(&known, 0.05, &low, &high);
    expect_near(low, -0.8, 1e-12);
    expect_near(high, 2.7, 1e-12);
    expect_near(difference_detectable(&known, 0.05, DIFFERENCE_POWER),
                (1.6448536 + 0.8416212) * known.spread, 1e-4);
    struct difference_design few = design;
    few.items = 2; /* p is at least 2^-2 */
    const struct difference_known little =
        difference_of(SIDE(1, ours, a), SIDE(1, theirs, b), &few, &arena);
    expect_near(difference_above(&little, -2), 0.25, 1e-12);
}

TEST(nothing_varies)
{
    const double four[] = {4, 4}, five[] = {5, 5};
    const struct difference_side a = {2, four, NULL}, b = {2, five, NULL};
    const struct difference_known known =
        difference_of(&a, &b, &(struct difference_design){0}, &arena);
    assert_false(difference_by_seeds(&known));
    assert_true(known.value == -1);
    assert_true(difference_below(&known, 0) == 0 && difference_above(&known, 0) == 1);
    /* All five items differ in one direction. So p is at least 2^-5. The two-sided p is twice this
     * number, because the difference could have either direction. */
    double low[SAMPLES] = {0}, high[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) high[i] = 1;
    const struct difference_design five_items = {.items = 5, .strata = 1, .samples = SAMPLES};
    const struct difference_side e = {2, four, low}, f = {2, five, high};
    const struct difference_known items = difference_of(&e, &f, &five_items, &arena);
    assert_false(difference_by_seeds(&items));
    expect_near(difference_below(&items, 0), 1. / 32, 1e-12);
    expect_near(difference_p(&items), 2. / 32, 1e-12);
    const double third[] = {0.1 + 0.2, 0.1 + 0.2}, same[] = {0.3, 0.3};
    const struct difference_side c = {2, third, NULL}, d = {2, same, NULL};
    assert_true(difference_of(&c, &d, &(struct difference_design){0}, &arena).value == 0);
}
