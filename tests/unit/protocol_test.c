/* Tests probes/protocol.h: the order of settings, early stopping, and the choice of the best
 * setting. */
#include "tests/support/test.h"

#include "probes/protocol.h"
#include "tests/support/protocol_find.h"

static const struct protocol *named(const char *name)
{
    const struct protocol *protocol = protocol_find(name);
    assert_non_null(protocol);
    return protocol;
}

TEST(every_protocol_is_whole)
{
    char words[sizeof PROTOCOL_WORDS] = "";
    assert_int_equal(protocol_count, 5);
    assert_null(protocol_find("sentevil"));
    for (int i = 0; i < protocol_count; i++) {
        const struct protocol *p = &protocols[i];
        const size_t at = strlen(words);
        snprintf(words + at, sizeof words - at, "%s%s", i ? "|" : "", p->name);
        assert_ptr_equal(protocol_find(p->name), p);
        assert_int_equal(p->most % p->epochs, 0);
        assert_true(p->batch > 0 && p->rate > 0 && strlen(p->text) > 40);
    }
    /* The value of an option is an index into protocols. */
    assert_string_equal(words, PROTOCOL_WORDS);
    assert_non_null(strstr(named("hao2019")->text, "inferred: units, batch"));
    assert_non_null(strstr(named("xu2019")->text, "WordContent is linear"));
    assert_non_null(
        strstr(named("conneau2018")->text, "L2, Adam, batch and stopping are SentEval"));
    assert_null(strstr(named("senteval")->text, "inferred"));
}

/* Settings are ordered by hidden units, then by dropout, then by L2. Settings of a linear
 * classifier differ only in L2. */
TEST(settings_have_an_order)
{
    static const int hidden[] = {50, 100, 200};
    static const double dropout[] = {0, .1, .2}, l2[] = {1e-5, 1e-4, 1e-3, 1e-2};
    struct probe_setting setting[PROTOCOL_SETTINGS];
    assert_int_equal(protocol_settings(named("conneau2018"), false, setting), 36);
    for (int s = 0; s < 36; s++) {
        assert_int_equal(setting[s].hidden, hidden[s / 12]);
        assert_float_equal(setting[s].dropout, dropout[s / 4 % 3], 0);
        assert_float_equal(setting[s].l2, l2[s % 4], 0);
    }
    assert_int_equal(protocol_settings(named("xu2019"), true, setting), 4);
    for (int s = 0; s < 4; s++) {
        assert_int_equal(setting[s].hidden, 0);
        assert_float_equal(setting[s].dropout, 0, 0);
        assert_float_equal(setting[s].l2, l2[s], 0);
    }
    assert_int_equal(protocol_settings(named("fixed"), false, setting), 4);
    assert_int_equal(setting[3].hidden, 200);
    assert_float_equal(setting[3].dropout, .1, 0);
    assert_int_equal(protocol_settings(named("hao2019"), false, setting), 1);
    assert_float_equal(setting[0].l2, 0, 0);
    assert_float_equal(setting[0].dropout, .3, 0);
    assert_int_equal(protocol_settings(named("hao2019"), true, setting), 1);
    assert_int_equal(setting[0].hidden, 0);
    assert_int_equal(protocol_settings(named("senteval"), false, setting), 4);
    assert_int_equal(setting[0].hidden, 0);
}

/* Adds one score per evaluation. The last score is repeated until the watch stops. */
static struct probe_watch watch(const char *protocol, const int *right, int count)
{
    struct probe_watch watch = {0};
    for (int i = 0; !watch.ended; i++)
        probe_watch_add(&watch, named(protocol), right[i < count ? i : count - 1]);
    return watch;
}

/* The expected values are from SentEval's loop, by hand. The sixth evaluation that is not better
 * than all earlier ones ends the training. A better score does not reset the number of failures. */
TEST(the_sixth_failure_ends_it)
{
    static const int flat[] = {7};
    struct probe_watch w = watch("senteval", flat, 1);
    assert_int_equal(w.evaluations, 7); /* an equal score is a failure */
    assert_int_equal(w.best, 1);
    assert_int_equal(w.failures, 6);
    /* b: a better score; 1 to 6: a failure. b 1 b 2 b 3 b 4 b 5 b b 6 */
    static const int saw[] = {5, 4, 6, 5, 7, 6, 8, 7, 9, 8, 10, 11, 11, 99};
    w = watch("fixed", saw, COUNT_OF(saw));
    assert_int_equal(w.evaluations, 13);
    assert_int_equal(w.best, 12);
    assert_int_equal(w.best_right, 11);
    static const int none[] = {0}; /* even 0 is better than no result */
    w = watch("conneau2018", none, 1);
    assert_int_equal(w.best, 1);
    assert_int_equal(w.evaluations, 7);
}

/* xu2019 has at most 51 evaluations, after 4 epochs each. hao2019 has 250 evaluations, after one
 * epoch each, and never stops earlier. */
TEST(there_is_a_most)
{
    int rising[300];
    for (int i = 0; i < 300; i++) rising[i] = i;
    struct probe_watch w = watch("xu2019", rising, 300);
    assert_int_equal(w.evaluations, 51);
    assert_int_equal(w.best, 51);
    static const int falling[] = {1, 3, 3, 2, 0};
    w = watch("hao2019", falling, COUNT_OF(falling));
    assert_int_equal(w.evaluations, 250);
    assert_int_equal(w.best, 2);
}

/* Accuracies are rounded like round(100 * (right / items), 2) in Python 3. */
TEST(accuracies_are_rounded)
{
    static const struct {
        int right, items;
        double percent;
    } cases[] = {{97, 800, 12.12}, {1, 3, 33.33},       {2, 3, 66.67},       {29, 800, 3.62},
                 {1, 8000, 0.01},  {3, 8000, 0.04},     {2989, 2999, 99.67}, {12345, 100000, 12.35},
                 {1, 32000, 0},    {111, 160000, 0.07}, {201, 160000, 0.13}, {0, 7, 0},
                 {7, 7, 100}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_float_equal(probe_percent(cases[i].right, cases[i].items), cases[i].percent, 0);
}

TEST(the_first_of_the_best_is_chosen)
{
    static const int right[] = {90, 95, 95, 94};
    assert_int_equal(probe_choose(right, 4, 100), 1);
    assert_int_equal(probe_choose(right, 1, 100), 0);
    /* 50.000% and 50.001% of 100,000 items are equal with two decimals. 50.010% differs. */
    static const int near[] = {50000, 50001, 50000}, apart[] = {50000, 50010, 50011};
    assert_int_equal(probe_choose(near, 3, 100000), 0);
    assert_int_equal(probe_choose(apart, 3, 100000), 1);
}
