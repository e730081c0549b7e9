/* Tests core/decode/statistic.h: mean and ratio of numbers in strata. Also compares the
 * significance tests of means with a computation from their definitions. */
#include "core/decode/statistic.h"

#include "core/decode/resample.h"
#include "results/stats/significance.h"
#include "tests/support/compared_items.h"
#include "tests/support/test.h"

enum { ITEMS = 90, SAMPLES = 200, TRIALS = 300, SEED = 7 };

static double whole(struct strata strata, const double *value)
{
    return statistic_of(&statistic_mean, strata, value, NULL);
}

/* With one stratum, the mean is (0 * 10 + 1 * 2) / 12. With two strata of equal weight, it is (0 +
 * 1) / 2. */
TEST(strata_weigh_the_same)
{
    const double value[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
    const int one[] = {12}, two[] = {10, 12};
    assert_float_equal(whole((struct strata){1, one}, value), 2 / 12., 1e-15);
    assert_float_equal(whole((struct strata){2, two}, value), 0.5, 1e-15);
    assert_int_equal(strata_items((struct strata){2, two}), 12);
}

/* The ratio is (6 + 0 + 2) / (2 + 1 + 5). With two strata, it is the mean of (6 + 0) / (2 + 1) and
 * 2 / 5. A resample counts items as often as they were drawn: (6 + 6 + 2) / (2 + 2 + 5). */
TEST(a_ratio_is_of_sums)
{
    const struct ratio_item item[] = {{6, 2}, {0, 1}, {2, 5}};
    const struct statistic *of = &statistic_ratio;
    const int one[] = {3}, two[] = {2, 3};
    const uint32_t drawn[] = {0, 0, 2};
    assert_int_equal(of->bytes, sizeof *item);
    assert_float_equal(statistic_of(of, (struct strata){1, one}, item, NULL), 1, 1e-15);
    assert_float_equal(statistic_of(of, (struct strata){2, two}, item, NULL), 1.2, 1e-15);
    assert_float_equal(statistic_of(of, (struct strata){1, one}, item, drawn), 14 / 9., 1e-15);
}

/* If the numbers within each stratum are equal, every resample has the same mean. */
TEST(a_resample_keeps_the_strata)
{
    static double low[ITEMS], high[ITEMS];
    const int three[] = {60, 62, ITEMS}, one[] = {ITEMS};
    for (int i = 0; i < ITEMS; i++) {
        low[i] = i < 60 ? 1 : i < 62 ? 4 : 7;
        high[i] = low[i] + 0.5;
    }
    const void *a = low, *b = high;
    const struct significance_options options = {.samples = SAMPLES, .seed = SEED};
    const void *both[] = {a, b};
    double drawn[2][SAMPLES];
    significance_draw(&statistic_mean, (struct strata){3, three}, &options, both, 2, drawn[0]);
    for (int i = 0; i < SAMPLES; i++) assert_float_equal(drawn[1][i] - drawn[0][i], 0.5, 1e-12);

    struct pcg64 random = pcg64_seed(SEED);
    double mean[SAMPLES];
    const struct statistic *of = &statistic_mean;
    resample_bootstrap(&(struct resample_runs){of, {3, three}, 1, &a}, &random, SAMPLES, mean);
    for (int i = 0; i < SAMPLES; i++) assert_float_equal(mean[i], 4, 1e-12);
    resample_bootstrap(&(struct resample_runs){of, {1, one}, 1, &a}, &random, SAMPLES, mean);
    resample_sort(mean, SAMPLES);
    assert_true(mean[0] < 2.9 && mean[SAMPLES - 1] > 2.9); /* (60 + 8 + 196) / 90 = 2.93 */
}

/* Counts of many sentences are added in blocks. A sample without any match has the score 0.
 * multi-bleu has no smoothing, so a sample that lacks matches of one order also has the score 0. */
TEST(bleu_is_of_sums)
{
    enum { MANY = 10001 };
    struct bleu_stats *stats = heap_alloc(sizeof *stats * MANY);
    struct bleu_item *item = heap_alloc(sizeof *item * MANY);
    for (int i = 0; i < MANY; i++)
        stats[i] = (struct bleu_stats){4, 5, {3, 2, 1, i % 2}, {4, 3, 2, 1}};
    statistic_bleu_items(stats, MANY, item);
    const struct bleu_stats sum = statistic_bleu_sum(item, MANY);
    assert_true(sum.hyp_len == 4 * MANY && sum.ref_len == 5 * MANY);
    for (int n = 0; n < BLEU_ORDER; n++) {
        assert_true(sum.match[n] == (n < 3 ? (3 - n) * MANY : MANY / 2));
        assert_true(sum.total[n] == (4 - n) * MANY);
    }
    const int one = 1;
    const uint32_t first[] = {0};
    for (int metric = BLEU_SACREBLEU; metric <= BLEU_MULTI_BLEU; metric++) {
        const struct bleu_options options = {.metric = metric, .smoothing = BLEU_EXP};
        const struct statistic of = statistic_bleu(&options);
        const double score = of.of(of.context, (struct strata){1, &one}, item, first, true);
        assert_true(metric == BLEU_MULTI_BLEU ? score == 0 : score > 10);
        const struct bleu_item nothing = {4, 4, {0}, {4, 3, 2, 1}};
        assert_true(of.of(of.context, (struct strata){1, &one}, &nothing, first, true) == 0);
    }
    free(stats);
    free(item);
}

/* Results that sacreBLEU computes from the scores of its resamples: the limits of the middle 95%,
 * and shares of samples. A difference that equals the observed one, or 0, is not counted like a
 * larger one. */
TEST(shares_of_samples)
{
    enum { COUNT = 1000 };
    double sorted[COUNT], low, high, koehn, centered;
    for (int i = 0; i < COUNT; i++) sorted[i] = i;
    resample_middle(sorted, COUNT, &low, &high);
    assert_true(low == 25 && high == 974);
    assert_true(resample_p((const double[]){1, 2, 2, 3}, 4, 2) == 2 / 5.);
    static const double difference[] = {1, 0, -1, -6};
    resample_judge(difference, 4, 2, &koehn, &centered);
    assert_true(koehn == 3 / 4. && centered == 2 / 5.); /* |d| - mean |d|: -1, -2, -1, 4 */
    resample_judge(difference, 4, -4, &koehn, &centered);
    assert_true(koehn == 2 / 4. && centered == 1 / 5.);
}

/* Each side has two seeds, whose differences are averaged. For each item, one coin decides for all
 * four runs. */
TEST(runs_change_sides_together)
{
    enum { RUNS = 4 };
    double value[RUNS][ITEMS], difference[TRIALS];
    const void *run[RUNS];
    const int end[] = {ITEMS};
    struct pcg64 random = pcg64_seed(2), coins = pcg64_seed(SEED);
    for (int r = 0; r < RUNS; r++) {
        for (int i = 0; i < ITEMS; i++) value[r][i] = pcg64_uniform(&random) * (r + 1);
        run[r] = value[r];
    }
    random = pcg64_seed(SEED);
    resample_swap(&(struct resample_runs){&statistic_mean, {1, end}, RUNS, run}, &random, TRIALS,
                  difference);
    uint32_t bits = 0;
    for (int t = 0, tossed = 0; t < TRIALS; t++) {
        double sum = 0;
        for (int i = 0; i < ITEMS; i++, tossed++) {
            bits = tossed % 32 ? bits >> 1 : pcg64_next_half(&coins);
            const double d = value[2][i] + value[3][i] - value[0][i] - value[1][i];
            sum += bits & 1 ? d : -d;
        }
        assert_float_equal(difference[t], sum / ITEMS / 2, 1e-12);
    }
}

/* A reference implementation from the definitions in significance.h, for one seed per side. */

struct sides {
    double a[ITEMS], b[ITEMS];
};

static double mean_of(const double *value, int from, int to)
{
    double sum = 0;
    for (int i = from; i < to; i++) sum += value[i];
    return sum / (to - from);
}

/* Returns the mean of the numbers; with two strata, the mean of the means of both strata. */
static double both_means(const double *value, int cut)
{
    if (!cut) return mean_of(value, 0, ITEMS);
    return (mean_of(value, 0, cut) + mean_of(value, cut, ITEMS)) / 2;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `cut` is the first item of the second stratum; 0: there is one stratum. */
static struct significance expected(const struct sides *sides, int cut)
{
    struct pcg64 random = pcg64_seed(SEED);
    double difference[SAMPLES], size = 0;
    struct significance result = {.known.b = both_means(sides->a, cut)};
    const double d = result.difference = both_means(sides->b, cut) - result.known.b;
    int contrary = 0, larger = 0;
    for (int k = 0; k < SAMPLES; k++) {
        struct sides drawn;
        for (int i = 0; i < ITEMS; i++) {
            const int from = i < cut ? 0 : cut, to = i < cut ? cut : ITEMS;
            const int at = from + (int)pcg64_below(&random, (uint32_t)(to - from));
            drawn.a[i] = sides->a[at];
            drawn.b[i] = sides->b[at];
        }
        difference[k] = both_means(drawn.b, cut) - both_means(drawn.a, cut);
        contrary += d > 0 ? difference[k] <= 0 : difference[k] >= 0;
        size += fabs(difference[k]);
    }
    for (int k = 0; k < SAMPLES; k++) larger += fabs(difference[k]) - size / SAMPLES > fabs(d);
    qsort(difference, SAMPLES, sizeof *difference, ascending);
    result.low = difference[SAMPLES / 40];
    result.high = difference[SAMPLES - SAMPLES / 40 - 1];
    result.koehn = (contrary + 1.) / (SAMPLES + 1);
    result.centered = (larger + 1.) / (SAMPLES + 1);

    uint32_t bits = 0;
    int left = 0, more = 0;
    random = pcg64_seed(SEED);
    for (int t = 0; t < TRIALS; t++) {
        struct sides now = *sides;
        for (int i = 0; i < ITEMS; i++) {
            if (!left) bits = pcg64_next_half(&random);
            left = left ? left - 1 : 31;
            if (!(bits & 1)) {
                now.a[i] = sides->b[i];
                now.b[i] = sides->a[i];
            }
            bits >>= 1;
        }
        more += fabs(both_means(now.b, cut) - both_means(now.a, cut)) > fabs(d) + 1e-12;
    }
    result.swapped = (more + 1.) / (TRIALS + 1);
    return result;
}

static struct significance compare(struct strata strata, const struct significance_options *options,
                                   int seeds, const void *const *a, const void *const *b)
{
    return compared_items(&statistic_mean, strata, options,
                          &(struct compared_system){.seeds = seeds, .item = a},
                          &(struct compared_system){.seeds = seeds, .item = b});
}

TEST(tests_of_the_mean)
{
    struct sides sides;
    struct pcg64 random = pcg64_seed(1);
    for (int i = 0; i < ITEMS; i++) {
        sides.a[i] = pcg64_uniform(&random);
        sides.b[i] = pcg64_uniform(&random) + 0.05;
    }
    const void *a = sides.a, *b = sides.b;
    const struct significance_options options = {
        .samples = SAMPLES, .trials = TRIALS, .seed = SEED};
    for (int cut = 0; cut <= 20; cut += 20) {
        const int ends[] = {cut, ITEMS};
        const struct strata strata = {cut ? 2 : 1, cut ? ends : ends + 1};
        const struct significance got = compare(strata, &options, 1, &a, &b),
                                  wanted = expected(&sides, cut);
        assert_float_equal(got.known.b, wanted.known.b, 1e-12);
        assert_float_equal(got.difference, wanted.difference, 1e-12);
        assert_float_equal(got.low, wanted.low, 1e-12);
        assert_float_equal(got.high, wanted.high, 1e-12);
        assert_float_equal(got.koehn, wanted.koehn, 1e-12);
        assert_float_equal(got.centered, wanted.centered, 1e-12);
        assert_float_equal(got.swapped, wanted.swapped, 1e-12);
        assert_true(got.koehn > 0 && got.swapped > 0.01 && got.swapped < 0.9);
    }
}

/* Items are right or wrong. The first `better` items are right only in b, the next `worse` items
 * only in a. All other items are right in both. */
static struct significance right_or_wrong(int better, int worse)
{
    double a[ITEMS], b[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        a[i] = i < better ? 0 : 100;
        b[i] = i >= better && i < better + worse ? 0 : 100;
    }
    const void *ours = a, *theirs = b;
    const int end[] = {ITEMS};
    return compare((struct strata){1, end},
                   &(struct significance_options){.samples = SAMPLES, .trials = 4000, .seed = SEED},
                   1, &ours, &theirs);
}

/* If the systems differ in k items, there are 2^k ways to swap them. p is the share of ways with at
 * least the observed difference. It is 2 (1 + 10 + 45) / 1024 for 8 and 2 items, and 2 / 64 for 6
 * and 0. */
TEST(equal_differences_are_counted)
{
    assert_true(right_or_wrong(1, 0).swapped == 1);
    assert_true(right_or_wrong(3, 2).swapped == 1);
    assert_float_equal(right_or_wrong(8, 2).swapped, 112 / 1024., 0.02);
    assert_float_equal(right_or_wrong(6, 0).swapped, 2 / 64., 0.01);
    assert_true(right_or_wrong(4, 4).swapped == 1 && right_or_wrong(4, 4).koehn == 1);
}

/* All items are wrong in a and right in b. The sign test gives 2^-items. */
static struct significance all_better(int items)
{
    double a[ITEMS] = {0}, b[ITEMS];
    for (int i = 0; i < ITEMS; i++) b[i] = 100;
    const void *ours = a, *theirs = b;
    return compare((struct strata){1, &items},
                   &(struct significance_options){.samples = SAMPLES, .trials = 0, .seed = SEED}, 1,
                   &ours, &theirs);
}

TEST(few_items_say_little)
{
    assert_true(all_better(1).koehn == 0.5 && all_better(1).centered == 0.5);
    assert_true(all_better(5).koehn == 1 / 32.);
    assert_true(all_better(7).koehn == 1 / 128. &&
                all_better(8).koehn == 1 / 201.); /* the minimum of 200 samples */
}

/* Significance does not depend on the unit of the numbers. With 64 items and 4 seeds, of which a
 * resample draws 3, all means of 0 and 192 are exact. Means of 0 and 0.1 are not exact. */
TEST(rounding_decides_nothing)
{
    enum { EXACT = 64, SEEDS = 4 };
    static double item[2][2 * SEEDS][EXACT];
    static const double unit[] = {192, 0.1};
    const void *run[2][2 * SEEDS];
    struct pcg64 random = pcg64_seed(3);
    for (int r = 0; r < 2 * SEEDS; r++) {
        for (int i = 0; i < EXACT; i++) {
            const bool right = pcg64_uniform(&random) < (r < SEEDS ? 0.5 : 0.52);
            for (int u = 0; u < 2; u++) item[u][r][i] = right ? unit[u] : 0;
        }
        for (int u = 0; u < 2; u++) run[u][r] = item[u][r];
    }
    struct significance found[2];
    const int end[] = {EXACT};
    for (int u = 0; u < 2; u++)
        found[u] =
            compare((struct strata){1, end},
                    &(struct significance_options){.samples = 2000, .trials = 2000, .seed = SEED},
                    SEEDS, run[u], run[u] + SEEDS);
    assert_true(found[0].koehn > 0.01 && found[0].koehn < 0.9);
    assert_true(found[0].koehn == found[1].koehn);
    assert_float_equal(found[0].p, found[1].p, 1e-9);
    assert_true(found[0].swapped == found[1].swapped);
}
