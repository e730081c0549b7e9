/* results/store and results/collect: from run folders to the database, and every fault between. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/journal.h"
#include "results/collect.h"
#include "tests/support/runs.h"

/* The digest of all rows of all tables, but for what the collector remembers of files and the
 * numbers that the database gives to stages. */
static const char *rows_digest(struct store *store, struct arena *arena)
{
    static const char *const questions[] = {
        "SELECT id, kind, folder, canonical, status, message, attempts, started, finished, wall "
        "FROM stage ORDER BY id",
        "SELECT id, key, value FROM option JOIN stage ON stage = number ORDER BY id, key",
        "SELECT id, input FROM input JOIN stage ON stage = number ORDER BY id, position",
        "SELECT id, name FROM name JOIN stage ON stage = number ORDER BY id, position",
        "SELECT id, key, value FROM environment JOIN stage ON stage = number ORDER BY id, key",
        "SELECT id, name, value, text FROM summary JOIN stage ON stage = number ORDER BY id, name",
        "SELECT id, name, metric.step, layer, head, tag, n, value FROM metric JOIN stage ON stage = "
        "number ORDER BY id, metric.rowid",
        "SELECT id, attempt, event.step, event, time, clock, text FROM event JOIN stage ON stage = "
        "number ORDER BY id, event.rowid",
        "SELECT id, attempt, timing.step, name, time, clock, value FROM timing JOIN stage ON stage = "
        "number ORDER BY id, timing.rowid",
        "SELECT path, grid.grid, title, position, row, seed, place, kind, stage FROM grid JOIN "
        "member ON member.grid = number ORDER BY path, position, seed, place"};
    struct digest digest;
    digest_open(&digest);
    int rows = 0;
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        sqlite3_stmt *ask = store_ask(store, questions[i], "");
        for (; store_next(ask); rows++)
            for (int column = 0; column < sqlite3_column_count(ask); column++) {
                const char *text = store_text(ask, column, arena);
                digest_add(&digest, text ? text : "NULL", text ? strlen(text) + 1 : 5);
            }
        store_finish(ask);
    }
    char *text = arena_alloc(arena, DIGEST_TEXT + 32);
    digest_close(&digest, text);
    sprintf(text + strlen(text), " of %d rows", rows);
    return text;
}

static int64_t ask_int(struct store *store, const char *sql)
{
    sqlite3_stmt *ask = store_ask(store, sql, "");
    assert_true(store_next(ask));
    int64_t value = sqlite3_column_int64(ask, 0);
    store_finish(ask);
    return value;
}

static const char *ask_str(struct arena *arena, struct store *store, const char *sql)
{
    sqlite3_stmt *ask = store_ask(store, sql, "");
    const char *text = store_next(ask) ? store_text(ask, 0, arena) : "(no row)";
    store_finish(ask);
    return text ? text : "(null)";
}

/* Two stages with everything, and a grid. */
static struct run fill_runs(const char *runs)
{
    struct run train = run_new(runs, "train", "train.seed=1",
                               "{\"train\": {\"epochs\": 12, \"rate\": 0.1}, \"seed\": 1}", NULL,
                               "demo/Transformer/1");
    struct journal *journal = journal_open(train.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    for (int step = 1; step <= 500; step++) journal_value(journal, step, "loss", 5. / step);
    journal_value(journal, 501, "loss", NAN);
    journal_metric(journal, &(struct metric){"gate", 500, 0.25, 1, 2, "NN", 77});
    journal_timing(journal, 500, "train", 12.5);
    journal_event(journal, "done", 501, NULL);
    journal_close(journal);
    run_write(&train, "environment.json",
              "{\"host\": \"h\", \"threads\": 2, \"cpu\": {\"isa\": "
              "\"v3\"}}");
    run_done(&train, "done", "{\"parameters\": 3681280, \"dev_loss\": 1.5}");

    struct run score =
        run_new(runs, "score", "score.of=1", "{\"beam\": 4}", train.id, "demo/Transformer/1");
    journal = journal_open(score.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_event(journal, "failed", JOURNAL_NONE, "no such split");
    journal_close(journal);

    char *folder = heap_print("%s/grids/demo", runs), *path = heap_print("%s/demo.json", folder);
    char *text =
        heap_print("{\"grid\": \"demo\", \"rows\": [{\"name\": \"Transformer\", \"seeds\": "
                   "[{\"seed\": 1, \"stages\": [{\"kind\": \"train\", \"id\": \"%s\"}, "
                   "{\"kind\": \"score\", \"id\": \"%s\"}]}]}]}",
                   train.id, score.id);
    file_make_folder(folder);
    file_write(path, text, strlen(text));
    free(folder), free(path), free(text);
    return train;
}

static void everything_arrives(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_all");
    struct arena arena = {0};
    fill_runs(runs);
    struct store *store = store_open(runs);
    struct collect_report report = collect(store);
    assert_int_equal(report.stages, 2);
    assert_int_equal(report.metrics, 502);
    assert_int_equal(report.events, 5);
    assert_int_equal(report.bad, 0);
    assert_int_equal(report.torn, 0);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM metric WHERE value IS NULL"), 1);
    assert_string_equal(ask_str(&arena, store,
                                "SELECT step || name || layer || head || tag || n "
                                "|| value FROM metric WHERE layer IS NOT NULL"),
                        "500gate12NN770.25");
    assert_string_equal(ask_str(&arena, store,
                                "SELECT group_concat(key || '=' || value) FROM "
                                "option JOIN stage ON stage = number WHERE kind = "
                                "'train'"),
                        "seed=1,train.epochs=12,train.rate=0.1");
    assert_string_equal(ask_str(&arena, store,
                                "SELECT group_concat(key || '=' || value) FROM "
                                "environment"),
                        "cpu.isa=v3,host=h,threads=2");
    assert_int_equal(ask_int(store, "SELECT value FROM summary WHERE name = 'parameters'"),
                     3681280);
    assert_string_equal(ask_str(&arena, store, "SELECT status FROM stage WHERE kind = 'train'"),
                        "done");
    assert_string_equal(ask_str(&arena, store,
                                "SELECT status || ': ' || message FROM stage WHERE "
                                "kind = 'score'"),
                        "failed: no such split");
    assert_int_equal(ask_int(store, "SELECT count(*) FROM member JOIN stage ON stage.id = "
                                    "member.stage JOIN input ON input.stage = stage.number"),
                     1);
    store_close(store);
    arena_free(&arena);
}

static void collecting_in_pieces_equals_collecting_at_once(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_pieces");
    struct arena arena = {0};
    struct run train = fill_runs(runs);
    struct store *store = store_open(runs);
    collect(store);
    const char *before = rows_digest(store, &arena);
    struct collect_report again = collect(store);
    assert_int_equal(again.metrics + again.events, 0);
    assert_string_equal(rows_digest(store, &arena), before);

    for (int i = 0; i < 5; i++) {
        run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
        run_append(&train, "metrics.jsonl", "{\"name\":\"torn\",\"st");
        struct collect_report report = collect(store);
        assert_int_equal(report.metrics, i + 1 == 1 ? 1 : 2);
        assert_int_equal(report.torn, 1);
        run_append(&train, "metrics.jsonl", "ep\":2,\"value\":2.0}\n");
    }
    collect(store);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM metric WHERE name = 'torn'"), 5);
    const char *pieces = rows_digest(store, &arena);
    store_close(store);

    struct collect_report whole = collect_rebuild(runs);
    assert_int_equal(whole.metrics, 512);
    store = store_open(runs);
    assert_string_equal(rows_digest(store, &arena), pieces);
    assert_int_equal(collect(store).metrics, 0);
    store_close(store);
    arena_free(&arena);
}

static void a_cut_journal_is_read_anew(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_cut");
    struct arena arena = {0};
    struct run train = fill_runs(runs);
    struct store *store = store_open(runs);
    collect(store);
    /* shorter than before */
    struct journal *journal = journal_open(train.folder);
    journal_cut(journal, 400);
    int64_t length = journal_sync(journal);
    collect(store);
    int64_t few = ask_int(store, "SELECT count(*) FROM metric");
    assert_in_range(few, 5, 15);
    /* cut and written again past the old end, between two collections */
    for (int step = 1; step < 400; step++) journal_value(journal, step, "other", 1. / step);
    collect(store);
    journal_cut(journal, length);
    for (int step = 1; step < 600; step++) journal_value(journal, step, "third", 1. / step);
    journal_close(journal);
    collect(store);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM metric"), few + 599);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM metric WHERE name = 'other'"), 0);
    store_close(store);
    arena_free(&arena);
}

static void garbage_is_counted_and_named(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_garbage");
    struct arena arena = {0};
    struct run train = fill_runs(runs);
    static const char *const bad[] = {"no json at all",
                                      "{}",
                                      "[1,2]",
                                      "{\"name\":\"loss\"}",
                                      "\xff\xfe",
                                      "{\"name\":\"a\",\"name\":\"b\",\"value\":1}",
                                      "{\"name\":1,\"value\":1}",
                                      "",
                                      "{\"name\":\"loss\",\"value\":\"1\"}",
                                      "{\"name\":\"loss\",\"value\":1,\"step\":\"x\"}",
                                      "{\"name\":\"loss\",\"value\":1,\"sptep\":3}"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        run_append(&train, "metrics.jsonl", arena_print(&arena, "%s\n", bad[i]));
    run_append(&train, "metrics.jsonl", "{\"name\":\"good\",\"step\":7,\"value\":1.0}\n");
    run_append(&train, "events.jsonl", "{\"event\":\"timing\",\"time\":1.0,\"attempt\":1}\n");
    file_write(arena_print(&arena, "%s/stages/stray", runs), "x", 1);
    file_make_folder(arena_print(&arena, "%s/stages/train-000000000000", runs)); /* new: not bad */
    struct run wrong = run_new(runs, "train", "wrong", "{}", NULL, "w");
    run_write(&wrong, "stage.json", "{\"id\": 5}");
    struct run broken = run_new(runs, "train", "broken", "{}", NULL, "b");
    run_write(&broken, "done.json", "{\"status\": \"fine\"}");
    run_write(&broken, "environment.json", "{\"host\": ");
    file_write(arena_print(&arena, "%s/grids/demo/bad.json", runs), "{\"grid\": \"g\"}", 13);

    struct store *store = store_open(runs);
    int64_t expected = (int64_t)COUNT_OF(bad) + 1 /* event */ + 1 /* stray */ + 1 /* wrong */ +
                       2 /* broken */ + 1 /* grid */;
    assert_int_equal(collect(store).bad, expected);
    assert_int_equal(collect(store).bad, expected); /* known ones stay known */
    assert_int_equal(ask_int(store, "SELECT value FROM metric WHERE name = 'good'"), 1);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM stage"), 3);
    assert_string_equal(ask_str(&arena, store,
                                "SELECT status FROM stage WHERE canonical = "
                                "'broken'"),
                        "waiting");
    store_close(store);
    assert_int_equal(collect_rebuild(runs).bad, expected);
    arena_free(&arena);
}

static void what_has_vanished_vanishes(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_vanish");
    struct arena arena = {0};
    struct run train = fill_runs(runs);
    struct store *store = store_open(runs);
    collect(store);
    file_remove_tree(train.folder);
    file_remove_tree(arena_print(&arena, "%s/grids/demo/demo.json", runs));
    collect(store);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM stage"), 1);
    assert_int_equal(ask_int(store, "SELECT (SELECT count(*) FROM metric) + (SELECT count(*) FROM "
                                    "member) + (SELECT count(*) FROM option WHERE key = 'seed')"),
                     0);
    store_close(store);
    arena_free(&arena);
}

static const char *status_of(struct store *store, struct arena *arena)
{
    collect(store);
    return ask_str(arena, store, "SELECT status || ' ' || attempts FROM stage");
}

static void status_follows_the_folder(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_status");
    struct arena arena = {0};
    struct run run = run_new(runs, "train", "t", "{}", NULL, "n");
    struct store *store = store_open(runs);
    assert_string_equal(status_of(store, &arena), "waiting 0");
    struct journal *journal = journal_open(run.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    assert_string_equal(status_of(store, &arena), "running 1");
    journal_close(journal); /* as a kill does */
    assert_string_equal(status_of(store, &arena), "stopped 1");
    journal = journal_open(run.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_event(journal, "interrupted", 5, NULL);
    journal_close(journal);
    assert_string_equal(status_of(store, &arena), "interrupted 2");
    journal = journal_open(run.folder);
    journal_event(journal, "failed", JOURNAL_NONE, "disk full");
    journal_close(journal);
    assert_string_equal(status_of(store, &arena), "failed 2");
    run_done(&run, "diverged", "{}");
    assert_string_equal(status_of(store, &arena), "diverged 2");
    store_close(store);
    arena_free(&arena);
}

/* Names that would be SQL, if anything were put into SQL. */
static void names_are_only_names(void **state)
{
    (void)state;
    static const char *const names[] = {"'; DROP TABLE stage; --",
                                        "\"; DELETE FROM metric; --",
                                        "' OR '1'='1",
                                        "?1",
                                        "\\",
                                        "%s%n",
                                        "\t\x1b[31m",
                                        "Größe ♥",
                                        "x\"',:@$name"};
    const char *runs = test_folder("collect_names");
    struct arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct run run = run_new(runs, "train", names[i], "{}", NULL, names[i]);
        struct journal *journal = journal_open(run.folder);
        journal_event(journal, "failed", JOURNAL_NONE, names[i]);
        journal_metric(journal, &(struct metric){names[i], 1, (double)i, 1, 1, names[i], 1});
        journal_close(journal);
    }
    struct store *store = store_open(runs);
    assert_int_equal(collect(store).bad, 0);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        sqlite3_stmt *ask =
            store_ask(store,
                      "SELECT stage.canonical, name.name, stage.message, metric.name, metric.tag, "
                      "metric.value FROM stage JOIN name ON name.stage = number JOIN metric ON "
                      "metric.stage = number WHERE canonical = ?",
                      "s", names[i]);
        assert_true(store_next(ask));
        for (int column = 0; column < 5; column++)
            assert_string_equal(store_text(ask, column, &arena), names[i]);
        assert_int_equal(store_real(ask, 5), i);
        assert_false(store_next(ask));
        store_finish(ask);
    }
    store_close(store);
    arena_free(&arena);
}

/* What a process of its own says when it opens the database: "" when all is well. */
static const char *opening_says(const char *runs, struct arena *arena)
{
    const char *path = arena_print(arena, "%s/said", runs);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        die_set_hook(NULL, NULL);
        if (!freopen(path, "w", stderr)) _exit(1);
        store_close(store_open(runs));
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == DIE_EXIT);
    const char *said = file_read(arena, path, 0, NULL);
    assert_int_equal(WEXITSTATUS(status) == 0, *said == 0);
    return said;
}

static void a_damaged_database_is_found_and_built_anew(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_damage");
    struct arena arena = {0};
    fill_runs(runs);
    struct store *store = store_open(runs);
    collect(store);
    const char *before = rows_digest(store, &arena);
    store_close(store);
    const char *path = arena_print(&arena, "%s/sanlab.db", runs);
    int64_t pages = file_bytes(path) / 4096;
    assert_true(pages > 20);
    for (int64_t page = -2; page < pages; page += page < 0 ? 1 : 7) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        if (page == -2) assert_int_equal(ftruncate(fileno(file), 0), 0);
        if (page == -1) assert_int_equal(ftruncate(fileno(file), 3 * 4096), 0);
        fseek(file, page > 0 ? (long)page * 4096 : 0, SEEK_SET);
        if (page >= 0) fputs("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", file);
        fclose(file);
        const char *said = opening_says(runs, &arena);
        if (!strstr(said, page == -2 ? "is empty" : "is damaged") ||
            !strstr(said, "`sanlab collect --rebuild`"))
            fail_msg("page %d: \"%s\"", (int)page, said);
        collect_rebuild(runs);
        assert_string_equal(opening_says(runs, &arena), "");
        store = store_open(runs);
        assert_string_equal(rows_digest(store, &arena), before);
        store_close(store);
    }
    arena_free(&arena);
}

static void what_is_not_ours_is_refused(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_foreign");
    struct arena arena = {0};
    const char *path = arena_print(&arena, "%s/sanlab.db", runs);
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    sqlite3_exec(other, "CREATE TABLE t (x)", NULL, NULL, NULL);
    sqlite3_close(other);
    assert_non_null(strstr(opening_says(runs, &arena), "not one of sanlab"));
    collect_rebuild(runs);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    sqlite3_exec(other, "PRAGMA user_version = 99", NULL, NULL, NULL);
    sqlite3_close(other);
    const char *said = opening_says(runs, &arena);
    assert_non_null(strstr(said, "schema version 99, this program has 1"));
    assert_non_null(strstr(said, "`sanlab collect --rebuild`"));
    arena_free(&arena);
}

/* Several processes open, create and collect at the same time, while stages are written. */
static void many_collectors_at_once_do_not_fail(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_many");
    struct arena arena = {0};
    fill_runs(runs);
    enum { PROCESSES = 6, ROUNDS = 12 };
    pid_t child[PROCESSES];
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        child[i] = fork();
        if (child[i]) continue;
        for (int round = 0; round < ROUNDS; round++) {
            char text[32];
            snprintf(text, sizeof text, "stage %d of %d", round, i);
            struct run run = run_new(runs, "train", text, "{}", NULL, text);
            struct journal *journal = journal_open(run.folder);
            for (int step = 0; step < 50; step++) journal_value(journal, step, "loss", step);
            journal_close(journal);
            struct store *store = store_open(runs);
            collect(store);
            store_close(store);
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(child[i], &status, 0);
        assert_int_equal(status, 0);
    }
    struct store *store = store_open(runs);
    assert_int_equal(collect(store).stages, 2 + PROCESSES * ROUNDS);
    assert_int_equal(ask_int(store, "SELECT count(*) FROM metric"), 502 + PROCESSES * ROUNDS * 50);
    const char *before = rows_digest(store, &arena);
    store_close(store);
    collect_rebuild(runs);
    store = store_open(runs);
    assert_string_equal(rows_digest(store, &arena), before);
    store_close(store);
    arena_free(&arena);
}

/* A reader that keeps an old state open for long does not hinder a writer. */
static void a_viewer_does_not_hinder(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_viewer");
    struct arena arena = {0};
    struct run train = fill_runs(runs);
    struct store *store = store_open(runs), *viewer = store_open(runs);
    collect(store);
    sqlite3_stmt *ask = store_ask(viewer, "SELECT name FROM metric", "");
    assert_true(store_next(ask));
    run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
    assert_int_equal(collect(store).metrics, 1);
    store_finish(ask);
    store_close(viewer);
    store_close(store);
    arena_free(&arena);
}

/* As a user who may read the run folder, but not write it. */
static int read_without_rights(const char *runs, const char *expected)
{
    if (geteuid() == 0 && setuid(65534) != 0) return 2;
    if (eaccess(runs, R_OK | X_OK) != 0 || eaccess(runs, W_OK) == 0) return 2;
    struct arena arena = {0};
    struct store *store = store_open(runs);
    collect(store);
    bool same = !strcmp(rows_digest(store, &arena), expected);
    store_close(store);
    arena_free(&arena);
    return same ? 0 : 1;
}

static void a_folder_that_is_read_only_can_be_read(void **state)
{
    (void)state;
    const char *runs = test_folder("collect_read_only");
    struct arena arena = {0};
    struct run train = fill_runs(runs);
    struct store *store = store_open(runs);
    collect(store);
    store_close(store);
    /* What was written after the last collection is seen, too. */
    run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
    store = store_open(runs);
    store_begin(store);
    store_run(store, "UPDATE file SET modified = 1", ""); /* now the log is not empty */
    store_commit(store);
    for (int turn = 0; turn < 2; turn++) { /* with a write-ahead log, and without */
        const char *expected = "";
        if (turn == 1) {
            collect(store);
            expected = rows_digest(store, &arena);
            store_close(store);
            run_append(&train, "metrics.jsonl", "torn");
        } else {
            char *aside = arena_print(&arena, "%s/aside", runs);
            struct store *copy;
            file_make_folder(aside);
            assert_int_equal(symlink("../stages", arena_print(&arena, "%s/stages", aside)), 0);
            assert_int_equal(symlink("../grids", arena_print(&arena, "%s/grids", aside)), 0);
            copy = store_open(aside);
            collect(copy);
            expected = rows_digest(copy, &arena);
            store_close(copy);
            file_remove_tree(aside);
        }
        assert_int_equal(file_bytes(arena_print(&arena, "%s/sanlab.db-wal", runs)) > 0, turn == 0);
        chmod(runs, 0555);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) _exit(read_without_rights(runs, expected));
        int status;
        waitpid(child, &status, 0);
        chmod(runs, 0755);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 2) {
            print_message("skipped: no way to give up the right to write %s\n", runs);
            skip();
        }
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_arrives),
        cmocka_unit_test(collecting_in_pieces_equals_collecting_at_once),
        cmocka_unit_test(a_cut_journal_is_read_anew),
        cmocka_unit_test(garbage_is_counted_and_named),
        cmocka_unit_test(what_has_vanished_vanishes),
        cmocka_unit_test(status_follows_the_folder),
        cmocka_unit_test(names_are_only_names),
        cmocka_unit_test(a_damaged_database_is_found_and_built_anew),
        cmocka_unit_test(what_is_not_ours_is_refused),
        cmocka_unit_test(many_collectors_at_once_do_not_fail),
        cmocka_unit_test(a_viewer_does_not_hinder),
        cmocka_unit_test(a_folder_that_is_read_only_can_be_read),
    };
    return cmocka_run_group_tests_name("collect", tests, NULL, NULL);
}
