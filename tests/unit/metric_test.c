/* Tests chrF, TER, n-gram precision, and preference in contrastive pairs. Expected values were
 * computed by hand from the definitions, or printed by sacreBLEU 2.6.0. scripts/compare/bleu.sh
 * compares the scores of whole files. */
#include "tests/support/test.h"

#include "core/decode/metric.h"
#include "core/text/lower.h"
#include "core/decode/ngram_scores.h"
#include "core/decode/contrast.h"

static double chrf_score(const struct chrf_options *options, const struct chrf_item *item,
                         int count)
{
    const struct statistic chrf = statistic_chrf(options);
    return statistic_of(&chrf, (struct strata){1, &count}, item, NULL);
}

static double ter_score(const struct ter_item *item, int count)
{
    return statistic_of(&statistic_ter, (struct strata){1, &count}, item, NULL);
}

static double chrf_of(const struct chrf_options *options, const char *hypothesis,
                      const char *reference)
{
    struct chrf_item item;
    const char *const *const references[] = {&reference};
    chrf_count(options, &hypothesis, references, 1, 1, &item);
    return chrf_score(options, &item, 1);
}

/* "abcd" and "abce" share 3 of 4 characters, 2 of 3 bigrams, 1 of 2 trigrams and 0 of 1 4-grams.
 * Longer n-grams do not exist. P = R = (3/4 + 2/3 + 1/2 + 0) / 4. */
TEST(characters_by_hand)
{
    const double mean = (3. / 4 + 2. / 3 + 1. / 2) / 4;
    assert_float_equal(chrf_of(&chrf_default, "abcd", "abce"), 100 * mean, 1e-9);
    assert_float_equal(chrf_of(&chrf_default,
                               " a b\tc\xc2\xa0"
                               "d",
                               "ab ce"),
                       100 * mean, 1e-9);
    /* "ab" against "abcd": both texts have n-grams of orders 1 and 2. P is 1 and 1, R is 1/2 and
     * 1/3. The weight of recall is beta^2 = 4. */
    const double p = 1, r = (1. / 2 + 1. / 3) / 2;
    assert_float_equal(chrf_of(&chrf_default, "ab", "abcd"), 100 * 5 * p * r / (4 * p + r), 1e-9);
    const struct chrf_options even = {.characters = 2, .beta = 1};
    assert_float_equal(chrf_of(&even, "ab", "abcd"), 100 * 2 * p * r / (p + r), 1e-9);
    assert_float_equal(chrf_of(&even, "aaa", "ab"), 100 * 2 * (1. / 6) * .25 / (1. / 6 + .25),
                       1e-9);
    /* A letter of three bytes is one character. */
    assert_float_equal(chrf_of(&even, "\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5"), 100 * 2. / 3,
                       1e-9);
    assert_true(chrf_of(&chrf_default, "", "a") == 0);
    assert_true(chrf_of(&chrf_default, "a", "") == 0);
    assert_true(chrf_of(&chrf_default, "x", "a") == 0);
}

/* chrF++ splits off punctuation: the words are a, b, (, c and a, b, c, "." with one character each.
 * Both texts have equally many n-grams, so P = R. They share 3 of 4 words and 1 of 3 word bigrams
 * (a b). "ab(c" and "abc." share 3 of 4 characters, 1 of 3 bigrams, 0 of 2 trigrams and 0 of 1
 * 4-grams. */
TEST(words_by_hand)
{
    const struct chrf_options plus = {.characters = 6, .words = 2, .beta = 2};
    const double mean = (3. / 4 + 1. / 3 + 0 + 0 + 3. / 4 + 1. / 3) / 6;
    assert_float_equal(chrf_of(&plus, "a b (c", "a b c."), 100 * mean, 1e-9);
    char name[CHRF_TEXT], signature[CHRF_TEXT];
    chrf_name(&plus, name);
    assert_string_equal(name, "chrF2++");
    chrf_signature(&plus, 2, "bs:10|seed:3|", signature);
    assert_string_equal(signature, "nrefs:2|bs:10|seed:3|case:mixed|eff:yes|nc:6|nw:2|space:no|"
                                   "impl:sanlab-1|compat:sacrebleu-2.6.0");
}

/* A trailing punctuation mark is split off. A leading mark is split off only if the word has no
 * trailing mark. So the words "(a" and ")" match none of "(", "a" and "x". 2 of 3 characters
 * match. */
TEST(trailing_signs_are_cut_off_first)
{
    const struct chrf_options one = {.characters = 1, .words = 1, .beta = 1};
    assert_float_equal(chrf_of(&one, "(a)", "(a x"), 100 / 3., 1e-9);
}

/* The reference "a" has no bigrams. So the bigrams of its hypothesis "abcd" are not counted.
 * Characters: P is 3 of 6, R is 3 of 3. Bigrams: P is 1 of 1, R is 1 of 1. */
TEST(short_references_count_for_short_orders)
{
    const struct chrf_options two = {.characters = 2, .beta = 1};
    const char *const hypothesis[] = {"abcd", "ab"}, *const reference[] = {"a", "ab"};
    const char *const *const references[] = {reference};
    struct chrf_item item[2];
    chrf_count(&two, hypothesis, references, 1, 2, item);
    assert_float_equal(chrf_score(&two, item, 2), 100 * 2 * .75 * 1 / 1.75, 1e-9);
}

TEST(the_best_reference_counts)
{
    const char *const hypothesis[] = {"ab", "cd"}, *const first[] = {"xy", "cd"},
                      *const second[] = {"abcd", "zz"};
    const char *const *const references[] = {first, second};
    struct chrf_item item[2];
    chrf_count(&chrf_default, hypothesis, references, 2, 2, item);
    assert_int_equal(item[0].reference[0], 4);
    assert_int_equal(item[0].both[1], 1);
    assert_int_equal(item[1].both[0], 2);
    /* Characters: P is 4 of 4, R is 4 of 6. Bigrams: P is 2 of 2, R is 2 of 4. Only the references
     * have longer n-grams. */
    const double p = 1, r = (4. / 6 + 2. / 4) / 2;
    assert_float_equal(chrf_score(&chrf_default, item, 2), 100 * 5 * p * r / (4 * p + r), 1e-9);
    /* The best of three references counts. If several are equally good, the first of them
     * counts. */
    const char *const ours[] = {"ab", "q"}, *const one[] = {"ab", "xyz"},
                      *const other[] = {"zz", "xy"}, *const last[] = {"ax", "x"};
    chrf_count(&chrf_default, ours, (const char *const *const[]){one, other, last}, 3, 2, item);
    assert_int_equal(item[0].both[0], 2);
    assert_int_equal(item[1].reference[0], 3);
}

static int edits(const char *hypothesis, const char *reference)
{
    int32_t ours[200], theirs[200];
    const int count = (int)strlen(hypothesis), words = (int)strlen(reference);
    for (int i = 0; i < count; i++) ours[i] = hypothesis[i];
    for (int i = 0; i < words; i++) theirs[i] = reference[i];
    return ter_edits(ours, count, theirs, words);
}

/* Each letter is a word. */
TEST(edits_by_hand)
{
    assert_int_equal(edits("abcd", "abcd"), 0);
    assert_int_equal(edits("abcd", "abxd"), 1);  /* one replacement */
    assert_int_equal(edits("abcd", "abd"), 1);   /* one deletion */
    assert_int_equal(edits("abcd", "abxcd"), 1); /* one insertion */
    assert_int_equal(edits("", "abc"), 3);
    assert_int_equal(edits("abc", ""), 3);
    assert_int_equal(edits("cdab", "abcd"), 1); /* one shift; 4 edits without shifts */
    assert_int_equal(edits("abcdefg", "efgabcd"), 1);
    assert_int_equal(edits("cdabghef", "abcdefgh"), 2); /* two shifts */
    /* Two shifts would be enough. But TER applies one shift after another, and neither shift alone
     * reduces the number of edits. So 4 words are replaced. */
    assert_int_equal(edits("fgcdeab", "abcdefg"), 4);
    assert_int_equal(edits("cdabx", "abcdy"), 2); /* a shift and a replacement */
    /* A shift moves at most 10 words. So 11 words need two shifts. */
    assert_int_equal(edits("klmnopqrstuABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPklmnopqrstu"), 2);
    assert_int_equal(edits("klmnopqrstABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPklmnopqrst"), 1);
}

/* Edits that sacreBLEU counts. The cases have equally good shifts, shifts to a place within the
 * shifted words, the limit of the beam, and the limit of tried shifts. */
TEST(edits_of_sacrebleu)
{
    static const struct {
        const char *hypothesis, *reference;
        int edits;
    } cases[] = {
        {"cbedb", "bdecb", 3},
        {"acbd", "dabc", 3},
        {"bcac", "ccba", 2},
        {"abcbddd", "cdabbdd", 3},
        {"abaab", "aabba", 2},
        {"aabbaabbaabbbaaabaaaababbbbbbabaaababbbb", "aabbaabbaabbbabbaabababaaaabaababbbabbbb", 4},
        {"abc",
         "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxabcyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", 81},
        {"a", "bbbbbbbbbbbbbbbbbbbbabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 69},
        {"bcaaabbddbbdbbbbcccadddccdcdabaabdbdbbba", "bcaaadabaabdbbbbbbaddbbdbbbbcccadddccdcd",
         24},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(edits(cases[i].hypothesis, cases[i].reference), cases[i].edits);
}

TEST(shifts_have_a_reach)
{
    char near[200], far[200], at_front[200], of[80];
    for (int i = 0; i < 60; i++) of[i] = (char)(33 + i);
    of[50] = 0;
    snprintf(at_front, sizeof at_front, "~%s", of);
    snprintf(near, sizeof near, "%s~", of);
    assert_int_equal(edits(near, at_front), 1); /* a shift by 50 places */
    of[50] = (char)(33 + 50);
    of[51] = 0;
    snprintf(at_front, sizeof at_front, "~%s", of);
    snprintf(far, sizeof far, "%s~", of);
    assert_int_equal(edits(far, at_front), 2); /* 51: deletion and insertion */
}

TEST(lines_of_words)
{
    const struct ter_options small = {false}, exact = {true};
    const char *const hypothesis[] = {"The  DOG barked\xc2\xa0.", "a b"},
                      *const first[] = {"the dog barked .", "a b c d"},
                      *const second[] = {"a dog", "b"};
    const char *const *const references[] = {first, second};
    struct ter_item item[2];
    ter_count(&small, hypothesis, references, 1, 2, item);
    assert_true(item[0].edits == 0 && item[0].words == 4);
    assert_true(item[1].edits == 2 && item[1].words == 4);
    assert_float_equal(ter_score(item, 2), 100. * 2 / 8, 1e-9);
    ter_count(&small, hypothesis, references, 2, 2, item);
    assert_true(item[0].edits == 0 && item[0].words == 3); /* mean of 4 and 2 words */
    assert_true(item[1].edits == 1 && item[1].words == 2.5);
    assert_float_equal(ter_score(item, 2), 100. * 1 / 5.5, 1e-9);
    ter_count(&exact, hypothesis, references, 1, 1, item);
    assert_true(item[0].edits == 2);
    char signature[TER_TEXT];
    ter_signature(&exact, 1, "", signature);
    assert_string_equal(signature, "nrefs:1|case:mixed|tok:tercom|norm:no|punct:yes|asian:no|"
                                   "impl:sanlab-1|compat:sacrebleu-2.6.0");
    const char *const empty[] = {""}, *const something[] = {"x"};
    const char *const *const nothing[] = {empty};
    ter_count(&small, empty, nothing, 1, 1, item);
    assert_true(ter_score(item, 1) == 0);
    ter_count(&small, something, nothing, 1, 1, item);
    assert_true(ter_score(item, 1) == 100);
}

TEST(small_letters)
{
    static const struct {
        const char *text, *lower;
    } cases[] = {{"ABC xYz", "abc xyz"},
                 {"\xc3\x84\xc3\x9f", "\xc3\xa4\xc3\x9f"},                   /* Äß */
                 {"\xce\x91\xce\xa3", "\xce\xb1\xcf\x82"},                   /* ΑΣ: final sigma */
                 {"\xce\xa3", "\xcf\x83"},                                   /* Σ alone */
                 {"\xce\x91\xce\xa3\xce\x91", "\xce\xb1\xcf\x83\xce\xb1"},   /* ΑΣΑ */
                 {"\xce\x91\xce\xa3'\xce\x91", "\xce\xb1\xcf\x83'\xce\xb1"}, /* ΑΣ'Α */
                 {"\xf0\x9f\x84\xb0\xce\xa3", "\xf0\x9f\x84\xb0\xcf\x82"},   /* 🄰Σ, as Python */
                 {"\xce\x91'\xce\xa3", "\xce\xb1'\xcf\x82"}, /* Α'Σ: final sigma */
                 {"\xca\xb0\xce\xa3", "\xca\xb0\xcf\x83"},   /* ʰΣ */
                 {"\xce\x91\xce\xa3\xca\xb0\xce\x91", "\xce\xb1\xcf\x83\xca\xb0\xce\xb1"},
                 {"\xe2\x92\xb6\xce\xa3", "\xe2\x93\x90\xcf\x82"}, /* ⒶΣ */
                 {"\xc4\xb0", "i\xcc\x87"}};                       /* İ */
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buffer out = {0};
        lower_add(&out, cases[i].text, strlen(cases[i].text));
        buffer_add_byte(&out, 0);
        assert_string_equal(out.text, cases[i].lower);
        buffer_free(&out);
    }
}

TEST(signatures_are_read)
{
    static const struct score_metric cases[] = {
        {.kind = METRIC_CHRF, .chrf = {6, 0, 2}},
        {.kind = METRIC_CHRF, .chrf = {4, 2, 3}},
        {.kind = METRIC_TER},
        {.kind = METRIC_TER, .ter = {true}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct score_metric read;
        char name[METRIC_TEXT], signature[METRIC_TEXT], text[2 * METRIC_TEXT + 20];
        metric_name(&cases[i], name);
        metric_signature(&cases[i], 2, "", signature);
        snprintf(text, sizeof text, "%s|%s|refs:0", name, signature);
        assert_true(metric_read(text, &read));
        assert_memory_equal(&read, &cases[i], sizeof read);
    }
    struct score_metric read;
    assert_false(metric_read("chrF2|nrefs:1|nc:6|nw:0|version:2.6.0", &read));
    assert_false(metric_read("chrF2|nc:99|nw:0|compat:sacrebleu-2.6.0", &read));
    assert_false(metric_read("chrF2|nrefs:1|nc:6|nw:99|compat:sacrebleu-2.6.0", &read));
    assert_false(metric_read("BLEU|nrefs:1|compat:sacrebleu-2.6.0", &read));
    assert_false(metric_read("TER|case:lc|tok:other|compat:sacrebleu-2.6.0", &read));
}

/* Each metric has a statistic. If both sentences are selected, it is the score of the file. If the
 * first sentence, which has no error, is selected twice, it is the best score. */
TEST(of_each_metric_there_is_a_statistic)
{
    const char *const hypothesis[] = {"a b c d", "e f g h"}, *const reference[] = {"a b c d",
                                                                                   "e f"};
    const char *const *const references[] = {reference};
    static const struct {
        int kind;
        const char *name;
        double score;
    } cases[] = {
        {METRIC_BLEU, "BLEU", 0}, {METRIC_CHRF, "chrF2", 0}, {METRIC_TER, "TER", 100. / 3}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct score_metric metric = {.kind = cases[i].kind, .chrf = chrf_default};
        const struct statistic statistic = metric_statistic(&metric);
        const int count = 2;
        const uint32_t same[] = {0, 0}, both[] = {0, 1};
        const void *item = metric_count(&metric, hypothesis, references, 1, count, &arena);
        const struct strata strata = {1, &count};
        const double whole = statistic_of(&statistic, strata, item, NULL);
        char name[METRIC_TEXT];
        metric_name(&metric, name);
        assert_string_equal(name, cases[i].name);
        if (cases[i].score > 0) assert_float_equal(whole, cases[i].score, 1e-9);
        assert_float_equal(statistic_of(&statistic, strata, item, both), whole, 0);
        assert_float_equal(statistic.of(statistic.context, strata, item, both, true), whole, 1e-4);
        assert_float_equal(statistic.of(statistic.context, strata, item, same, true),
                           metric.kind == METRIC_TER ? 0 : 100, 1e-4);
    }
    struct score_metric wrong = {.kind = METRIC_TER, .chrf = {6, 2, 2}};
    EXPECT_DIE("--char-order, --word-order and --beta need --metric chrf", metric_check(&wrong));
    wrong = (struct score_metric){
        .kind = METRIC_CHRF, .chrf = chrf_default, .bleu.smoothing = BLEU_NO_SMOOTHING};
    EXPECT_DIE("--smoothing and --lowercase need BLEU; the metric is chrf", metric_check(&wrong));
    wrong = (struct score_metric){.chrf = chrf_default, .ter = {.case_sensitive = true}};
    EXPECT_DIE("--case-sensitive needs --metric ter; the metric is BLEU", metric_check(&wrong));
}

static struct bleu_stats stats_of(const char *hypothesis, const char *reference)
{
    const struct bleu_options options = bleu_options_named("none");
    struct bleu_counter *counter = bleu_counter_open(&options, NGRAM_ORDER);
    const struct bleu_stats stats = bleu_count(counter, hypothesis, &reference, 1);
    bleu_counter_close(counter);
    return stats;
}

/* The hypothesis has the nine words a to i, and the reference has x instead of e. There are 9 - n +
 * 1 n-grams of order n. N-grams with e do not match. So 8 of 9 words, 6 of 8 bigrams, 4 of 7
 * trigrams and 2 of 6 4-grams (abcd, fghi) match. No longer n-gram matches. */
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
    /* Orders 5 to 8 have no match, and are smoothed as 1/2, 1/4, 1/8 and 1/16 of a match. */
    static const double expected[] = {8 / 9.,  6 / 8.,  4 / 7.,  2 / 6.,
                                      1 / 10., 1 / 16., 1 / 24., 1 / 32.};
    double product = 1;
    for (int n = 0; n < NGRAM_ORDER; n++) {
        product *= expected[n];
        assert_float_equal(scores.individual[n], 100 * expected[n], 1e-10);
        assert_float_equal(scores.cumulative[n], 100 * pow(product, 1. / (n + 1)), 1e-10);
    }
}

/* "a a a" against "a b": only one a of three matches, because the reference has only one a. Three
 * words are more than two, so the brevity penalty is 1. "a" against "a b": the brevity penalty is
 * exp(1 - 2 / 1). */
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
    /* Sums over selected sentences. If the first sentence is selected twice, 2 of 6 words match. If
     * both sentences are selected, 2 of 4 words match. Then hypotheses and references have equal
     * lengths. */
    const uint32_t twice[] = {0, 0};
    assert_float_equal(ngram_score(both, twice, 2).individual[0], 100 / 3., 1e-10);
    scores = ngram_score(both, NULL, 2);
    assert_float_equal(scores.individual[0], 50, 1e-10);
    assert_float_equal(scores.cumulative[0], 50, 1e-10);
}

/* An example of sacreBLEU: matches 9, 7, 5, 3 of 10, 8, 6, 4 n-grams give BLEU 83.75922397. */
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

/* In `shorter`, the right target has the higher total probability, and the wrong target has the
 * higher probability per piece. */
TEST(preferences)
{
    const struct contrast shorter = {{-4, -6}, {2, 4}}, equal = {{-4, -4}, {2, 2}};
    assert_true(contrast_prefers(&shorter, false));
    assert_false(contrast_prefers(&shorter, true));
    assert_false(contrast_prefers(&equal, false) || contrast_prefers(&equal, true));
    assert_float_equal(contrast_share(&shorter), 1 / (1 + exp(-2)), 1e-12);
    assert_float_equal(contrast_share(&equal), 0.5, 0);
}

static const char *path_with(const char *text)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/pairs.tsv", test_folder("contrast"));
    put_text(path, text);
    return path;
}

TEST(pairs_of_a_file)
{
    struct contrast_pairs pairs =
        contrast_read(&arena, path_with("\xEF\xBB\xBFsource\tright\twrong\tkind\n"
                                        "a b\tc d\tc e\tnoun\r\nf\tg\th\t\n"));
    assert_int_equal(pairs.count, 2);
    assert_int_equal(pairs.tags, 1);
    assert_string_equal(pairs.tag_name[0], "kind");
    assert_true(pairs.line[0] == 2 && pairs.line[1] == 3);
    assert_string_equal(pairs.source[0], "a b");
    assert_string_equal(pairs.target[CONTRAST_RIGHT][0], "c d");
    assert_string_equal(pairs.target[CONTRAST_WRONG][1], "h");
    assert_string_equal(pairs.tag[0][0], "noun");
    pairs = contrast_read(&arena, path_with("\xEF\xBB\xBF"
                                            "a\tb\tc\n"));
    assert_true(pairs.count == 1 && pairs.line[0] == 1 && pairs.tags == 0);
    assert_string_equal(pairs.source[0], "a");
    EXPECT_DIE("pairs.tsv:2: the right and the wrong target are equal",
               contrast_read(&arena, path_with("a\tb\tc\nd\te\te\n")));
    EXPECT_DIE("pairs.tsv:2: 4 columns, but the first line has 3",
               contrast_read(&arena, path_with("a\tb\tc\nd\te\tf\tg\n")));
    EXPECT_DIE("no pair after the first line",
               contrast_read(&arena, path_with("source\tright\twrong\n")));
}
