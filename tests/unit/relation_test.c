/* Tests results/store/value_cache.h: values of a set of stages, by name. */
#include "results/store/value_cache.h"

#include "core/base/journal.h"
#include "results/store/status.h"
#include "tests/support/runs.h"
#include "tests/support/test.h"

enum { NONE = JOURNAL_NONE, STAGES = 3 };

static struct store *store;
static struct run run[STAGES];

/* Writes three trainings. The first one is done, the second one is not. The third one is done and
 * does not belong to the set. */
static void fill(const char *runs)
{
    static const struct metric lines[] = {
        {"dev_loss", 20, 2.5, NONE, NONE, NONE, NULL, NONE},
        {"dev_loss", 10, 3.5, NONE, NONE, NONE, NULL, NONE},
        {"gate", NONE, 0.25, 1, 2, NONE, "NOUN", 7},
        {"gate", NONE, 0.75, 1, 2, NONE, NULL, 9},
    };
    for (int i = 0; i < STAGES; i++) {
        run[i] = run_new(runs, "train", arena_print(&arena, "%d", i), "{\"seed\": 1}", NULL, "n");
        struct journal *journal = journal_open(run[i].folder);
        for (size_t k = 0; k < COUNT_OF(lines) && i < 2; k++) journal_metric(journal, &lines[k]);
        journal_close(journal);
    }
    run_done(&run[0], "done", "{\"dev_loss\": 2.5, \"lost\": null, \"signature\": \"s\"}");
    run_done(&run[2], "done", "{\"dev_loss\": 1.5}");
    store = runs_collect(runs);
}

static struct value_cache *opened(void)
{
    const char *absent = "0000000000000000000000000000000000000000000000000000000000000000";
    const char *const id[] = {run[1].id, run[0].id, absent, run[0].id};
    return value_cache_open(store, id, (int)COUNT_OF(id), &arena);
}

TEST(a_stage_has_its_values)
{
    fill(test_folder("relation_values"));
    struct value_cache *cache = opened();
    const int64_t done = value_cache_stage(cache, run[0].id).number,
                  open = value_cache_stage(cache, run[1].id).number;
    assert_true(value_cache_value(cache, done, "dev_loss") == 2.5);
    assert_true(isnan(value_cache_value(cache, open, "dev_loss")));
    assert_true(isnan(value_cache_value(cache, done, "lost")));
    assert_true(isnan(value_cache_value(cache, done, "never")));
    assert_true(isnan(value_cache_value(cache, -1, "dev_loss")));
    assert_string_equal(value_cache_word(cache, done, "signature"), "s");
    assert_null(value_cache_word(cache, open, "signature"));
    assert_null(value_cache_environment(cache, done, "host"));
    store_close(store);
}

TEST(a_stage_of_no_set_is_new)
{
    fill(test_folder("relation_set"));
    struct value_cache *cache = opened();
    assert_int_equal(value_cache_stage(cache, run[2].id).number, -1);
    assert_string_equal(value_cache_stage(cache, run[2].id).status, STATUS_NEW);
    assert_string_equal(value_cache_stage(cache, run[0].id).status, STATUS_DONE);
    store_close(store);
}

TEST(lines_are_of_their_dimensions)
{
    fill(test_folder("relation_lines"));
    struct value_cache *cache = opened();
    int count;
    for (int i = 0; i < 2; i++) {
        const int64_t stage = value_cache_stage(cache, run[i].id).number;
        const struct value_cache_line *line =
            value_cache_lines(cache, stage, "dev_loss", &(struct dimensions){0}, &count);
        assert_int_equal(count, 2);
        assert_int_equal(line[0].step, 10);
        assert_true(line[1].step == 20 && line[1].value == 2.5);
        line =
            value_cache_lines(cache, stage, "gate", &(struct dimensions){.number = {1, 2}}, &count);
        assert_true(count == 1 && line->step == NONE && line->value == 0.75);
        line = value_cache_lines(cache, stage, "gate",
                                 &(struct dimensions){.number = {1, 2}, .class = "NOUN"}, &count);
        assert_true(count == 1 && line->value == 0.25);
        value_cache_lines(cache, stage, "gate", &(struct dimensions){.number = {1}}, &count);
        assert_int_equal(count, 0);
        const struct value_cache_line *row = value_cache_lines(cache, stage, "gate", NULL, &count);
        assert_int_equal(count, 2);
        assert_true(row[0].value == 0.25 && row[0].n == 7 && row[0].step == NONE);
        assert_string_equal(row[0].of.class, "NOUN");
        assert_true(row[1].value == 0.75 && row[1].n == 9 && !row[1].of.class);
        assert_true(row[1].of.number[DIMENSION_LAYER] == 1 &&
                    row[1].of.number[DIMENSION_HEAD] == 2);
    }
    value_cache_lines(cache, -1, "gate", &(struct dimensions){0}, &count);
    assert_int_equal(count, 0);
    store_close(store);
}

static int statements;

static int count_statement(unsigned kind, void *context, void *statement, void *text)
{
    statements++;
    return 0;
}

TEST(a_name_is_one_statement)
{
    fill(test_folder("relation_statements"));
    struct value_cache *cache = opened();
    sqlite3_trace_v2(store->database, SQLITE_TRACE_STMT, count_statement, NULL);
    for (int i = 0; i < 2; i++)
        value_cache_value(cache, value_cache_stage(cache, run[i].id).number, "dev_loss");
    assert_int_equal(statements, 1);
    value_cache_value(cache, 0, "lost");
    assert_int_equal(statements, 2);
    store_close(store);
}
