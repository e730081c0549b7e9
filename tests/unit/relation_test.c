/* Values of a set of stages, by name (results/store/value_cache.h). */
#include "results/store/value_cache.h"

#include "core/base/journal.h"
#include "results/store/status.h"
#include "tests/support/runs.h"
#include "tests/support/test.h"

enum { NONE = JOURNAL_NONE, STAGES = 3 };

static struct store *store;
static struct run run[STAGES];

/* Three trainings: one that is done, one that is not, and one of another set. */
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

static struct relation *opened(void)
{
    const char *absent = "0000000000000000000000000000000000000000000000000000000000000000";
    const char *const id[] = {run[1].id, run[0].id, absent, run[0].id};
    return relation_open(store, id, (int)COUNT_OF(id), &arena);
}

TEST(a_stage_has_its_values)
{
    fill(test_folder("relation_values"));
    struct relation *relation = opened();
    const int64_t done = relation_stage(relation, run[0].id).number,
                  open = relation_stage(relation, run[1].id).number;
    assert_true(relation_value(relation, done, "dev_loss") == 2.5);
    assert_true(isnan(relation_value(relation, open, "dev_loss")));
    assert_true(isnan(relation_value(relation, done, "lost")));
    assert_true(isnan(relation_value(relation, done, "never")));
    assert_true(isnan(relation_value(relation, -1, "dev_loss")));
    assert_string_equal(relation_word(relation, done, "signature"), "s");
    assert_null(relation_word(relation, open, "signature"));
    assert_null(relation_environment(relation, done, "host"));
    store_close(store);
}

TEST(a_stage_of_no_set_is_new)
{
    fill(test_folder("relation_set"));
    struct relation *relation = opened();
    assert_int_equal(relation_stage(relation, run[2].id).number, -1);
    assert_string_equal(relation_stage(relation, run[2].id).status, STATUS_NEW);
    assert_string_equal(relation_stage(relation, run[0].id).status, STATUS_DONE);
    store_close(store);
}

TEST(lines_are_of_their_dimensions)
{
    fill(test_folder("relation_lines"));
    struct relation *relation = opened();
    int count;
    for (int i = 0; i < 2; i++) {
        const int64_t stage = relation_stage(relation, run[i].id).number;
        const struct relation_line *line =
            relation_lines(relation, stage, "dev_loss", &(struct dimensions){0}, &count);
        assert_int_equal(count, 2);
        assert_int_equal(line[0].step, 10);
        assert_true(line[1].step == 20 && line[1].value == 2.5);
        line =
            relation_lines(relation, stage, "gate", &(struct dimensions){.number = {1, 2}}, &count);
        assert_true(count == 1 && line->step == NONE && line->value == 0.75);
        line = relation_lines(relation, stage, "gate",
                              &(struct dimensions){.number = {1, 2}, .class = "NOUN"}, &count);
        assert_true(count == 1 && line->value == 0.25);
        relation_lines(relation, stage, "gate", &(struct dimensions){.number = {1}}, &count);
        assert_int_equal(count, 0);
        const struct relation_line *row = relation_lines(relation, stage, "gate", NULL, &count);
        assert_int_equal(count, 2);
        assert_true(row[0].value == 0.25 && row[0].n == 7 && row[0].step == NONE);
        assert_string_equal(row[0].of.class, "NOUN");
        assert_true(row[1].value == 0.75 && row[1].n == 9 && !row[1].of.class);
        assert_true(row[1].of.number[DIMENSION_LAYER] == 1 &&
                    row[1].of.number[DIMENSION_HEAD] == 2);
    }
    relation_lines(relation, -1, "gate", &(struct dimensions){0}, &count);
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
    struct relation *relation = opened();
    sqlite3_trace_v2(store->database, SQLITE_TRACE_STMT, count_statement, NULL);
    for (int i = 0; i < 2; i++)
        relation_value(relation, relation_stage(relation, run[i].id).number, "dev_loss");
    assert_int_equal(statements, 1);
    relation_value(relation, 0, "lost");
    assert_int_equal(statements, 2);
    store_close(store);
}
