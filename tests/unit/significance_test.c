/* Tests properties of the significance tests on simulated systems, and Holm's correction by
 * hand. */
#include "results/stats/significance.h"

#include "core/decode/resample.h"
#include "core/decode/ter.h"
#include "tests/support/compared_items.h"
#include "tests/support/test.h"

static const struct bleu_options options = {.smoothing = BLEU_EXP};
static const struct significance_options quick = {.samples = 200, .trials = 200, .seed = 12345};

/* Returns the n-gram counts of a simulated system. The length and the difficulty of each sentence
 * depend only on `text`, so they can be equal for several systems. The matches depend on `system`.
 * A word matches with the probability of its sentence, from 0.4 to 0.8, plus `better`. */
static struct bleu_item *simulate(int sentences, uint32_t text, uint32_t system, double better)
{
    struct bleu_stats *stats = ARENA_ARRAY(&arena, struct bleu_stats, sentences);
    struct bleu_item *item = ARENA_ARRAY(&arena, struct bleu_item, sentences);
    struct pcg64 shared = pcg64_seed(text), own = pcg64_seed(system);
    for (int s = 0; s < sentences; s++) {
        const int length = 4 + (int)pcg64_below(&shared, 20);
        const double chance = 0.4 + 0.4 * pcg64_uniform(&shared) + better;
        int hit = 0; /* consecutive words that match */
        stats[s] = (struct bleu_stats){.hyp_len = length, .ref_len = length};
        for (int w = 0; w < length; w++) {
            hit = pcg64_uniform(&own) < chance ? hit + 1 : 0;
            for (int n = 0; n < BLEU_ORDER && n <= w; n++) {
                stats[s].total[n]++;
                stats[s].match[n] += hit > n;
            }
        }
    }
    statistic_bleu_items(stats, sentences, item);
    return item;
}

static struct significance test(const struct significance_options *how,
                                const struct compared_system *a, const struct compared_system *b,
                                int sentences)
{
    const struct statistic bleu = statistic_bleu(&options);
    return compared_items(&bleu, (struct strata){1, &sentences}, how, a, b);
}

static struct significance compare(const void *a, const void *b, int sentences)
{
    const struct compared_system x = {.seeds = 1, .item = &a}, y = {.seeds = 1, .item = &b};
    return test(&quick, &x, &y, sentences);
}

TEST(identical_systems)
{
    const struct bleu_item *a = simulate(100, 1, 2, 0);
    const struct significance same = compare(a, a, 100);
    assert_true(same.difference == 0 && same.low == 0 && same.high == 0 && same.detectable == 0);
    assert_true(same.koehn == 1 && same.centered == 1 && same.swapped == 1);
}

/* System b has one more match of every order in every sentence, if possible. So it is better in
 * every resample. */
TEST(strictly_better)
{
    const struct bleu_item *a = simulate(60, 1, 2, -0.1);
    struct bleu_item *b = simulate(60, 1, 2, -0.1);
    for (int s = 0; s < 60; s++)
        for (int n = 0; n < BLEU_ORDER; n++) b[s].match[n] += b[s].match[n] < b[s].total[n];
    const struct significance result = compare(a, b, 60);
    assert_true(result.difference > 0 && result.low > 0);
    assert_true(result.koehn == 1 / 201.);
    assert_true(result.swapped == 1 / 201.);
}

TEST(symmetry)
{
    const struct bleu_item *a = simulate(200, 1, 2, 0), *b = simulate(200, 1, 3, 0.02);
    const struct significance ab = compare(a, b, 200), ba = compare(b, a, 200);
    assert_true(ab.difference == -ba.difference);
    assert_true(ab.low == -ba.high && ab.high == -ba.low);
    assert_true(ab.koehn == ba.koehn && ab.centered == ba.centered && ab.swapped == ba.swapped);
    assert_true(ab.low < ab.difference && ab.difference < ab.high);
}

TEST(order_of_seeds)
{
    const void *run[6];
    for (uint32_t i = 0; i < 6; i++) run[i] = simulate(150, 1, 10 + i, i < 3 ? 0 : 0.01 * i);
    const void *turned[] = {run[2], run[0], run[1], run[4], run[5], run[3]};
    const struct compared_system a = {.seeds = 3, .item = run}, b = {.seeds = 3, .item = run + 3},
                                 c = {.seeds = 3, .item = turned},
                                 d = {.seeds = 3, .item = turned + 3};
    const struct significance one = test(&quick, &a, &b, 150), two = test(&quick, &c, &d, 150);
    assert_float_equal(one.difference, two.difference, 1e-12);
    assert_float_equal(one.p, two.p, 1e-12);
    assert_float_equal(one.detectable, two.detectable, 1e-10);
    assert_true(one.koehn == two.koehn && one.centered == two.centered);
}

/* The score of a seed is the mean of its sets. Resamples draw seeds, always with all their sets. */
TEST(sets_of_a_seed)
{
    const void *run[4];
    for (uint32_t i = 0; i < 4; i++) run[i] = simulate(150, 1, 30 + i, i % 2 ? 0.1 : 0);
    const struct compared_system one = {.seeds = 1, .sets = 2, .item = run},
                                 other = {.seeds = 1, .sets = 2, .item = run + 2};
    const struct significance sets = test(&quick, &one, &other, 150);
    assert_float_equal(
        sets.known.b,
        (compare(run[0], run[1], 150).known.b + compare(run[1], run[0], 150).known.b) / 2, 1e-12);
    const struct compared_system two = {.seeds = 2, .item = run},
                                 rest = {.seeds = 2, .item = run + 2};
    const struct significance seeds = test(&quick, &two, &rest, 150);
    assert_float_equal(sets.difference, seeds.difference, 1e-12);
    assert_true(seeds.detectable > 1.5 * sets.detectable);
}

/* Two systems have two seeds each. In all sentences but one, both systems have equal total edits.
 * TER in single precision is rounded differently for equal edits. But every resample without this
 * sentence must be a tie. So p must equal the p of edits, which are counted in double. */
TEST(rounding_of_samples)
{
    enum { SENTENCES = 12 };
    struct ter_item ter[2][2][SENTENCES];
    double edits[2][2][SENTENCES];
    struct pcg64 random = pcg64_seed(3);
    for (int i = 0; i < SENTENCES; i++)
        for (int side = 0; side < 2; side++) {
            const int first = (int)pcg64_below(&random, 8);
            for (int seed = 0; seed < 2; seed++) {
                edits[side][seed][i] = (seed ? 7 - first : first) + (side && seed && !i);
                ter[side][seed][i] = (struct ter_item){edits[side][seed][i], 7};
            }
        }
    struct significance p[2];
    for (int of_edits = 0; of_edits < 2; of_edits++) {
        const void *item[2][2];
        for (int k = 0; k < 4; k++)
            item[k / 2][k % 2] = of_edits ? (void *)edits[k / 2][k % 2] : ter[k / 2][k % 2];
        const struct compared_system a = {.seeds = 2, .item = item[0]},
                                     b = {.seeds = 2, .item = item[1]};
        p[of_edits] = compared_items(of_edits ? &statistic_mean : &statistic_ter,
                                     (struct strata){1, (int[]){SENTENCES}}, &quick, &a, &b);
    }
    assert_true(p[0].koehn == p[1].koehn && p[0].koehn > 0.3 && p[0].koehn < 0.4);
}

/* Differences between seeds widen the interval. A single seed does not show them. */
TEST(seeds_count)
{
    const void *run[6];
    for (uint32_t i = 0; i < 6; i++) run[i] = simulate(400, 1, 20 + i, 0.06 * (double)(i % 3));
    const struct compared_system three = {.seeds = 3, .item = run},
                                 others = {.seeds = 3, .item = run + 3},
                                 one = {.seeds = 1, .item = run + 1},
                                 other = {.seeds = 1, .item = run + 4};
    const struct significance wide = test(&quick, &three, &others, 400),
                              narrow = test(&quick, &one, &other, 400);
    assert_true(wide.detectable > 1.5 * narrow.detectable);
    assert_true(wide.decides && wide.p > 0.05 && !narrow.decides && isnan(narrow.p));
    const struct significance unequal = test(&quick, &three, &one, 400);
    assert_true(isnan(unequal.swapped) && !isnan(unequal.koehn));
    assert_true(!unequal.decides && isnan(unequal.p));
}

/* The systems differ only by chance. The bootstrap marks one system as better in about alpha of all
 * cases, and as worse in about alpha. The randomization test marks about alpha, both directions
 * together. The centered test marks about 2 alpha, because it compares |d| with one tail. Of 400
 * cases with alpha = .05, 20 are expected with a standard deviation of 4.4. For the centered test,
 * 40 are expected with a standard deviation of 6. */
TEST(false_positives)
{
    enum { CASES = 400, SENTENCES = 80 };
    int better = 0, worse = 0, centered = 0, swapped = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct significance result =
            compare(simulate(SENTENCES, 3 * i, 3 * i + 1, 0),
                    simulate(SENTENCES, 3 * i, 3 * i + 2, 0), SENTENCES);
        better += result.difference > 0 && result.koehn < .05;
        worse += result.difference < 0 && result.koehn < .05;
        centered += result.centered < .05;
        swapped += result.swapped < .05;
    }
    print_message("of %d equal pairs: better %d, worse %d, centered %d, swapped %d\n", CASES,
                  better, worse, centered, swapped);
    assert_in_range(better, 5, 38);
    assert_in_range(worse, 5, 38);
    assert_in_range(swapped, 5, 38);
    assert_in_range(centered, 20, 62);
}

/* Each system has five seeds. Their scores vary about as much as the resampled score of one
 * seed. */
TEST(false_positives_of_seeds)
{
    enum { CASES = 200, SENTENCES = 60, SEEDS = 5 };
    int marked = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        struct pcg64 luck = pcg64_seed(1000 + i);
        const void *run[2 * SEEDS];
        for (uint32_t k = 0; k < 2 * SEEDS; k++) {
            const double talent = 0.08 * (pcg64_uniform(&luck) + pcg64_uniform(&luck) - 1);
            run[k] = simulate(SENTENCES, i, 10000 + 16 * i + k, talent);
        }
        const struct compared_system a = {.seeds = SEEDS, .item = run},
                                     b = {.seeds = SEEDS, .item = run + SEEDS};
        const struct significance_options how = {.samples = 200, .trials = 0, .seed = i};
        marked += test(&how, &a, &b, SENTENCES).p < .05;
    }
    print_message("of %d equal pairs with %d seeds: marked %d\n", CASES, SEEDS, marked);
    assert_in_range(marked, 1, 16); /* expected: at most 10, with deviation 3 */
}

/* Holm 1979. Adjusted values by hand: the sorted values .005 .01 .03 .04 are multiplied by 4, 3, 2
 * and 1. No adjusted value is less than the one before it. */
TEST(holm)
{
    const double nan = (double)NAN;
    double p[] = {.01, .04, nan, .03, .005};
    const double expected[] = {.03, .06, nan, .06, .02};
    significance_holm(p, 5);
    for (int i = 0; i < 5; i++) {
        if (i == 2)
            assert_true(isnan(p[i]));
        else
            assert_float_equal(p[i], expected[i], 1e-12);
    }
    double large[] = {.6, .5};
    significance_holm(large, 2);
    assert_true(large[0] == 1 && large[1] == 1);
}
