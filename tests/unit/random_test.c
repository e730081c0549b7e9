/* core/base/random.h: the word and block of each random value, for every kind of number,
 * permutations and streams. A change would change every training. */
#include "tests/support/test.h"

#include "core/base/random.h"

static const struct random_key key = {20201, 77};
enum { STEP = 9, MANY = 3000 };

/* Hashes of the authors of FNV. */
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

/* floor(bound * draw / 2^64) by long division in halves: bound < 2^32. */
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

/* Every element may keep its position: for each of four some permutation does. */
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
        assert_in_range(times[i], 60, 140); /* 100, and 4 standard deviations */
    }
    assert_int_equal(kinds, ALL);
}

TEST(thresholds_are_rounded)
{
    assert_int_equal(random_threshold(0), 0);
    assert_int_equal(random_threshold(.1), 6554);
    assert_int_equal(random_threshold(.5), 32768);
}
