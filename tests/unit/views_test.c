/* Tests the views of the database (results/store/schema.h). They are read through a separate
 * connection, as by other programs. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "tests/support/runs.h"

enum { NONE = JOURNAL_NONE };

static void record(const char *runs, const char *name, const char *text)
{
    const char *folder = arena_print(&arena, "%s/grids/g", runs);
    file_make_folder(folder);
    put_text(arena_print(&arena, "%s/%s.json", folder, name), text);
}

static struct run trained(const char *runs, const char *text, const char *status)
{
    struct run run = run_new(runs, "train", text, "{\"seed\": 1}", NULL, text);
    struct journal *journal = journal_open(run.folder);
    journal_value(journal, 10, "dev_loss", 2.5);
    journal_value(journal, 20, "dev_loss", 1.5);
    journal_close(journal);
    run_done(&run, status, "{\"dev_loss\": 1.5, \"parameters\": 9, \"text\": \"no number\"}");
    return run;
}

static struct run probed(const char *runs, const char *text)
{
    struct run run = run_new(runs, "probe", text, "{\"part\": \"Tense\"}", NULL, text);
    struct journal *journal = journal_open(run.folder);
    static const struct metric rows[] = {
        {"accuracy", 1, 11., NONE, NONE, NONE, "PAST", 4},
        {"accuracy", 2, 12., NONE, NONE, NONE, "PAST", 4},
        {"accuracy", 2, 13., NONE, NONE, NONE, "PRES", 5},
        {"gate", NONE, 0.5, 1, 2, NONE, NULL, NONE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) journal_metric(journal, &rows[i]);
    journal_close(journal);
    run_done(&run, "done", "{\"accuracy\": 80.5}");
    return run;
}

static const char *member(const char *kind, const char *id)
{
    return arena_print(&arena, "{\"kind\": \"%s\", \"id\": \"%s\"}", kind, id);
}

static const char *record_of(const char *rows)
{
    return arena_print(&arena, "{\"grid\": \"g\", \"rows\": [%s]}", rows);
}

/* Makes runs with two records of a grid. Row A is done, the training of row B diverged, and row C
 * has not begun. The older record has only row A. */
static const char *runs_new(const char *name)
{
    const char *runs = test_folder(name);
    const struct run a = trained(runs, "a", "done"), b = trained(runs, "b", "diverged"),
                     probe = probed(runs, "pa"), lost = probed(runs, "pb");
    const char *row = "{\"name\": \"%s\", \"axes\": [{\"window\": \"%s\"}], \"seeds\": [{\"seed\": "
                      "3, \"stages\": [%s, %s]}]}";
    const char *first =
        arena_print(&arena, row, "A", "1", member("train", a.id), member("probe", probe.id));
    const char *gone = arena_print(&arena, "%064d", 7);
    const char *rest = arena_print(
        &arena, "%s, %s, %s", first,
        arena_print(&arena, row, "B", "2", member("train", b.id), member("probe", lost.id)),
        arena_print(&arena, row, "C", "3", member("train", gone), member("probe", probe.id)));
    record(runs, "older", record_of(first));
    usleep(20000); /* a file's time has the resolution of the kernel's clock tick */
    record(runs, "newer", record_of(rest));
    struct store *store = runs_collect(runs);
    store_close(store);
    return runs;
}

static void expect_rows(const char *runs, const char *sql, const char *expected)
{
    sqlite3 *database;
    sqlite3_stmt *ask;
    const char *list = "";
    assert_int_equal(sqlite3_open_v2(arena_print(&arena, "%s/sanlab.db", runs), &database,
                                     SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    if (sqlite3_prepare_v2(database, sql, -1, &ask, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    while (sqlite3_step(ask) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(ask); i++) {
            const char *text = (const char *)sqlite3_column_text(ask, i);
            list = arena_print(&arena, "%s%s%s", list, i ? " " : "", text ? text : "-");
        }
        list = arena_print(&arena, "%s\n", list);
    }
    sqlite3_finalize(ask);
    sqlite3_close(database);
    assert_string_equal(list, expected);
}

TEST(a_point_is_a_row_and_a_seed_of_a_record)
{
    const char *runs = runs_new("views_point");
    expect_rows(runs,
                "SELECT grid, newest, position, row, seed, status, stages, done FROM point "
                "ORDER BY newest, position",
                "g 0 0 A 3 done 2 2\ng 1 0 A 3 done 2 2\ng 1 1 B 3 diverged 2 1\n"
                "g 1 2 C 3 new 2 1\n");
}

TEST(a_result_is_what_a_table_shows)
{
    const char *runs = runs_new("views_result");
    expect_rows(runs,
                "SELECT row, seed, kind, part, name, layer, head, \"set\", class, n, value FROM "
                "result WHERE newest ORDER BY row, kind, name, class",
                "A 3 probe Tense accuracy - - - - - 80.5\n"
                "A 3 probe Tense accuracy - - - PAST 4 12.0\n"
                "A 3 probe Tense accuracy - - - PRES 5 13.0\n"
                "A 3 probe Tense gate 1 2 - - - 0.5\n"
                "A 3 train - dev_loss - - - - - 1.5\nA 3 train - parameters - - - - - 9.0\n"
                "C 3 probe Tense accuracy - - - - - 80.5\n"
                "C 3 probe Tense accuracy - - - PAST 4 12.0\n"
                "C 3 probe Tense accuracy - - - PRES 5 13.0\n"
                "C 3 probe Tense gate 1 2 - - - 0.5\n");
    expect_rows(runs,
                "SELECT axis.value, result.value FROM result JOIN axis ON axis.grid = record AND "
                "axis.position = result.position WHERE newest AND result.name = 'dev_loss'",
                "1 1.5\n");
    expect_rows(runs,
                "SELECT DISTINCT id = result_stage.id FROM result JOIN stage AS result_stage ON "
                "number = result.stage JOIN member ON member.grid = record AND member.stage = id",
                "1\n");
}

TEST(a_curve_goes_by_steps)
{
    const char *runs = runs_new("views_curve");
    expect_rows(runs,
                "SELECT row, seed, kind, step, name, value, validation FROM curve WHERE newest "
                "ORDER BY row, "
                "step",
                "A 3 train 10 dev_loss 2.5 1\nA 3 train 20 dev_loss 1.5 2\n"
                "B 3 train 10 dev_loss 2.5 1\nB 3 train 20 dev_loss 1.5 2\n");
}

/* Views have the columns of docs/format.md, in this order. The columns change only with a major
 * version. */
TEST(views_keep_their_columns)
{
    const char *sql = "SELECT group_concat(name, ' ') FROM pragma_table_info('%s')",
               *runs = runs_new("views_columns");
    static const char *const view[][2] = {
        {"point", "grid record newest position row seed status stages done wall\n"},
        {"result", "grid record newest position row seed kind part stage name layer head set class "
                   "n value\n"},
        {"curve",
         "grid record newest position row seed kind stage step name value validation epoch\n"},
    };
    for (size_t i = 0; i < COUNT_OF(view); i++)
        expect_rows(runs, arena_print(&arena, sql, view[i][0]), view[i][1]);
}
