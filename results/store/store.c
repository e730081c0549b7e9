/* Prepares and runs SQL statements, and begins and ends transactions. Errors of SQLite end the
 * program with a helpful message. There is one exception: the function that begins or ends a
 * transaction returns false if another program has locked the database. */
#include "results/store/store.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

void store_refuse(int code, const char *path, const char *message)
{
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    /* store_prepare has checked that the statements fit the tables, so invalid values in the
     * database cause these errors. */
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_ERROR:
        die("%s: is damaged (%s); `sanlab collect --rebuild` builds it anew from the run folders",
            path, message);
    case SQLITE_BUSY:
        die("%s: another program has kept it locked for %d s (%s)", path, STORE_PATIENCE, message);
    case SQLITE_FULL:
        die("%s: the disk is full; no partial change was written", path);
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        CHECK(false, "%s: %s", path, message);
    default:
        die("%s: %s", path, message);
    }
}

/* Returns the errno of a failed system call of SQLite; 0: unknown. SQLite records it in the
 * database, its file or its journal, except for errors of shared memory. If none is recorded,
 * returns `now`, the errno of the program, if this means a full disk. */
static int system_error(sqlite3 *database, int now)
{
    int error = sqlite3_system_errno(database);
    sqlite3_file *journal = NULL;
    if (!error) sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    if (!error) sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal);
    if (journal && journal->pMethods)
        journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &error);
    return !error && (now == ENOSPC || now == EDQUOT) ? now : error;
}

void store_refuse_at(sqlite3 *database, const char *path)
{
    const int now = errno, code = sqlite3_errcode(database) & 0xff;
    const char *message = sqlite3_errmsg(database);
    if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN) store_refuse(code, path, message);
    const int error = system_error(database, now);
    if (error == ENOSPC || error == EDQUOT) store_refuse(SQLITE_FULL, path, message);
    if (error) die("%s: %s: %s", path, message, strerror(error));
    store_refuse(code, path, message);
}

void store_refuse_now(sqlite3 *database)
{
    const char *path = sqlite3_db_filename(database, "main");
    store_refuse_at(database, path && *path ? path : "the database in memory");
}

/* Returns the cached statement with this text; NULL if there is none or its rows are being read.
 * Compares the address first. Also compares the characters, because the memory of a text that is
 * not a literal may have been reused. */
static sqlite3_stmt *find_prepared(const struct store *store, const char *sql)
{
    for (int i = 0; i < store->statements; i++) {
        sqlite3_stmt *one = store->statement[i].statement;
        if (store->statement[i].sql == sql && !sqlite3_stmt_busy(one) &&
            !strcmp(sqlite3_sql(one), sql))
            return one;
    }
    return NULL;
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = find_prepared(store, sql);
    if (statement) return statement;
    const int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    CHECK(code != SQLITE_ERROR, "%s: %s", sqlite3_errmsg(store->database), sql);
    if (code != SQLITE_OK) store_refuse_now(store->database);
    HEAP_ADD(store->statement, store->statements, (struct store_statement){sql, statement});
    return statement;
}

static void bind(sqlite3_stmt *statement, const char *types, va_list list)
{
    for (int at = 1; types[at - 1]; at++) {
        int code = SQLITE_MISUSE;
        switch (types[at - 1]) {
        case 's':
            code =
                sqlite3_bind_text(statement, at, va_arg(list, const char *), -1, SQLITE_TRANSIENT);
            break;
        case 'i':
            code = sqlite3_bind_int64(statement, at, va_arg(list, int64_t));
            break;
        case 'n': {
            int64_t value = va_arg(list, int64_t);
            code = value >= 0 ? sqlite3_bind_int64(statement, at, value)
                              : sqlite3_bind_null(statement, at);
            break;
        }
        case 'd': {
            double value = va_arg(list, double);
            code = isfinite(value) ? sqlite3_bind_double(statement, at, value)
                                   : sqlite3_bind_null(statement, at);
            break;
        }
        }
        CHECK(code == SQLITE_OK, "parameter %d of: %s", at, sqlite3_sql(statement));
    }
}

sqlite3_stmt *store_bind(sqlite3_stmt *statement, const char *types, ...)
{
    va_list list;
    va_start(list, types);
    bind(statement, types, list);
    va_end(list);
    return statement;
}

void store_script(struct store *store, const char *script)
{
    if (sqlite3_exec(store->database, script, NULL, NULL, NULL) != SQLITE_OK)
        store_refuse_now(store->database);
}

void store_insert(struct store *store, const char *table, const char *types, ...)
{
    enum { SQL = 256 };
    char sql[SQL];
    va_list list;
    int at = 0;
    while (at < store->statements && store->statement[at].sql != table) at++;
    if (at == store->statements) { /* the cache key is the address of the table's name */
        char *end = sql + snprintf(sql, SQL / 2, "INSERT OR REPLACE INTO %s VALUES (?", table);
        for (size_t i = 1; i < strlen(types); i++) end = stpcpy(end, ",?");
        stpcpy(end, ")");
        store_prepare(store, sql);
        store->statement[at].sql = table;
    }
    va_start(list, types);
    bind(store->statement[at].statement, types, list);
    va_end(list);
    store_end(store->statement[at].statement);
}

bool store_next(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) store_refuse_now(sqlite3_db_handle(statement));
    sqlite3_reset(statement);
    return false;
}

void store_end(sqlite3_stmt *statement)
{
    while (store_next(statement)) continue;
}

void store_finish(sqlite3_stmt *statement)
{
    sqlite3_reset(statement);
}

const char *store_value(sqlite3_stmt *statement, int column, char digits[REAL_TEXT])
{
    if (sqlite3_column_type(statement, column) != SQLITE_FLOAT)
        return (const char *)sqlite3_column_text(statement, column);
    real_print(sqlite3_column_double(statement, column), digits);
    return digits;
}

const char *store_text(sqlite3_stmt *statement, int column, struct arena *arena)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? arena_text(arena, text) : NULL;
}

double store_real(sqlite3_stmt *statement, int column)
{
    bool absent = sqlite3_column_type(statement, column) == SQLITE_NULL;
    return absent ? (double)NAN : sqlite3_column_double(statement, column);
}

int store_texts(sqlite3_stmt *statement, const char ***text, struct arena *arena)
{
    int count = 0;
    for (*text = NULL; store_next(statement); count++) {
        ARENA_MORE(arena, *text, count);
        (*text)[count] = store_text(statement, 0, arena);
    }
    return count;
}

static bool locked; /* true: a lock was reported, and this program has not written the database
                       since */

double store_patience(void)
{
    return locked ? 0 : STORE_PATIENCE;
}

void store_say_locked(const struct store *store)
{
    if (!locked)
        warn("%s: another program has kept it locked for %d s; new results are added by the next "
             "`sanlab collect`",
             store->path, STORE_PATIENCE);
    locked = true;
}

/* Runs `sql`, which begins or ends a transaction. Returns false if other programs keep the database
 * locked. Within the transaction, the timeout for locks is 0. Otherwise every statement could wait,
 * because SQLite tries to write pages when its cache is full. */
static bool take_turn(struct store *store, const char *sql)
{
    sqlite3_busy_timeout(store->database, (int)(store_patience() * 1000));
    const int code = sqlite3_exec(store->database, sql, NULL, NULL, NULL) & 0xff;
    const bool inside = !sqlite3_get_autocommit(store->database);
    sqlite3_busy_timeout(store->database, inside ? 0 : STORE_PATIENCE * 1000);
    if (code != SQLITE_OK && code != SQLITE_BUSY) store_refuse_now(store->database);
    if (code == SQLITE_BUSY) store_say_locked(store);
    return code == SQLITE_OK;
}

bool store_keep_state(struct store *store)
{
    if (store->copy) return true;
    if (take_turn(store, "BEGIN; PRAGMA user_version")) return true;
    store_leave(store);
    return false;
}

bool store_try_begin(struct store *store)
{
    /* Ends the transaction of store_keep_state. */
    if (!sqlite3_get_autocommit(store->database)) store_run(store, "COMMIT", "");
    return take_turn(store, "BEGIN IMMEDIATE");
}

bool store_commit(struct store *store)
{
    const bool done = take_turn(store, "COMMIT");
    if (done && !store->copy) locked = false;
    return done;
}
