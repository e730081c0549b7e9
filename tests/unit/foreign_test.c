/* Tests databases of this version with foreign values, which a column can hold but sanlab never
 * writes. The test sets every column of every table to such values. A reader reads the database or
 * refuses it as damaged. No value crashes a reader or reaches a terminal unescaped. */
#include "tests/support/test.h"

#include "results/query/query.h"
#include "tests/support/runs.h"

struct column {
    const char *table, *name, *type;
};

/* Lists the columns of all tables. store_test.c tests that a database has only sanlab's tables. */
static int list_columns(struct store *store, struct column *column, int most)
{
    int count = 0;
    sqlite3_stmt *ask = store_ask(store,
                                  "SELECT s.name, c.name, c.type FROM sqlite_schema AS s, "
                                  "pragma_table_info(s.name) AS c WHERE s.type = 'table'",
                                  "");
    while (store_next(ask) && count < most)
        column[count++] = (struct column){store_text(ask, 0, &arena), store_text(ask, 1, &arena),
                                          store_text(ask, 2, &arena)};
    store_finish(ask);
    return count;
}

/* Writes the output of ls, show and export to a file. */
static void read_all(const char *runs, const char *id, const char *path)
{
    FILE *out = fopen(path, "w");
    struct store *store = runs_collect(runs);
    struct found_stage *stage;
    const int count = query_stages(store, NULL, &stage, &arena);
    sheet_text(query_list(store, stage, count, NULL, &arena), out);
    query_print(store, stage, count, QUERY_LIST, EXPORT_JSON, out);
    query_show(store, id, NULL, out);
    query_print(store, stage, count, QUERY_WIDE, EXPORT_JSONL, out);
    query_print(store, stage, count, QUERY_WIDE, EXPORT_CSV, out);
    query_print(store, stage, count, QUERY_LONG, EXPORT_JSONL, out);
    fclose(out);
    store_close(store);
}

/* Returns the wait status of a child process that reads the database. */
static int reader_ends(const char *runs, const char *id, const char *path)
{
    const unsigned limit = 60 * (unsigned)test_slow();
    return STATUS_OF(die_set_hook(NULL, NULL); if (!freopen("/dev/null", "w", stderr)) _exit(1);
                     alarm(limit); read_all(runs, id, path));
}

static bool is_raw(const char *path)
{
    size_t bytes;
    const char *text = file_read(&arena, path, 0, &bytes);
    bool raw = memchr(text, '\033', bytes);
    return raw;
}

/* Sets a column in all rows. If the column must be unique, sets it only in the first row. */
static bool set_value(sqlite3 *database, const struct column *column, const char *value)
{
    char *all =
        sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = %s", column->table, column->name, value);
    char *first = sqlite3_mprintf("%s WHERE rowid = 1", all);
    bool done = sqlite3_exec(database, all, NULL, NULL, NULL) == SQLITE_OK ||
                sqlite3_exec(database, first, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(first);
    sqlite3_free(all);
    return done;
}

/* Writes a file. Does not call fsync, unlike file_write. */
static void put_back(const char *path, const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
}

TEST(no_value_of_a_column_crashes_a_reader)
{
    static const char *const whole[] = {"-1", "9223372036854775807", "-9223372036854775808", NULL};
    static const char *const real[] = {"1e17", "-1e17", "9e999", NULL};
    static const char *const text[] = {"''", "char(27) || '[31m'", "'%s%n'", NULL};
    const char *runs = test_folder("foreign_values");
    struct run run = runs_fill(runs);
    struct store *store = runs_collect(runs);
    struct column column[200];
    const int columns = list_columns(store, column, COUNT_OF(column));
    store_close(store);
    const char *path = arena_print(&arena, "%s/sanlab.db", runs);
    const char *printed = arena_print(&arena, "%s/printed", runs);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    sqlite3_exec(database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(database);
    size_t bytes;
    const char *clean = file_read(&arena, path, 0, &bytes);
    int changes = 0;
    for (int i = 0; i < columns; i++) {
        const char *const *value = !strcmp(column[i].type, "INTEGER") ? whole
                                   : !strcmp(column[i].type, "REAL")  ? real
                                                                      : text;
        for (; *value; value++) {
            put_back(path, clean, bytes);
            assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
            sqlite3_exec(database, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
            bool set = set_value(database, &column[i], *value);
            sqlite3_close(database);
            if (!set) continue;
            changes++;
            int status = reader_ends(runs, run.id, printed);
            if (!WIFEXITED(status) || (WEXITSTATUS(status) && WEXITSTATUS(status) != DIE_EXIT))
                fail_msg("%s.%s = %s: status %x", column[i].table, column[i].name, *value, status);
            if (is_raw(printed))
                fail_msg("%s.%s = %s is printed raw", column[i].table, column[i].name, *value);
        }
    }
    assert_true(changes > 100);
}

/* Changes a letter of a key in the file, so that rows are not in the order of their keys. SQLite's
 * quick check does not detect this error. */
TEST(rows_out_of_order_crash_no_reader)
{
    static const char *const table[] = {"option (stage, key, value)", "word (stage, name, text)",
                                        "environment (stage, key, value)"};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        const char *runs = test_folder("foreign_order");
        struct run run = runs_fill(runs);
        struct store *store = runs_collect(runs);
        store_try_begin(store);
        store_run(store,
                  arena_print(&arena,
                              "INSERT INTO %s SELECT number, value, 'x' FROM stage, "
                              "json_each('[\"qqq1\", \"qqq2\", \"qqq3\"]')",
                              table[i]),
                  "");
        store_commit(store);
        store_close(store);
        const char *path = arena_print(&arena, "%s/sanlab.db", runs);
        size_t bytes;
        char *text = file_read(&arena, path, 0, &bytes);
        int changes = 0;
        for (char *at = text; (at = memmem(at, bytes - (size_t)(at - text), "qqq1", 4)); changes++)
            *at = 'z';
        assert_true(changes > 0);
        put_back(path, text, bytes);
        int status = reader_ends(runs, run.id, arena_print(&arena, "%s/printed", runs));
        if (!WIFEXITED(status) || (WEXITSTATUS(status) && WEXITSTATUS(status) != DIE_EXIT))
            fail_msg("%s: status %x", table[i], status);
        arena_free(&arena);
    }
}
