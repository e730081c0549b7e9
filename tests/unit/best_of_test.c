/* Tests the expected best of k trials: against an enumeration of all subsets, and its interval
 * against simulations. */
#include <math.h>

#include "core/base/random.h"
#include "results/stats/best_of.h"
#include "tests/support/test.h"

/* Returns the mean of the best value over all subsets of k of the values. */
static double enumerated(const double *value, int count, int k, bool less)
{
    double sum = 0;
    int subsets = 0;
    for (unsigned set = 0; set < 1u << count; set++) {
        double best = less ? (double)INFINITY : -(double)INFINITY;
        int members = 0;
        for (int i = 0; i < count; i++) {
            if (!(set >> i & 1)) continue;
            best = less ? fmin(best, value[i]) : fmax(best, value[i]);
            members++;
        }
        if (members != k) continue;
        sum += best;
        subsets++;
    }
    return sum / subsets;
}

TEST(it_is_the_mean_over_all_subsets)
{
    for (uint32_t draw = 0; draw < 50; draw++)
        for (int count = 1; count <= 9; count++)
            for (int k = 1; k <= count; k++) {
                double value[9];
                for (int i = 0; i < count; i++)
                    value[i] = draw % 2 ? floor(4 * random_uniform((struct random_key){draw, 1},
                                                                   (uint64_t)i, 0))
                                        : random_normal((struct random_key){draw, 1}, (uint64_t)i);
                for (int less = 0; less < 2; less++) {
                    const double got = best_of(value, count, k, less);
                    assert_true(fabs(got - enumerated(value, count, k, less)) < 1e-12);
                }
            }
}

/* Of 3, 1, 2, 5 the best (lowest) of two is 1 in three pairs, 2 in two, 3 in one. */
TEST(small_numbers)
{
    const double value[] = {3, 1, 2, 5}, lost[] = {3, (double)NAN, 2, 5};
    assert_true(fabs(best_of(value, 4, 2, true) - 10.0 / 6) < 1e-15);
    assert_true(best_of(value, 4, 4, true) == 1 && best_of(value, 4, 4, false) == 5);
    assert_true(isnan(best_of(value, 4, 0, true)) && isnan(best_of(value, 4, 5, true)));
    /* A trial that diverged is the worst. Of one trial, it may be the only one. */
    assert_true(isnan(best_of(lost, 4, 1, true)));
    assert_true(fabs(best_of(lost, 4, 2, true) - (2 * 3 + 3 * 2 + 5) / 6.0) < 1e-15);
    assert_true(fabs(best_of(lost, 4, 2, false) - (5 * 3 + 3 * 2 + 2) / 6.0) < 1e-15);
}

TEST(many_trials_do_not_overflow)
{
    enum { MANY = 2000 };
    double value[MANY];
    for (int i = 0; i < MANY; i++) value[i] = i + 1;
    /* The expected maximum of k of 1 to n is k (n + 1) / (k + 1). */
    const double expected = 1000.0 * (MANY + 1) / 1001;
    assert_true(fabs(best_of(value, MANY, MANY / 2, false) - expected) < 1e-8);
}

/* Values of trials: effects of options with a standard deviation of 1 BLEU, and the noise of
 * trainings of level_test. The effects are normal, uniform, or quadratic around a best value. */
static double trial(struct random_key key, uint64_t at, int effects)
{
    const double uniform = 2 * random_uniform(key, 4 * at, 1) - 1;
    const double effect = effects == 0   ? random_normal(key, 2 * at)
                          : effects == 1 ? sqrt(3) * uniform
                                         : -sqrt(45.0 / 4) * uniform * uniform;
    return effect + 0.42 * random_normal(key, 2 * at + 1);
}

TEST(coverage_of_the_interval)
{
    static const int counts[] = {9, 12, 24};
    static const char *const names[] = {"normal", "uniform", "quadratic"};
    enum { MANY = 20000 };
    const char *wanted = getenv("LEVEL_CASES");
    const int cases = wanted ? atoi(wanted) : 1000;
    print_message("95%% intervals of the expected best of k of n trials that cover it, of %d\n",
                  cases);
    for (int effects = 0; effects < 3; effects++) {
        double *all = ARENA_ARRAY(&arena, double, MANY);
        for (uint64_t i = 0; i < MANY; i++)
            all[i] = trial((struct random_key){7, 8000 + (uint32_t)effects}, i, effects);
        for (size_t c = 0; c < COUNT_OF(counts); c++)
            for (int k = 1; k <= counts[c] / 3; k++) {
                const double truth = best_of(all, MANY, k, false);
                int covered = 0;
                for (int i = 0; i < cases; i++) {
                    const struct random_key key = {(uint32_t)i + 1, 9000 + (uint32_t)effects};
                    double value[24];
                    for (int t = 0; t < counts[c]; t++) value[t] = trial(key, (uint64_t)t, effects);
                    covered += fabs(best_of(value, counts[c], k, false) - truth) <=
                               best_of_reach(value, counts[c], k, false);
                }
                const double share = (double)covered / cases, error = sqrt(0.95 * 0.05 / cases);
                print_message("  %s, n = %d, k = %d: %.3f\n", names[effects], counts[c], k, share);
                assert_true(share >= 0.90 - 2 * error && share <= 0.97 + 2 * error);
            }
    }
}

ALL_TESTS(NULL);
