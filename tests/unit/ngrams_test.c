/* core/decode/ngrams against counts by hand. */
#include "tests/support/test.h"

#include "core/decode/ngrams.h"

static struct bleu_stats stats_of(const char *hypothesis, const char *reference)
{
    const struct bleu_options options = bleu_options_named("none");
    struct bleu_counter *counter = bleu_counter_open(&options, NGRAM_ORDER);
    const struct bleu_stats stats = bleu_count(counter, hypothesis, &reference, 1);
    bleu_counter_close(counter);
    return stats;
}

/* a b c d e f g h i: nine words; the reference has x for e. There are 9 - n + 1 n-grams of order n;
 * those with e do not match: 8 of 9 words, 6 of 8 pairs, 4 of 7, 2 of 6 (abcd, fghi), then none. */
TEST(orders_to_eight)
{
    const struct bleu_stats stats = stats_of("a b c d e f g h i", "a b c d x f g h i");
    static const int match[] = {8, 6, 4, 2, 0, 0, 0, 0}, total[] = {9, 8, 7, 6, 5, 4, 3, 2};
    for (int n = 0; n < NGRAM_ORDER; n++) {
        assert_int_equal(stats.match[n], match[n]);
        assert_int_equal(stats.total[n], total[n]);
    }
    assert_int_equal(stats.hyp_len, 9);
    const struct ngram_scores scores = ngram_score(&stats, NULL, 1);
    /* Orders 5 to 8 count 1/2, 1/4, 1/8, 1/16 of a match. */
    static const double expected[] = {8 / 9.,  6 / 8.,  4 / 7.,  2 / 6.,
                                      1 / 10., 1 / 16., 1 / 24., 1 / 32.};
    double product = 1;
    for (int n = 0; n < NGRAM_ORDER; n++) {
        product *= expected[n];
        assert_float_equal(scores.individual[n], 100 * expected[n], 1e-10);
        assert_float_equal(scores.cumulative[n], 100 * pow(product, 1. / (n + 1)), 1e-10);
    }
}

/* "a a a" of "a b": one a is clipped away twice; c = 3 is longer, BP 1. "a" of "a b": BP
 * exp(-1). */
TEST(clipped_and_short)
{
    const struct bleu_stats both[] = {stats_of("a a a", "a b"), stats_of("a", "a b")};
    struct ngram_scores scores = ngram_score(&both[0], NULL, 1);
    assert_float_equal(scores.individual[0], 100 / 3., 1e-10);
    assert_float_equal(scores.individual[1], 100 * 0.5 / 2, 1e-10);
    assert_float_equal(scores.individual[2], 100 * 0.25, 1e-10);
    assert_true(isnan(scores.individual[3]) && isnan(scores.cumulative[3]));
    scores = ngram_score(&both[1], NULL, 1);
    assert_float_equal(scores.individual[0], 100, 1e-10);
    assert_float_equal(scores.cumulative[0], 100 * exp(-1), 1e-10);
    /* Sums, chosen: the first one twice is 2 of 6 words; both are 2 of 4, c = 4 = r. */
    const uint32_t twice[] = {0, 0};
    assert_float_equal(ngram_score(both, twice, 2).individual[0], 100 / 3., 1e-10);
    scores = ngram_score(both, NULL, 2);
    assert_float_equal(scores.individual[0], 50, 1e-10);
    assert_float_equal(scores.cumulative[0], 50, 1e-10);
}

/* sacreBLEU's own example: 83.75922397 of matches 9 7 5 3 of 10 8 6 4. */
TEST(four_orders_are_bleu)
{
    const struct bleu_stats stats = {11, 11, {9, 7, 5, 3, 2, 1, 0, 0}, {10, 8, 6, 4, 3, 2, 1, 0}};
    const struct ngram_scores scores = ngram_score(&stats, NULL, 1);
    assert_float_equal(scores.cumulative[3], 83.75922397, 1e-7);
    assert_float_equal(scores.individual[6], 50, 1e-10);
    assert_true(isnan(scores.individual[7]));
}

TEST(empty_text)
{
    const struct bleu_stats stats = stats_of("", "a b");
    assert_true(isnan(ngram_score(&stats, NULL, 1).individual[0]));
}
