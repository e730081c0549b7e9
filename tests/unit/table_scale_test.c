/* Tests a table of all points of a large store. No query scans a table of the database. A table of
 * 5,000 points takes less than a second of processor time and less than 150 MB, smaller tables
 * accordingly less. `make test` uses a small store. With SCALE=10000,10000000 in the environment
 * (stages, metric rows), the test uses the large store of the README. It has 5,000 points, where a
 * point is a seed of a row: two stages and 2,000 metric rows. */
#include "tests/support/test.h"

#include "core/bench/measure.h"
#include "core/config/tree_read.h"
#include "results/store/collector.h"
#include "results/table/observations.h"
#include "results/table/summary.h"
#include "tests/support/scale.h"

enum { PART = 4, MOST_GROWTH = 5 };
static const double point_seconds = 1. / 5000, point_bytes = 150e6 / 5000;

static const char *runs;

/* Returns one grid with all rows of the store's grids. */
static struct grid read_grid(struct store *store, int stages)
{
    struct grid grid = {.name = "all"};
    struct grid_row *row = ARENA_ARRAY(&arena, struct grid_row, stages);
    struct grid_seed *seed = NULL;
    struct grid_stage *stage = NULL;
    sqlite3_stmt *ask = store_ask(
        store, "SELECT grid, position, seed, kind, stage FROM member ORDER BY 1, 2, 3, place", "");
    int64_t last[3] = {-1, -1, -1};
    while (store_next(ask)) {
        int64_t key[3];
        for (int i = 0; i < 3; i++) key[i] = sqlite3_column_int64(ask, i);
        if (key[0] != last[0] || key[1] != last[1]) {
            seed = ARENA_ARRAY(&arena, struct grid_seed, SCALE_SEEDS);
            row[grid.rows++] =
                (struct grid_row){.name = arena_print(&arena, "row %lld of %lld", (long long)key[1],
                                                      (long long)key[0]),
                                  .seed = seed};
        }
        struct grid_row *to = &row[grid.rows - 1];
        if (key[0] != last[0] || key[1] != last[1] || key[2] != last[2]) {
            stage = ARENA_ARRAY(&arena, struct grid_stage, 3);
            seed[to->count++] = (struct grid_seed){.seed = key[2], .stage = stage};
        }
        stage[seed[to->count - 1].count++] = (struct grid_stage){.kind = store_text(ask, 3, &arena),
                                                                 .id = store_text(ask, 4, &arena)};
        memcpy(last, key, sizeof last);
    }
    store_finish(ask);
    grid.row = row;
    return grid;
}

enum { QUESTIONS = 100 };
static const char *question[QUESTIONS];
static int questions;

static int keep_question(unsigned kind, void *context, void *statement, void *text)
{
    const char *sql = sqlite3_sql(statement);
    for (int i = 0; i < questions; i++)
        if (strcmp(question[i], sql) == 0) return 0;
    assert_true(questions < QUESTIONS);
    question[questions++] = arena_text(&arena, sql);
    return 0;
}

static void no_question_scans(struct store *store)
{
    assert_true(questions >= 3);
    for (int i = 0; i < questions; i++) {
        sqlite3_stmt *plan =
            store_prepare(store, arena_print(&arena, "EXPLAIN QUERY PLAN %s", question[i]));
        while (store_next(plan)) {
            const char *step = store_text(plan, 3, &arena);
            if (!strncmp(step, "SCAN json_each", 14)) continue; /* the requested stages */
            if (strncmp(step, "SCAN", 4) == 0) fail_msg("%s: %s", step, question[i]);
        }
        store_finish(plan);
    }
}

/* The table of the first rows of a grid, with its processor time and its memory in the arena. */
struct made {
    const struct sheet *sheet;
    double seconds, bytes;
};

/* Reads observations anew, so that a second table is not faster. */
static struct made make_table(struct store *store, struct grid grid, int rows)
{
    const size_t before = arena.used;
    grid.rows = rows;
    layout_read(tree_parse(&arena, "grid.yaml",
                           "{columns: [parameters, dev_loss, bleu, delta(bleu), wall], "
                           "baseline: row 0 of 1}"),
                &grid, &arena);
    observations_forget();
    const double begin = measure_cpu_seconds();
    struct made made = {.sheet = summary_table(store, &grid, &arena)};
    made.seconds = measure_cpu_seconds() - begin;
    made.bytes = (double)(arena.used - before);
    print_message("# %d points: processor %.3f s, %.1f MB\n", rows * SCALE_SEEDS, made.seconds,
                  made.bytes / 1e6);
    return made;
}

TEST(a_table_of_everything)
{
    int stages = 2000;
    long long metrics = 20000;
    if (getenv("SCALE")) sscanf(getenv("SCALE"), "%d,%lld", &stages, &metrics);
    runs = test_folder("table_scale");
    scale_fill(runs, stages, metrics);
    collect_rebuild(runs);
    double begin = clock_seconds();
    struct store *store = store_open(runs);
    collect_runs(store);
    print_message("# collect   %6.3f s\n", clock_seconds() - begin);
    struct grid grid = read_grid(store, stages);
    const int points = stages / 2;
    const struct made some = make_table(store, grid, grid.rows / PART);
    sqlite3_trace_v2(store->database, SQLITE_TRACE_STMT, keep_question, NULL);
    const struct made all = make_table(store, grid, grid.rows);
    sqlite3_trace_v2(store->database, 0, NULL, NULL);
    assert_true(all.seconds < point_seconds * points * test_slow());
    assert_true(all.bytes < point_bytes * points);
    assert_true(all.bytes < MOST_GROWTH * some.bytes); /* no list is copied at each addition */
    assert_int_equal(all.sheet->rows, points / SCALE_SEEDS);
    assert_string_equal(sheet_get(all.sheet, 0, 1), "2,726,528");
    no_question_scans(store);
    store_close(store);
}
