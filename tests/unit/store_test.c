/* Tests results/store: one database, many processes, and damage to the file of the database. */
#include "tests/support/test.h"

#include <linux/capability.h>
#include <sys/syscall.h>

#include "core/base/journal.h"
#include "results/store/collector.h"
#include "tests/support/runs.h"

/* Returns the message of a child process that calls `act` with the database; "" if there is no
 * error. */
static const char *saying(const char *runs, void (*act)(struct store *store))
{
    const char *path = arena_print(&arena, "%s/said", runs);
    const int status =
        STATUS_OF(die_set_hook(NULL, NULL); if (!freopen(path, "w", stderr)) _exit(1);
                  struct store *store = store_open(runs); act(store); store_close(store); exit(0));
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == DIE_EXIT);
    const char *said = file_read(&arena, path, 0, NULL);
    assert_true(WEXITSTATUS(status) == 0 || *said);
    return said;
}

static void nothing(struct store *store)
{
}

/* Changes the database of a folder, as another program might. */
static void change(const char *runs, const char *sql)
{
    sqlite3 *other;
    assert_int_equal(sqlite3_open(arena_print(&arena, "%s/sanlab.db", runs), &other), SQLITE_OK);
    if (sqlite3_exec(other, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(other));
    sqlite3_close(other);
}

/* Makes a folder whose runs are in its database. Returns the digest of the database. */
static const char *fill(const char *runs)
{
    runs_fill(runs);
    struct store *store = runs_collect(runs);
    const char *digest = runs_digest(store);
    store_close(store);
    return digest;
}

static const char *opening_says(const char *runs)
{
    return saying(runs, nothing);
}

TEST(a_damaged_database_is_found_and_built_anew)
{
    const char *runs = test_folder("store_damage");
    const char *before = fill(runs);
    const char *path = arena_print(&arena, "%s/sanlab.db", runs);
    const char *kept = arena_print(&arena, "%s.damaged", path);
    int64_t pages = file_bytes(path) / 4096;
    assert_true(pages > 20);
    for (int64_t page = -3; page < pages; page += page < 0 ? 1 : 7) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        if (page == -3) assert_int_equal(ftruncate(fileno(file), 1), 0);
        if (page == -2) assert_int_equal(ftruncate(fileno(file), 0), 0);
        if (page == -1) assert_int_equal(ftruncate(fileno(file), 3 * 4096), 0);
        fseek(file, page > 0 ? (long)page * 4096 : 0, SEEK_SET);
        if (page >= 0) fputs("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", file);
        fclose(file);
        const int64_t bytes = file_bytes(path);
        const char *said = opening_says(runs);
        if (!strstr(said, "is damaged") || !strstr(said, "kept as") || !file_exists(kept))
            fail_msg("page %d: \"%s\"", (int)page, said);
        assert_int_equal(file_bytes(kept), bytes);
        assert_string_equal(opening_says(runs), "");
        struct store *store = runs_collect(runs);
        assert_string_equal(runs_digest(store), before);
        store_close(store);
    }
}

TEST(what_is_not_ours_is_refused)
{
    const char *runs = test_folder("store_foreign");
    change(runs, "CREATE TABLE t (x)");
    assert_non_null(strstr(opening_says(runs), "not one of sanlab"));
    collect_rebuild(runs);
    change(runs, "PRAGMA user_version = 99");
    const char *said = opening_says(runs);
    assert_non_null(strstr(said, "schema version 99, this program has"));
    assert_non_null(strstr(said, "`sanlab collect --rebuild`"));
}

TEST(nobody_elses_tables_are_asked)
{
    static const char stage[] = "INSERT INTO stage (id, kind, folder, canonical, status) VALUES "
                                "('%s', '%s', '%s', '', 'done')";
    static const char id[] = "0123456789ab0123456789abcdef0123456789abcdef0123456789abcdef0123";
    const char *changes[] = {
        "ALTER TABLE stage ADD COLUMN more TEXT",
        "ALTER TABLE stage RENAME COLUMN status TO state",
        "DROP TABLE word",
        "DROP INDEX called_by_name",
        "CREATE INDEX slow ON stage (canonical GLOB 'a*a*a*a*b')",
        "CREATE TABLE more (x CHECK (x GLOB 'a*a*a*a*b'))",
        "CREATE TRIGGER t AFTER DELETE ON stage BEGIN DELETE FROM grid; END",
        "DROP TABLE word; CREATE VIEW word (stage, name, text) AS WITH RECURSIVE n (x) "
        "AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, x, x FROM n",
        "DROP VIEW latest; CREATE VIEW latest AS SELECT * FROM word",
        "DROP VIEW point",
        "DROP VIEW result; CREATE VIEW result AS SELECT * FROM word",
        "DROP VIEW curve; CREATE TABLE curve (x)",
        arena_print(&arena, stage, id, "train", "../../outside"),
        arena_print(&arena, stage, id, "train", "train-0123456789ac"),
        arena_print(&arena, stage, id, "../a", "../a-0123456789ab"),
        arena_print(&arena, stage, "0123456789ab/../..", "train", "train-0123456789ab"),
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        const char *runs = test_folder("store_schema");
        fill(runs);
        change(runs, changes[i]);
        const char *said = opening_says(runs);
        if (!strstr(said, "is damaged") || !strstr(said, "kept as"))
            fail_msg("%s: \"%s\"", changes[i], said);
        assert_string_equal(opening_says(runs), "");
    }
}

/* These folders have the names of database files. A rebuild does not remove them. */
TEST(a_folder_in_its_place_stays)
{
    static const char *const name[] = {"sanlab.db", "sanlab.db-wal", "sanlab.db.new"};
    for (volatile size_t i = 0; i < COUNT_OF(name); i++) {
        const char *runs = test_folder("store_folder");
        const char *keep = arena_print(&arena, "%s/%s/keep", runs, name[i]);
        const char *says = arena_print(&arena, "%s: is a folder, expected a file", name[i]);
        file_make_folder(keep);
        assert_non_null(strstr(opening_says(runs), says));
        EXPECT_DIE(says, collect_rebuild(runs));
        assert_true(file_is_folder(keep));
    }
}

/* A user may add a view to the database. No program reads it. */
TEST(a_view_may_stand_there)
{
    const char *runs = test_folder("store_view");
    fill(runs);
    change(runs, "CREATE VIEW mine AS SELECT * FROM stage");
    assert_string_equal(opening_says(runs), "");
}

TEST(an_older_version_is_built_anew)
{
    const char *runs = test_folder("store_older");
    const char *before = fill(runs);
    change(runs, "DROP TABLE word; PRAGMA user_version = 1");
    assert_non_null(strstr(opening_says(runs), "sanlab.db: is built anew"));
    struct store *store = store_open(runs);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM stage"), 0);
    collect_runs(store);
    assert_string_equal(runs_digest(store), before);
    store_close(store);
}

/* On a network file system, the database has no write-ahead log. A log that was made on another
 * file system is removed. */
TEST(a_network_file_system_has_no_log)
{
    const char *runs = test_folder("store_network");
    runs_fill(runs);
    struct store *store = runs_collect(runs);
    const char *before = runs_digest(store);
    assert_true(file_exists(arena_print(&arena, "%s/sanlab.db-wal", runs)));
    store_close(store);
    setenv("SANLAB_NETWORK", "1", 1);
    for (int turn = 0; turn < 2; turn++) {
        store = store_open(runs);
        assert_int_equal(collect_runs(store).metrics, turn ? 0 : 502);
        assert_string_equal(runs_digest(store), before);
        assert_false(file_exists(arena_print(&arena, "%s/sanlab.db-wal", runs)));
        store_close(store);
    }
    unsetenv("SANLAB_NETWORK");
}

/* Several processes open, create and collect the database at the same time, while they write
 * stages. */
TEST(many_collectors_at_once_do_not_fail)
{
    const char *runs = test_folder("store_many");
    runs_fill(runs);
    enum { PROCESSES = 6, ROUNDS = 12 };
    pid_t child[PROCESSES];
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        child[i] = fork();
        if (child[i]) continue;
        for (int round = 0; round < ROUNDS; round++) {
            char text[40];
            snprintf(text, sizeof text, "stage %d of %d", round, i);
            struct run run = run_new(runs, "train", text, "{}", NULL, text);
            struct journal *journal = journal_open(run.folder);
            for (int step = 0; step < 50; step++) journal_value(journal, step, "loss", step);
            journal_close(journal);
            struct store *store = runs_collect(runs);
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
    assert_int_equal(collect_runs(store).stages, 2 + PROCESSES * ROUNDS);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES),
                     502 + PROCESSES * ROUNDS * 50);
    const char *before = runs_digest(store);
    store_close(store);
    runs_rebuild(runs, before);
}

/* A reader that keeps an old state open does not block a writer. */
TEST(a_viewer_does_not_hinder)
{
    const char *runs = test_folder("store_viewer");
    struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs), *viewer = store_open(runs);
    sqlite3_stmt *ask = store_ask(viewer, "SELECT name FROM value", "");
    assert_true(store_next(ask));
    run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
    assert_int_equal(collect_runs(store).metrics, 1);
    store_finish(ask);
    store_close(viewer);
    store_close(store);
}

/* Drops all capabilities of root, so that this process must obey the modes of folders. Another user
 * could not open a tree below a folder of root with mode 700. */
static bool obey_modes(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &header, none) == 0;
}

/* Reads as a user who may not write the run folder. Returns 0 if the content is as expected, 1 if
 * not, and 2 if the process still may write. */
static int read_without_rights(const char *runs, const char *expected)
{
    if (!obey_modes() || eaccess(runs, R_OK | X_OK) != 0 || eaccess(runs, W_OK) == 0) return 2;
    struct store *store = runs_collect(runs);
    bool same = !strcmp(runs_digest(store), expected);
    store_close(store);
    return same ? 0 : 1;
}

TEST(a_folder_that_is_read_only_can_be_read)
{
    const char *runs = test_folder("store_read_only");
    struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    store_close(store);
    /* Rows that were written after the last collection are also read. */
    run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
    store = store_open(runs);
    store_try_begin(store);
    store_run(store, "UPDATE file SET modified = 1", ""); /* now the log is not empty */
    store_commit(store);
    for (int turn = 0; turn < 2; turn++) { /* with a write-ahead log, and without */
        const char *expected = "";
        if (turn == 1) {
            collect_runs(store);
            expected = runs_digest(store);
            store_close(store);
            run_append(&train, "metrics.jsonl", "torn");
        } else {
            char *aside = arena_print(&arena, "%s/aside", runs);
            struct store *copy;
            file_make_folder(aside);
            assert_int_equal(
                system(arena_print(&arena, "cp -a %s/stages %s/grids %s", runs, runs, aside)), 0);
            copy = store_open(aside);
            collect_runs(copy);
            expected = runs_digest(copy);
            store_close(copy);
            file_remove_tree(aside);
        }
        assert_int_equal(file_bytes(arena_print(&arena, "%s/sanlab.db-wal", runs)) > 0, turn == 0);
        chmod(runs, 0555);
        const int status = STATUS_OF(_exit(read_without_rights(runs, expected)));
        chmod(runs, 0755);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 2) test_skip("no way to give up the right to write %s", runs);
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* A typing error in --runs creates no folder. */
TEST(a_folder_that_is_not_there_is_empty)
{
    const char *runs = arena_print(&arena, "%s/rnus", test_folder("store_absent"));
    struct store *store = store_open(runs);
    assert_int_equal(collect_runs(store).stages, 0);
    store_close(store);
    assert_false(file_is_folder(runs));
    EXPECT_DIE("there is no folder", collect_rebuild(runs));
}

/* Collects while the disk has room for only two more pages. */
static void collect_on_a_full_disk(struct store *store)
{
    int64_t pages = runs_ask_int(store, "PRAGMA page_count");
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA max_page_count = %d", (int)pages + 2);
    sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    collect_runs(store);
}

TEST(a_full_disk_leaves_the_database_whole)
{
    const char *runs = test_folder("store_full");
    runs_fill(runs);
    store_close(store_open(runs));
    const char *said = saying(runs, collect_on_a_full_disk);
    assert_non_null(strstr(said, "the disk is full"));
    struct store *store = store_open(runs);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM stage"), 0);
    collect_runs(store);
    const char *after = runs_digest(store);
    store_close(store);
    runs_rebuild(runs, after);
}
