/* Tests BLEU against sacreBLEU 2.6.0 and multi-bleu.perl. The expected values are from their test
 * suites, or are their output for the text below. */
#include "tests/support/test.h"

#include "core/decode/bleu.h"
#include "core/decode/score_files.h"

static const struct bleu_options raw_exp = {.smoothing = BLEU_EXP};
static const struct bleu_options raw_none = {.smoothing = BLEU_NO_SMOOTHING};
static const struct bleu_options token_exp = {.tokenizer = BLEU_NONE};
static const struct bleu_options token_none = {.tokenizer = BLEU_NONE,
                                               .smoothing = BLEU_NO_SMOOTHING};
static const struct bleu_options intl_exp = {.tokenizer = BLEU_INTL};
static const struct bleu_options zh_exp = {.tokenizer = BLEU_ZH};
static const struct bleu_options char_exp = {.tokenizer = BLEU_CHAR};
static const struct bleu_options multi = {.metric = BLEU_MULTI_BLEU};
static const struct bleu_options multi_lower = {.metric = BLEU_MULTI_BLEU, .lowercase = true};
static const struct bleu_options multi_split = {.metric = BLEU_MULTI_BLEU,
                                                .compounds = BLEU_SPLIT_COMPOUNDS};

static void expect_line(const struct bleu *bleu, const struct bleu_options *options, int references,
                        const char *expected)
{
    char signature[BLEU_SIGNATURE_TEXT];
    bleu_signature(options, references, "", signature);
    char *line = PRINTED(bleu_print(bleu, options, signature, 2, "", out));
    assert_string_equal(line, expected);
}

static const char *const bites[] = {"The dog bit the man.", "It wasn't surprising.",
                                    "The man had just bitten him."};
static const char *const bites_0[] = {"The dog bit the man.", "It was not unexpected.",
                                      "The man bit him first."};
static const char *const bites_1[] = {"The dog had bit the man.", "No one was surprised.",
                                      "The man had bitten the dog."};

TEST(documented_values)
{
    const char *const *const references[] = {bites_0, bites_1};
    static const struct {
        const struct bleu_options *options;
        double score;
    } expected[] = {{&raw_exp, 48.530827},
                    {&raw_none, 48.530827},
                    {&token_exp, 49.1919566},
                    {&intl_exp, 43.91623493}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        struct bleu bleu = bleu_corpus(expected[i].options, bites, references, 2, 3, NULL);
        assert_float_equal(bleu.score, expected[i].score, 5e-7);
    }
    struct bleu_stats stats = {11, 11, {9, 7, 5, 3}, {10, 8, 6, 4}};
    assert_float_equal(bleu_score(&stats, &raw_exp).score, 83.75922397, 5e-9);
}

/* Lines with numbers, entities, quotes, NBSP, ideographic space, an empty hypothesis and a repeated
 * word. */
enum { SENTENCES = 9 };
static const char *const hypothesis[SENTENCES] = {
    "The rate rose by 3.5% (from 1,200 to 1,242) in 2014.",
    "\"Don't!\" she cried -- it's 5-6 o'clock, Mr. O'Neil...",
    "",
    "Grüße aus Köln: 20.000€ für „neue“ Straßen.",
    "R&amp;D costs &lt;10$&gt; &quot;today&quot;; see http://a.b/c?d=e_f",
    "one two",
    "彼 は\u3000東京 に 行く 。",
    "well-known state-of-the-art 7-fold a<skipped>b",
    "the the the the the the the",
};
static const char *const reference_0[SENTENCES] = {
    "The rate rose 3.5% (from 1,200 to 1,242) in 2014.",
    "\"Don't!\" she cried; it is 5-6 o'clock, Mr. O'Neil.",
    "Nothing was said.",
    "Grüße aus Köln: 20.000\u00a0€ für \"neue\" Straßen!",
    "R&D costs <10$> \"today\"; see http://a.b/c?d=e_f",
    "one two three",
    "彼 は 東京 へ 行く 。",
    "well-known state-of-the-art 7-fold ab",
    "the cat is on the mat",
};
static const char *const reference_1[SENTENCES] = {
    "By 3.5% rose the rate in 2014 (1,200 to 1,242).",
    "\"Do not!\", she cried. It's 5 or 6 o'clock, Mr. O'Neil...",
    "",
    "Grüße von Köln: 20.000€ für neue Straßen.",
    "Today R&D costs 10$; see http://a.b/",
    "two",
    "彼\u3000は 東京 に 行った 。",
    "a well known state of the art, seven-fold",
    "there is a cat on the mat",
};

TEST(lines_equal_sacrebleu)
{
    const char *const *const references[] = {reference_0, reference_1};
    static const struct {
        const struct bleu_options *options;
        int references;
        double score;
        const char *line;
    } expected[] = {
        {&raw_exp, 1, 70.44028946354695,
         "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|impl:sanlab-1|compat:sacrebleu-2.6.0 = "
         "70.44 84.8/76.2/71.1/66.7 (BP = 0.947 ratio = 0.948 hyp_len = 92 ref_len = 97)\n"},
        {&raw_none, 2, 80.64307657677764,
         "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:none|impl:sanlab-1|compat:sacrebleu-2.6.0 "
         "= 80.64 90.2/83.3/77.6/72.5 (BP = 1.000 ratio = 1.034 hyp_len = 92 ref_len = 89)\n"},
        {&token_exp, 1, 30.83526218149237,
         "BLEU|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|impl:sanlab-1|compat:sacrebleu-2.6.0 "
         "= 30.84 65.4/45.5/27.8/13.8 (BP = 0.944 ratio = 0.945 hyp_len = 52 ref_len = 55)\n"},
        {&token_none, 2, 39.69062329467121,
         "BLEU|nrefs:2|case:mixed|eff:no|tok:none|smooth:none|impl:sanlab-1|compat:sacrebleu-2.6.0 "
         "= 39.69 73.1/54.5/36.1/17.2 (BP = 1.000 ratio = 1.040 hyp_len = 52 ref_len = 50)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        struct bleu bleu = bleu_corpus(expected[i].options, hypothesis, references,
                                       expected[i].references, SENTENCES, NULL);
        assert_float_equal(bleu.score, expected[i].score, 1e-12);
        expect_line(&bleu, expected[i].options, expected[i].references, expected[i].line);
    }
}

static void expect_words(const struct bleu_options *options, const char *line, const char *expected)
{
    struct bleu_words words = {.arena = &arena};
    bleu_tokenize(options, line, &words);
    char joined[256] = "";
    size_t length = 0;
    for (int w = 0; w < words.count; w++)
        length += (size_t)snprintf(joined + length, sizeof joined - length, "%s%.*s", w ? " " : "",
                                   (int)words.word[w].bytes, words.word[w].text);
    assert_string_equal(joined, expected);
}

TEST(words_equal_sacrebleu)
{
    static const char *const pair[][2] = {
        {"a.b 1.b a.1 1.1 .. ...5.", "a . b 1 . b a . 1 1.1 . . . . . 5 ."},
        {"1-2 a-b 3- --4-5--", "1 - 2 a-b 3 - --4 - 5 - -"},
        {"$5.00,x,1,", "$ 5.00 , x , 1 ,"},
        {"x.\u00a0y", "x . y"},
        {"{a|b}~ `c` ^ '' it's", "{ a | b } ~ ` c ` ^ '' it's"},
        {"&amp;quot;", "& quot ;"},
        {"R&amp;D costs &lt;10$&gt; &quot;today&quot;", "R & D costs < 10 $ > \" today \""},
        {"   ", ""},
    };
    for (size_t i = 0; i < COUNT_OF(pair); i++) expect_words(&raw_exp, pair[i][0], pair[i][1]);
}

TEST(short_and_empty)
{
    static const struct {
        const char *hypothesis, *reference;
        double exp, none;
        const char *line; /* line with smoothing exp, after the signature */
    } expected[] = {
        {"x y", "a b", 0, 0,
         "0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 2 ref_len = 2)\n"},
        {"a b c", "a b c", 0, 0,
         "0.00 100.0/100.0/100.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)\n"},
        {"", "a", 0, 0,
         "0.00 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 1)\n"},
        {"a", "", 0, 0,
         "0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 1 ref_len = 0)\n"},
        {"", "", 0, 0, "0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)\n"},
        {"a b c d", "d c b a", 22.59005009024613, 0,
         "22.59 100.0/16.7/12.5/12.5 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const char *const *const references[] = {&expected[i].reference};
        struct bleu bleu = bleu_corpus(&token_exp, &expected[i].hypothesis, references, 1, 1, NULL);
        assert_float_equal(bleu.score, expected[i].exp, 1e-12);
        char line[256];
        snprintf(line, sizeof line,
                 "BLEU|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|impl:sanlab-1|"
                 "compat:sacrebleu-2.6.0 = %s",
                 expected[i].line);
        expect_line(&bleu, &token_exp, 1, line);
        bleu = bleu_corpus(&token_none, &expected[i].hypothesis, references, 1, 1, NULL);
        assert_float_equal(bleu.score, expected[i].none, 1e-12);
    }
}

TEST(nearest_of_two_lengths_and_clipping)
{
    struct bleu_counter *counter = bleu_counter_open(&token_exp, BLEU_ORDER);
    const char *tie[] = {"a b c d e", "a b c"}; /* both differ by one word from the hypothesis */
    struct bleu_stats stats = bleu_count(counter, "a b c d", tie, 2);
    assert_int_equal(stats.hyp_len, 4);
    assert_int_equal(stats.ref_len, 3);
    const char *other[] = {"a b c", "a b c d e"};
    assert_int_equal(bleu_count(counter, "a b c d", other, 2).ref_len, 3);
    const char *most[] = {"a a x", "a y y y"}; /* a matches 2 times, its maximum in one reference */
    stats = bleu_count(counter, "a a a y y", most, 2);
    assert_int_equal(stats.match[0], 4);
    assert_int_equal(stats.match[1], 3); /* "a a" (once, not twice), "a y", "y y" */
    assert_int_equal(stats.total[3], 2);
    assert_int_equal(stats.ref_len, 4);
    bleu_counter_close(counter);
}

TEST(statistics_add_up)
{
    const char *const *const references[] = {reference_0, reference_1};
    struct bleu_stats stats[SENTENCES], sum = {0};
    struct bleu whole = bleu_corpus(&raw_exp, hypothesis, references, 2, SENTENCES, stats);
    for (int i = SENTENCES - 1; i >= 0; i--) bleu_stats_add(&sum, &stats[i]);
    struct bleu again = bleu_score(&sum, &raw_exp);
    assert_memory_equal(&whole, &again, sizeof whole);
    assert_int_equal(sum.match[0], 83);
    assert_int_equal(sum.match[3], 50);
    assert_int_equal(stats[2].hyp_len, 0);
    assert_int_equal(stats[8].match[0], 2);
}

/* After a long sentence has enlarged the counter, it still counts short sentences correctly. */
TEST(long_sentences)
{
    enum { WORDS = 20000 };
    char *text = heap_alloc(8 * WORDS);
    size_t length = 0;
    for (int i = 0; i < WORDS; i++) length += (size_t)sprintf(text + length, "w%d ", i % 5000);
    struct bleu_counter *counter = bleu_counter_open(&token_exp, BLEU_ORDER);
    const char *reference[] = {text};
    struct bleu_stats stats = bleu_count(counter, text, reference, 1);
    for (int n = 0; n < BLEU_ORDER; n++) assert_int_equal(stats.match[n], WORDS - n);
    const char *small[] = {"w1 w2 w3"};
    stats = bleu_count(counter, "w1 w2 w4 w5", small, 1);
    assert_int_equal(stats.match[0], 2);
    assert_int_equal(stats.match[1], 1);
    assert_int_equal(stats.match[2], 0);
    bleu_counter_close(counter);
    free(text);
}

/* The lines are the output of multi-bleu.perl for the text above. This script splits words only at
 * ASCII blanks, and -lc lowercases bytes. */
TEST(lines_equal_multi_bleu)
{
    const char *const *const references[] = {reference_0, reference_1};
    struct bleu bleu = bleu_corpus(&multi, hypothesis, references, 1, SENTENCES, NULL);
    expect_line(&bleu, &multi, 1,
                "BLEU = 29.55, 62.7/41.9/25.7/14.3 (BP=0.943, ratio=0.944, hyp_len=51, "
                "ref_len=54)\n");
    bleu = bleu_corpus(&multi_lower, hypothesis, references, 2, SENTENCES, NULL);
    expect_line(&bleu, &multi_lower, 2,
                "BLEU = 36.17, 74.5/51.2/31.4/14.3 (BP=1.000, ratio=1.041, hyp_len=51, "
                "ref_len=49)\n");

    const char *empty[] = {""};
    const char *const *const nothing[] = {empty};
    bleu = bleu_corpus(&multi, empty, nothing, 1, 1, NULL);
    expect_line(&bleu, &multi, 1, "BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)\n");

    char signature[BLEU_SIGNATURE_TEXT];
    bleu_signature(&multi_lower, 2, "", signature);
    assert_string_equal(signature, "nrefs:2|case:lc|eff:no|tok:none|smooth:none|impl:sanlab-1|"
                                   "compat:multi-bleu.perl");
    struct bleu_options lower = raw_exp;
    lower.lowercase = true;
    EXPECT_DIE("--lowercase needs multi-bleu", bleu_counter_open(&lower, BLEU_ORDER));
}

/* The words are the output of sacreBLEU 2.6.0's tokenizers intl and zh for these lines. */
TEST(tokenizers_of_unicode)
{
    static const struct {
        const char *line, *intl, *zh;
    } cases[] = {
        {"  It's 5.5% (or 1,000€) in 2014. ", "It ' s 5.5 % ( or 1,000 € ) in 2014.",
         "It's 5.5 % ( or 1,000 € ) in 2014."},
        {"„Ja“ – x² ≤ ½…", "„ Ja “ – x² ≤ ½…", "„ Ja “ – x² ≤ ½ …"},
        {"他说：“你好”，3.5元。 end.", "他说 ： “ 你好 ” ，3.5元 。 end .",
         "他 说 ： “ 你 好 ” ， 3.5 元 。 end ."},
        {"A&amp;B 𠀀𠀁 ٣,٤ №1 ", "A & amp ; B 𠀀𠀁 ٣,٤ № 1", "A & amp ; B 𠀀𠀁 ٣ , ٤ № 1"},
        {" .5 -5 5-6", ". 5 - 5 5-6", ".5 -5 5 - 6"},
        {"", "", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        expect_words(&intl_exp, cases[i].line, cases[i].intl);
        expect_words(&zh_exp, cases[i].line, cases[i].zh);
    }
}

/* The words are the output of sacreBLEU 2.6.0's tokenizer char for these lines. */
TEST(characters)
{
    expect_words(&char_exp, " It's x²,\u00a0彼. ", "I t ' s x ² , 彼 .");
    expect_words(&char_exp, "", "");
}

/* tensor2tensor replaces (\S)-(\S) in one pass over bytes. If one byte is between two hyphens, only
 * the first of these hyphens is split. */
TEST(compounds_are_split)
{
    static const char *const pair[][2] = {
        {"well-known 7-fold", "well ##AT##-##AT## known 7 ##AT##-##AT## fold"},
        {"a-b-c aa-bb-cc", "a ##AT##-##AT## b-c aa ##AT##-##AT## bb ##AT##-##AT## cc"},
        {"x-é-y", "x ##AT##-##AT## é ##AT##-##AT## y"},
        {"- -a b- -- ---", "- -a b- -- - ##AT##-##AT## -"},
        {"a-b", "a ##AT##-##AT## b"},
    };
    for (size_t i = 0; i < COUNT_OF(pair); i++) {
        expect_words(&multi_split, pair[i][0], pair[i][1]);
        expect_words(&multi, pair[i][0], pair[i][0]);
    }
    char signature[BLEU_SIGNATURE_TEXT];
    struct bleu_options read;
    bleu_signature(&multi_split, 1, "", signature);
    assert_string_equal(signature, "nrefs:1|case:mixed|eff:no|tok:none|compounds:split|smooth:none|"
                                   "impl:sanlab-1|compat:multi-bleu.perl");
    assert_true(bleu_signature_read(signature, &read));
    assert_int_equal(read.compounds, BLEU_SPLIT_COMPOUNDS);
    assert_int_equal(read.metric, BLEU_MULTI_BLEU);
}

TEST(signature_is_read)
{
    char text[BLEU_SIGNATURE_TEXT];
    const struct bleu_options *const all[] = {&raw_none, &token_exp, &zh_exp, &intl_exp, &char_exp};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct bleu_options read;
        bleu_signature(all[i], 2, "bs:1000|seed:12345|", text);
        assert_true(bleu_signature_read(text, &read));
        assert_true(read.metric == all[i]->metric && read.tokenizer == all[i]->tokenizer);
        assert_true(read.smoothing == all[i]->smoothing && read.lowercase == all[i]->lowercase);
    }
    struct bleu_options read;
    assert_false(bleu_signature_read(
        "nrefs:1|case:mixed|eff:no|tok:flores101|smooth:exp|version:2.6.0", &read));
}

/* The scores are sentence_bleu(hypothesis, [reference], tokenize="none").score of sacreBLEU
 * 2.6.0. */
TEST(sentences)
{
    static const struct {
        const char *hypothesis, *reference;
        double score;
    } cases[] = {
        {"the cat sat", "the cat sat on the mat", 36.78794411714425},
        {"a b", "a b", 100.00000000000004},
        {"a b c d e", "a b x d e f", 24.736929544091932},
        {"x", "y", 0},
        {"", "y", 0},
        {"the dog runs over there now", "the dog ran over there", 22.957488466614336},
    };
    struct bleu_counter *counter = bleu_counter_open(&token_exp, BLEU_ORDER);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct bleu_stats stats =
            bleu_count(counter, cases[i].hypothesis, &cases[i].reference, 1);
        assert_float_equal(bleu_sentence(&stats), cases[i].score, 1e-10);
    }
    bleu_counter_close(counter);
}

static const char *path_of(const char *folder, const char *name, const char *text, size_t bytes)
{
    static char path[6][600];
    static int turn;
    char *here = path[turn++ % 6];
    snprintf(here, sizeof path[0], "%s/%s", folder, name);
    file_write(here, text, bytes);
    return here;
}
#define FILE_OF(name, text) path_of(folder, name, text, sizeof text - 1)

TEST(files_are_checked)
{
    const char *folder = test_folder("bleu_files");
    const char *reference[] = {FILE_OF("ref", "a b c d\ne f g h\n")};
    const char *same[] = {FILE_OF("same", "a b c d\ne f g h"), FILE_OF("none", "\n\n")};
    const struct score_metric metric = {.kind = METRIC_BLEU, .bleu = raw_exp};
    const struct score score = score_files(&arena, &metric, reference, 1, same, 2);
    assert_int_equal(score.sentences, 2);
    assert_float_equal(score.system[0].score, 100, 1e-9);
    assert_true(score.system[1].score == 0);
    assert_int_equal(((const struct bleu_item *)score.system[0].item)[1].match[3], 1);

    const char *few[] = {FILE_OF("few", "a b c d\n")};
    EXPECT_DIE("few has 1 lines, but its reference build/tmp/bleu_test.bleu_files/ref has 2",
               score_files(&arena, &metric, reference, 1, few, 1));
    const char *two[] = {reference[0], few[0]};
    EXPECT_DIE("few has 1 lines, but build/tmp/bleu_test.bleu_files/ref has 2",
               score_files(&arena, &metric, two, 2, same, 1));
    const char *bad[] = {FILE_OF("bad", "a\nb\xff\n")};
    EXPECT_DIE("bad:2: byte 2 (0xff) is not valid UTF-8",
               score_files(&arena, &metric, reference, 1, bad, 1));
    const char *nul[] = {FILE_OF("nul", "a\0b\n\n")};
    EXPECT_DIE("nul:1: byte 2 is a NUL", score_files(&arena, &metric, reference, 1, nul, 1));
    const char *empty[] = {FILE_OF("empty", "")};
    EXPECT_DIE("is empty", score_files(&arena, &metric, reference, 1, empty, 1));
}

/* A file with surplus lines is refused. */
TEST(more_lines_are_refused)
{
    const char *folder = test_folder("bleu_more");
    const char *reference[] = {FILE_OF("ref", "a b c d\n"), FILE_OF("more", "a b c d\ne\n")};
    const struct score_metric metric = {.kind = METRIC_BLEU, .bleu = raw_exp};
    EXPECT_DIE("more has 2 lines, but its reference build/tmp/bleu_test.bleu_more/ref has 1",
               score_files(&arena, &metric, reference, 1, reference + 1, 1));
    EXPECT_DIE("more has 2 lines, but build/tmp/bleu_test.bleu_more/ref has 1",
               score_files(&arena, &metric, reference, 2, reference, 1));
}

/* Each system is compared with the first system. Its p does not depend on the systems between
 * them. */
TEST(systems_are_compared_with_the_first)
{
    enum { LINES = 12, SYSTEMS = 3, SAMPLES = 500 };
    const struct score_metric metric = {.kind = METRIC_CHRF, .chrf = chrf_default};
    const char *first = "", *other = "", *third = "", *wanted = "";
    for (int i = 0; i < LINES; i++) {
        wanted = arena_print(&arena, "%sthe line %d\n", wanted, i);
        first = arena_print(&arena, "%sthe line %d\n", first, i % 2 ? i : 70 + i);
        other = arena_print(&arena, "%sthe lime %d\n", other, i);
        third = arena_print(&arena, "%s%s\n", third, i % 3 ? "the line" : "a");
    }
    const char *folder = test_folder("bleu_systems");
    put_text(arena_print(&arena, "%s/wanted", folder), wanted);
    const char *const text[SYSTEMS] = {first, other, third};
    const char *path[SYSTEMS], *reference = arena_print(&arena, "%s/wanted", folder);
    for (int i = 0; i < SYSTEMS; i++) {
        path[i] = arena_print(&arena, "%s/%d", folder, i);
        put_text(path[i], text[i]);
    }
    const char *const last[] = {path[0], path[2]};
    const struct score all = score_files(&arena, &metric, &reference, 1, path, SYSTEMS);
    const struct score two = score_files(&arena, &metric, &reference, 1, last, 2);
    for (int test = SCORE_BOOTSTRAP; test <= SCORE_RANDOMIZATION; test++) {
        struct score_result of_all[SYSTEMS], of_two[2];
        score_judge(&all, (enum score_test)test, SAMPLES, 12345, of_all);
        score_judge(&two, (enum score_test)test, SAMPLES, 12345, of_two);
        assert_true(isnan(of_all[0].p) && of_all[1].p != of_all[2].p);
        assert_float_equal(of_all[2].p, of_two[1].p, 0);
    }
}
