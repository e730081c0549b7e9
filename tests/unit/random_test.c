/* Tests core/base/random.h: which block and which word of it a random value uses, for numbers of
 * every kind, permutations and streams. If this changed, every training would change. Also tests
 * core/base/pcg64.h against NumPy: values of its documentation, and draws of default_rng(SEED). */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "core/base/pcg64.h"

static const struct random_key key = {20201, 77};
enum { STEP = 9, MANY = 3000 };

/* The expected hashes were published by the authors of FNV. */
TEST(streams_are_fnv)
{
    assert_int_equal(random_stream(""), 0x811c9dc5u);
    assert_int_equal(random_stream("a"), 0xe40c292cu);
    assert_int_equal(random_stream("foobar"), 0xbf9cf968u);
}

TEST(uniform_has_a_word_each)
{
    for (uint64_t i = 0; i < MANY; i++) {
        uint32_t word[4];
        random_block(key, i / 4, STEP, 0, word);
        const double expected = (double)(word[i % 4] / 256) / 16777216;
        assert_true(random_uniform(key, i, STEP) == expected);
    }
}

/* The expected value is floor(bound * draw / 2^64) for a draw of 64 bits and a bound of 32 bits. It
 * is computed from the two halves of the draw. */
TEST(below_has_two_words_each)
{
    static const uint32_t bounds[] = {1, 2, 3, 100, 65537, 4000000000u};
    for (uint64_t i = 0; i < MANY; i++) {
        const uint32_t bound = bounds[i % COUNT_OF(bounds)];
        uint32_t word[4];
        random_block(key, i, STEP, 0, word);
        const uint64_t low = (uint64_t)word[0] * bound, high = (uint64_t)word[1] * bound;
        assert_int_equal(random_below(key, i, STEP, bound), (high + (low >> 32)) >> 32);
    }
}

/* Compares permutations with the shuffle of Fisher and Yates. All 24 permutations of 4 elements
 * must be about equally frequent, also permutations that keep an element in its place. */
TEST(permutations_are_of_fisher_and_yates)
{
    enum { COUNT = 4, PERMUTATIONS = 2400, ALL = 24 };
    int times[COUNT * COUNT * COUNT * COUNT] = {0}, kinds = 0;
    for (uint32_t step = 0; step < PERMUTATIONS; step++) {
        int32_t got[COUNT], expected[COUNT] = {0, 1, 2, 3};
        random_permute(key, step, got, COUNT);
        for (int i = COUNT - 1; i > 0; i--) {
            const uint32_t j = random_below(key, (uint64_t)i, step, (uint32_t)i + 1);
            const int32_t keep = expected[i];
            expected[i] = expected[j], expected[j] = keep;
        }
        assert_memory_equal(got, expected, sizeof got);
        times[((got[0] * COUNT + got[1]) * COUNT + got[2]) * COUNT + got[3]]++;
    }
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        if (!times[i]) continue;
        kinds++;
        assert_in_range(times[i], 60, 140); /* 100 and 4 standard deviations of 9.8 */
    }
    assert_int_equal(kinds, ALL);
}

TEST(thresholds_are_rounded)
{
    assert_int_equal(random_threshold(0), 0);
    assert_int_equal(random_threshold(.1), 6554);
    assert_int_equal(random_threshold(.5), 32768);
}

TEST(documented_values)
{
    struct pcg64 random = pcg64_seed(12345);
    assert_true(pcg64_uniform(&random) == 0.22733602246716966);
    random = pcg64_seed(42);
    assert_true(pcg64_uniform(&random) == 0.7739560485559633);
    random = pcg64_seed(12345);
    static const uint32_t integers[] = {6, 2, 7};
    for (size_t i = 0; i < COUNT_OF(integers); i++)
        assert_int_equal(pcg64_below(&random, 10), integers[i]);
}

TEST(index_stream)
{
    static const uint32_t first[] = {2099, 682, 2368, 951, 613, 2394, 1929, 2030};
    struct pcg64 random = pcg64_seed(12345);
    for (size_t i = 0; i < COUNT_OF(first); i++)
        assert_int_equal(pcg64_below(&random, 3003), first[i]);
}

/* With a bound of 3000000000, many draws are rejected and repeated. A bound of 1 draws nothing. The
 * expected values are NumPy's: default_rng(7).integers(0, bound, 5). */
TEST(bounds)
{
    static const struct {
        uint32_t bound, value[5];
    } cases[] = {
        {3000000000u, {2834714867u, 2052539810u, 2691641402u, 1734877356u, 2327057070u}},
        {1u << 31, {2029167941u, 1342382292u, 1469265226u, 1926751966u, 1241873585u}},
    };
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct pcg64 random = pcg64_seed(7);
        assert_int_equal(pcg64_below(&random, 1), 0);
        for (int i = 0; i < 5; i++)
            assert_int_equal(pcg64_below(&random, cases[c].bound), cases[c].value[i]);
    }
}
