/* Tests results/store. If another program locks the database while it is read or written, no data
 * is lost. tests/cli/shared.sh tests databases that are already locked. */
#include "tests/support/test.h"

#include "results/store/collector.h"
#include "tests/support/runs.h"

static const char *runs;

static const char *in_folder(const char *name)
{
    return arena_print(&arena, "%s/%s", runs, name);
}

static sqlite3 *other_open(const char *statements)
{
    sqlite3 *other;
    assert_int_equal(sqlite3_open(in_folder("sanlab.db"), &other), SQLITE_OK);
    if (sqlite3_exec(other, statements, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", statements, sqlite3_errmsg(other));
    return other;
}

static void other_close(sqlite3 *other)
{
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
}

/* Calls `act` in a child process, because a process that has written waits again for the next
 * lock. */
static void elsewhere(void (*act)(void))
{
    assert_int_equal(STATUS_OF(act()), 0);
}

/* Makes a folder with one metric row that is not in its database. */
static void fill(void)
{
    struct run train = runs_fill(runs);
    struct store *store = store_open(runs);
    if (store->copy) _exit(1);
    collect_runs(store);
    store_close(store);
    run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
}

static int longer; /* number of metrics that fill_long wrote here */

/* Writes a stage with this number of metrics. */
static void fill_long(int rows)
{
    longer = rows;
    struct run run = run_new(runs, "train", "long", "{}", NULL, "long");
    FILE *file = fopen(arena_print(&arena, "%s/metrics.jsonl", run.folder), "w");
    for (int i = 0; i < rows; i++)
        fprintf(file, "{\"name\":\"loss\",\"step\":%d,\"value\":%d}\n", i, i % 7);
    fclose(file);
}

static void begin(const char *name)
{
    runs = arena_text(&arena, test_folder(name));
    longer = 0;
    elsewhere(fill);
}

static void write_digest(void)
{
    struct store *store = runs_collect(in_folder("aside"));
    const char *digest = runs_digest(store);
    store_close(store);
    put_text(in_folder("digest"), digest);
}

/* Returns the digest of a database that is built only from the folders. */
static const char *expected(void)
{
    const char *copy = "cd %s && rm -rf aside && mkdir aside && cp -a stages grids aside";
    assert_int_equal(system(arena_print(&arena, copy, runs)), 0);
    elsewhere(write_digest);
    return file_read(&arena, in_folder("digest"), 0, NULL);
}

static const char *all; /* the result of expected() */

static void read_twice(void)
{
    for (int i = 0; i < 2; i++) {
        struct store *store = runs_collect(runs);
        assert_true(store->copy);
        assert_string_equal(runs_digest(store), all);
        store_close(store);
    }
}

static void read_after(void)
{
    struct collect_report report;
    struct store *store = store_open(runs);
    const bool good = !store->copy && collect_try(store, &report) && report.metrics == 1 + longer &&
                      !strcmp(runs_digest(store), all);
    store_close(store);
    if (!good) _exit(1);
}

/* Readers return all data of the folders. Afterwards the database gets the missing rows. With a
 * rollback journal, as on a network file system, another reader also blocks the end of a
 * transaction. If the pages of a transaction exceed SQLite's cache of 2 MB, it is blocked even
 * earlier. */
TEST(readers_do_not_need_the_lock_of_a_rollback_journal)
{
    static const char *const statements[] = {
        "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE; DELETE FROM value", "BEGIN; SELECT * FROM stage"};
    setenv("SANLAB_NETWORK", "1", 1);
    for (size_t i = 0; i < COUNT_OF(statements); i++) {
        begin(arena_print(&arena, "store_locked_%zu", i));
        if (i + 1 == COUNT_OF(statements)) fill_long(50000);
        sqlite3 *other = other_open(statements[i]);
        all = expected();
        read_twice();
        other_close(other);
        elsewhere(read_after);
    }
    unsetenv("SANLAB_NETWORK");
}

/* Requests an exclusive lock as another program does, without waiting. Returns SQLite's result. */
static int try_exclusive(void)
{
    sqlite3 *other = other_open("");
    const int code = sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    other_close(other);
    return code;
}

static sqlite3 *intruder;

/* SQLite calls this function before a statement. At the first BEGIN, the reader has collected, and
 * begins to read. */
static int intrude_before_reading(unsigned event, void *context, void *statement, void *text)
{
    if (!intruder && !strcmp(text, "BEGIN;")) intruder = other_open("BEGIN EXCLUSIVE");
    return SQLITE_OK;
}

TEST(a_reader_keeps_what_it_reads)
{
    struct collect_report report;
    setenv("SANLAB_NETWORK", "1", 1);
    begin("store_locked_reading");
    all = expected();
    struct store *store = runs_collect(runs);
    assert_int_equal(try_exclusive(), SQLITE_BUSY);
    assert_string_equal(runs_digest(store), all);
    assert_true(collect_try(store, &report)); /* after writing, no lock is kept */
    assert_int_equal(try_exclusive(), SQLITE_OK);

    sqlite3_trace_v2(store->database, SQLITE_TRACE_STMT, intrude_before_reading, NULL);
    collect_runs(store);
    assert_non_null(intruder);
    assert_true(store->copy);
    assert_string_equal(runs_digest(store), all);
    store_close(store);
    other_close(intruder);
    intruder = NULL;
    unsetenv("SANLAB_NETWORK");
}
