/* Tests results/table/observations_items.c. Items of a stage are verified and sorted by strata. A
 * problem is reported in one line. */
#include "results/store/collector.h"
#include "results/table/observations.h"
#include "tests/support/scored.h"
#include "tests/support/test.h"

enum { NAME = sizeof "quiz-0123456789ab:" };

static struct run quiz_new(const char *runs, const char *name)
{
    return run_new(runs, "quiz", name, "{}", NULL, name);
}

/* Two strata, "a" and "b", and two classes, x and y. Items of "a" are not adjacent. The mean is (60
 * + 0) / 2 in "a" and 100 in "b", so the score is 65. Class x has 60 in "a" and 100 in "b", so its
 * score is 80. Class y has 0. */
static const struct item few[] = {{60, "x", "a", 0}, {100, "x", "b", 0}, {0, "y", "a", 0}};
static const char *const few_rows = "{\"name\":\"right\",\"value\":80,\"class\":\"x\"}\n"
                                    "{\"name\":\"right\",\"value\":1,\"class\":\"y\"}\n"
                                    "{\"name\":\"right\",\"value\":7,\"class\":\"x\",\"set\":2}\n";
static const char *const few_summary =
    "{\"right\": 65, \"wrong\": 64, \"plain\": 65, \"items\": 3, \"signature\": \"s\"}";

static const struct observations *read_quiz(const char *folder, const struct run *run,
                                            const char *value, const char *class)
{
    struct store *store = runs_collect(folder);
    const struct observations *observations =
        observations_read(store, NULL, "quiz", run->id, value, class, observations_items);
    assert_ptr_equal(observations, observations_read(store, NULL, "quiz", run->id, value, class,
                                                     observations_items));
    store_close(store);
    return observations;
}

TEST(items_are_verified_and_sorted)
{
    const char *folder = test_folder("observations_items");
    const struct run run = quiz_new(folder, "few");
    items_write(run.folder, "items.tsv", few, COUNT_OF(few));
    run_append(&run, "metrics.jsonl", few_rows);
    scored_items(&run, few_summary, 1);

    const struct observations *all = read_quiz(folder, &run, "right", NULL);
    assert_null(all->problem);
    assert_int_equal(all->items, 3);
    assert_int_equal(all->sets, 1);
    assert_int_equal(all->strata.count, 2);
    assert_int_equal(all->strata.end[0], 2);
    assert_int_equal(all->strata.end[1], 3);
    const double *number = all->item[0];
    assert_true(number[0] == 60 && number[1] == 0 && number[2] == 100);
    assert_string_equal(all->label[1].class, "y");
    assert_float_equal(all->score, 65, 1e-12);
    assert_string_equal(all->signature, "s");
    assert_string_equal(all->files, "items.tsv");
    assert_null(all->text);

    const struct observations *some = read_quiz(folder, &run, "right", "x");
    assert_null(some->problem);
    assert_int_equal(some->items, 2);
    assert_float_equal(some->score, 80, 1e-12);
    assert_string_equal(some->signature, "s|class:x");
    assert_string_equal(read_quiz(folder, &run, "right", "y")->problem + NAME,
                        "its items of the class y score 0.0000, but 1.0000 was recorded");
    assert_string_equal(read_quiz(folder, &run, "right", "z")->problem + NAME,
                        "none of its items is of the class z");
    assert_string_equal(read_quiz(folder, &run, "wrong", NULL)->problem + NAME,
                        "its items score 65.0000, but 64.0000 was recorded");
    assert_string_equal(read_quiz(folder, &run, "wrong", "x")->problem + NAME,
                        "its items score 65.0000, but 64.0000 was recorded");
    assert_string_equal(read_quiz(folder, &run, "plain", "x")->problem + NAME,
                        "its items of the class x score 80.0000, but nothing was recorded");
}

/* The numbers are 10, 2 and 12, and their weights are 4, 4 and 2. So the ratio is 24 / 10, and 22 /
 * 6 for class x. If "a" and "b" are strata, the value is the mean of (10 + 12) / 6 and 2 / 4. */
TEST(weights_make_a_ratio)
{
    const char *folder = test_folder("observations_weights");
    for (int strata = 0; strata < 2; strata++) {
        const struct item items[] = {{10, "x", strata ? "a" : "", 4},
                                     {2, "y", strata ? "b" : "", 4},
                                     {12, "x", strata ? "a" : "", 2}};
        const struct run run = quiz_new(folder, strata ? "strata" : "plain");
        items_write(run.folder, "items.tsv", items, COUNT_OF(items));
        run_append(&run, "metrics.jsonl",
                   "{\"name\":\"loss\",\"value\":3.6666666666666665,\"class\":\"x\"}\n");
        scored_items(&run,
                     strata ? "{\"loss\": 2.0833333333333335, \"items\": 3, \"signature\": \"s\"}"
                            : "{\"loss\": 2.4, \"items\": 3, \"signature\": \"s\"}",
                     1);
        const struct observations *all = read_quiz(folder, &run, "loss", NULL);
        assert_null(all->problem);
        assert_int_equal(all->statistic.bytes, sizeof(struct ratio_item));
        assert_int_equal(all->strata.count, 1 + strata);
        const struct ratio_item *second = (const struct ratio_item *)all->item[0] + 1;
        assert_true(second->number == (strata ? 12 : 2) && second->weight == (strata ? 2 : 4));
        assert_null(read_quiz(folder, &run, "loss", "x")->problem);
    }
}

/* A stage may be older than a metric. Then the metric is absent, and the stage is not at fault. */
TEST(an_earlier_stage_has_none)
{
    const char *folder = test_folder("observations_absent");
    const struct run run = quiz_new(folder, "earlier");
    scored_items(&run, "{\"bleu\": 12, \"signature\": \"s\"}", 0);
    const struct observations *none = read_quiz(folder, &run, "loss", NULL);
    assert_true(none->absent && read_quiz(folder, &run, "loss", "x")->absent);
    assert_string_equal(none->problem + NAME - 1, "was done before loss was measured");
    assert_false(read_quiz(folder, &run, "bleu", NULL)->absent);
}

/* Mean of the two sets: (65 + 55) / 2. */
TEST(a_value_may_have_several_sets)
{
    const char *folder = test_folder("observations_sets");
    const struct item second[] = {{40, "x", "a", 0}, {80, "x", "b", 0}, {20, "y", "a", 0}};
    const struct run run = quiz_new(folder, "good");
    items_write(run.folder, "items.1.tsv", few, 3);
    items_write(run.folder, "items.2.tsv", second, 3);
    scored_items(&run, "{\"right\": 60, \"items\": 3, \"signature\": \"s\"}", 2);
    const struct observations *observations = read_quiz(folder, &run, "right", NULL);
    assert_null(observations->problem);
    assert_int_equal(observations->sets, 2);
    assert_float_equal(observations->score, 60, 1e-12);
    assert_string_equal(observations->files, "items.*.tsv");
}

TEST(what_is_not_so_is_said)
{
    static const struct {
        const char *summary, *text; /* summary in done.json, items.tsv; NULL: of `few` */
        bool late;                  /* the text replaces items.tsv after its digest was recorded */
        const char *says;
    } cases[] = {
        {NULL, "number\tclass\tstratum\n65\t\t\n", true,
         "items.tsv has changed since it was written (its digest is "},
        {NULL, "number\tclass\tstratum\n65\t\t\n", false, "items.tsv has 1 lines, 3 were recorded"},
        {NULL, "number\tclass\tstratum\n65\t\t\nx\t\t\n", false,
         "items.tsv:3: \"x\" is not a number"},
        {"{\"right\": 65, \"items\": 3}", NULL, false, ": its summary has no signature"},
        {"{\"right\": 65, \"signature\": \"s\"}", NULL, false, ": its summary has no items"},
        {"{\"right\": \"65\", \"items\": 3, \"signature\": \"s\"}", NULL, false,
         ": its items score 65.0000, but nothing was recorded"},
    };
    const char *folder = test_folder("observations_problems");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char name[20];
        snprintf(name, sizeof name, "case %zu", i);
        const struct run run = quiz_new(folder, name);
        items_write(run.folder, "items.tsv", few, COUNT_OF(few));
        if (cases[i].text && !cases[i].late) run_write(&run, "items.tsv", cases[i].text);
        scored_items(&run, cases[i].summary ? cases[i].summary : few_summary, 1);
        if (cases[i].text) run_write(&run, "items.tsv", cases[i].text);
        const struct observations *observations = read_quiz(folder, &run, "right", NULL);
        assert_non_null(observations->problem);
        if (!strstr(observations->problem, cases[i].says)) fail_msg("%s", observations->problem);
    }
}
