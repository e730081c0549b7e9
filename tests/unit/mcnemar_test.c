/* results/stats/mcnemar: exact p by hand, and a comparison's counts of right and wrong items. */
#include "results/stats/mcnemar.h"

#include "results/stats/significance.h"
#include "tests/support/test.h"

/* By integer arithmetic of any size: 2 sum_{i <= min} C(n, i) / 2^n. */
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

/* 3 items for one side and 9 for the other: 2 (1 + 12 + 66 + 220) / 2^12. */
TEST(items_are_right_or_wrong)
{
    double a[ITEMS] = {0}, b[ITEMS] = {0};
    for (int i = 0; i < ITEMS; i++) {
        a[i] = i < 3 || i > 20 ? 100 : 0;
        b[i] = (i >= 3 && i < 12) || i > 20 ? 100 : 0;
    }
    const struct significance known = compare(a, b, 1, 40000);
    assert_true(fabs(known.mcnemar - 598. / 4096) < 1e-12);
    assert_true(fabs(known.swapped - known.mcnemar) < 0.01); /* the same test by chance */
    assert_true(isnan(compare(a, b, 2, 0).mcnemar));
    b[30] = 50; /* a share of several classifiers */
    assert_true(isnan(compare(a, b, 1, 0).mcnemar));
}
