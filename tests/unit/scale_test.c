/* Tests the speed of the store and its readers. `make test` uses a small store. With
 * SCALE=10000,10000000 in the environment (stages, metric rows), the test makes the large store of
 * the README, and keeps it in build/tmp/scale. */
#include "tests/support/test.h"

#include <time.h>

#include "results/query/query.h"
#include "results/store/collector.h"
#include "tests/support/runs.h"
#include "tests/support/scale.h"

static const char *runs = "build/tmp/scale";
static int stages = 200;
static int64_t metrics = 20000;

/* Returns the processor time in seconds. Wall time would depend on other processes. */
static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Opens the store and calls `act`, twice. Returns the processor seconds of the second time. */
static double seconds_of(const char *name, void (*act)(struct store *store))
{
    double seconds = 0, processor = 0;
    for (int turn = 0; turn < 2; turn++) {
        double begin = clock_seconds(), processor_begin = processor_seconds();
        struct store *store = runs_collect(runs);
        act(store);
        store_close(store);
        seconds = clock_seconds() - begin;
        processor = processor_seconds() - processor_begin;
        arena_free(&arena);
    }
    print_message("# %-28s %6.3f s, processor %6.3f s\n", name, seconds, processor);
    return processor;
}

static void nothing(struct store *store)
{
}

static FILE *nowhere(void)
{
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    return out;
}

static void list_with(struct store *store, const char *filter, int least)
{
    FILE *out = nowhere();
    struct found_stage *stage;
    const int count = query_stages(store, filter, &stage, &arena);
    struct sheet *sheet = query_list(store, stage, count, NULL, &arena);
    assert_true(sheet->rows >= least);
    sheet_text(sheet, out);
    fclose(out);
}

static void list_all(struct store *store)
{
    list_with(store, NULL, stages);
}

static void list_metric(struct store *store)
{
    list_with(store, "loss<1.5 and kind=train", stages / 8);
}

static void list_option(struct store *store)
{
    list_with(store, "window=3 and dev_bleu>30", stages / 50);
}

static void show_one(struct store *store)
{
    FILE *out = nowhere();
    query_show(store, find_stage(store, "g0/row 3/2/train", NULL, &arena).id, NULL, out);
    fclose(out);
}

TEST(readers_are_fast)
{
    if (getenv("SCALE")) sscanf(getenv("SCALE"), "%d,%lld", &stages, (long long *)&metrics);
    test_folder("scale");
    double begin = clock_seconds();
    scale_fill(runs, stages, metrics);
    print_message("# %d stages, %lld metric rows: written in %.1f s\n", stages, (long long)metrics,
                  clock_seconds() - begin);
    struct collect_report report = collect_rebuild(runs);
    print_message("# collect --rebuild            %6.3f s\n", report.seconds);
    assert_int_equal(report.bad, 0);
    assert_true(report.metrics >= metrics);
    assert_true(seconds_of("collect, nothing new", nothing) < test_slow());
    assert_true(seconds_of("ls", list_all) < test_slow());
    assert_true(seconds_of("ls, a metric", list_metric) < test_slow());
    assert_true(seconds_of("ls, an option and a metric", list_option) < test_slow());
    assert_true(seconds_of("show", show_one) < 0.5 * test_slow());
}

/* The different queries that SQLite has executed. */
struct asked {
    int count;
    char *sql[256];
};

static int remember(unsigned what, void *context, void *statement, void *expanded)
{
    struct asked *asked = context;
    const char *sql = sqlite3_sql(statement);
    for (int i = 0; i < asked->count; i++)
        if (!strcmp(asked->sql[i], sql)) return 0;
    assert_true(asked->count < (int)COUNT_OF(asked->sql));
    asked->sql[asked->count++] = heap_print("%s", sql);
    return 0;
}

/* The verbs execute their queries, and SQLite explains each of them. No query may scan all of a
 * large table. */
TEST(questions_use_indexes)
{
    static const char *const large[] = {"SCAN value", "SCAN event", "SCAN timing"};
    struct asked asked = {0};
    struct store *store = store_open(runs);
    sqlite3_trace_v2(store->database, SQLITE_TRACE_STMT, remember, &asked);
    FILE *out = nowhere();
    const char *none[2] = {0};
    struct found_stage *stage;
    /* Now every folder is read again. */
    store_run(store, "UPDATE stage SET folder_modified = 0", "");
    collect_runs(store);
    list_all(store);
    list_metric(store);
    list_option(store);
    show_one(store);
    const char *const two[] = {find_stage(store, "g0/row 1/1/train", NULL, &arena).id,
                               find_stage(store, "g0/row 1/1", "score", &arena).id};
    query_diff(store, two, none, true, out);
    int count = query_stages(store, "kind=score", &stage, &arena);
    query_print(store, stage, count, QUERY_WIDE, EXPORT_CSV, out);
    query_print(store, stage, count, QUERY_LONG, EXPORT_CSV, out);
    sqlite3_trace_v2(store->database, 0, NULL, NULL);
    assert_in_range(asked.count, 30, COUNT_OF(asked.sql));
    for (int i = 0; i < asked.count; i++) {
        sqlite3_stmt *ask = NULL;
        char *sql = heap_print("EXPLAIN QUERY PLAN %s", asked.sql[i]);
        assert_int_equal(sqlite3_prepare_v2(store->database, sql, -1, &ask, NULL), SQLITE_OK);
        while (sqlite3_step(ask) == SQLITE_ROW) {
            const char *step = (const char *)sqlite3_column_text(ask, 3);
            for (size_t k = 0; k < COUNT_OF(large); k++)
                if (!strncmp(step, large[k], strlen(large[k])))
                    fail_msg("%s\n  %s", asked.sql[i], step);
        }
        sqlite3_finalize(ask);
        free(sql);
        free(asked.sql[i]);
    }
    fclose(out);
    store_close(store);
}
