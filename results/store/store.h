/* RUNS/sanlab.db: one SQLite database of the contents of all run folders, for queries.
 *
 * Its only source is the folders, through the collector (collector.h), so it can be deleted and
 * rebuilt. Opening checks the application id, the schema version, the tables and views (schema.h),
 * the names of stages' folders (KIND-12 digits of their ids), and pages. Of a database larger than
 * STORE_CHECK_BYTES only the pages of the small tables are checked (verify checks all pages). Its
 * triggers are never run and its views never read. A database of an older version is rebuilt. So is
 * a damaged database, whose file is kept (STORE_DAMAGED). Both cases print one line. A newer
 * version is refused. Later errors of SQLite end the program with a helpful message.
 *
 * The database has a write-ahead log, so that readers and a writer do not wait for each other. The
 * log needs memory shared by all users of the database. Locks between machines fail on a network
 * file system. If RUNS is on such a file system, the database has a rollback journal instead, and
 * runners do not write it. $SANLAB_NETWORK has the same effect for a file system that is not
 * recognized.
 *
 * All parameters are bound: no SQL text is ever formatted, except names of our tables. `types` of
 * the functions below has one letter per parameter:
 *   s   text (const char *, NULL is null)
 *   i   int64_t
 *   n   int64_t (negative is null)
 *   d   double (NaN and infinities are null) */
#pragma once

#include <sqlite3.h>

#include "core/base/arena.h"
#include "core/base/number.h"

#define STORE_FILE "sanlab.db"
#define STORE_FILE_NEW STORE_FILE ".new" /* the database while it is rebuilt */
#define STORE_DAMAGED ".damaged"         /* suffix of a damaged database */

/* Conditions on rows of `value`: without layer, head, set and class; of the stage as a whole; of
 * done.json; lines of metrics.jsonl. Lines are also rows of the stage as a whole if done.json has
 * no values (stage_folder.h). */
#define STORE_PLAIN "layer IS NULL AND head IS NULL AND \"set\" IS NULL AND class IS NULL"
#define STORE_WHOLE "origin > 0"
#define STORE_DONE "origin = 1"
#define STORE_LINES "origin <> 1"
enum { STORE_OF_LINE, STORE_OF_DONE, STORE_OF_BOTH };
/* The numbers and texts of a stage as a whole. */
#define STORE_SUMMARY                                                                              \
    "SELECT stage, name, value, NULL AS text FROM value WHERE " STORE_WHOLE                        \
    " UNION ALL SELECT stage, name, NULL, text FROM word"
/* The last line of each name without layer, head, set and class. */
#define STORE_LATEST                                                                               \
    "SELECT stage, name, step, value FROM value AS one WHERE " STORE_LINES " AND " STORE_PLAIN     \
    " AND rowid = (SELECT rowid FROM value WHERE stage = one.stage AND name = one.name "           \
    "AND " STORE_LINES " AND " STORE_PLAIN " ORDER BY step DESC, rowid DESC LIMIT 1)"
/* The names of all values, each once, without a scan of all rows. */
#define STORE_NAMES                                                                                \
    "(WITH RECURSIVE named (stage, name) AS ("                                                     \
    "SELECT number, (SELECT min(name) FROM value WHERE value.stage = number) FROM stage UNION "    \
    "ALL "                                                                                         \
    "SELECT stage, (SELECT min(name) FROM value WHERE value.stage = named.stage AND value.name > " \
    "named.name) FROM named WHERE name IS NOT NULL) "                                              \
    "SELECT DISTINCT name FROM named WHERE name IS NOT NULL)"

enum {
    STORE_APPLICATION = 0x73616e6c, /* "sanl" */
    STORE_VERSION = 10,             /* of schema.h */
    STORE_CHECK_BYTES = 1 << 26,
    STORE_PATIENCE = 2 /* seconds to wait for a lock of another program */
};

struct store {
    sqlite3 *database;
    char *runs, *path; /* RUNS, and RUNS/sanlab.db */
    int lock;          /* file descriptor of the shared lock that prevents replacement of the
                          database; -1: none */
    bool copy;         /* in memory: writes are lost */
    int statements;    /* of store_prepare */
    struct store_statement {
        const char *sql;
        sqlite3_stmt *statement;
    } * statement;
};

/* Exits with an error if RUNS exists and is no folder. */
void store_check_runs(const char *runs);
/* Exits with an error, with the path, if RUNS does not exist. */
void store_need_runs(const char *runs);
#define STORE_RUNS "runs" /* default of RUNS */
/* Opens or creates RUNS/sanlab.db. In the following cases the database is a copy in memory
 * (`copy`), which the collector completes, so that readers need no special case:
 *   RUNS does not exist or cannot be written;
 *   RUNS can be written, but not a file of the database: a warning names each such file;
 *   another program keeps the database locked for STORE_PATIENCE: a warning. */
struct store *store_open(const char *runs);
/* Replaces the open database by a copy in memory, or by an empty database if it cannot be read.
 * Requires that no statement has unread rows. */
void store_leave(struct store *store);
/* Returns a database for other programs: a copy of the store's in the file `path`, which must exist
 * and be empty. If `path` is NULL, returns an empty database in memory. */
struct store *store_export(const struct store *store, const char *path);
void store_close(struct store *store);
/* Returns the name of the file system of a path: "ext4", "NFS"; NULL if the path does not exist. */
const char *store_file_system(const char *path, bool *network, struct arena *arena);
bool store_on_network(const char *path);

/* Builds a new database next to the present one, lets `fill` write it, and replaces the old one.
 * Returns false, with a warning, if another process keeps the old one open for STORE_PATIENCE. */
bool store_rebuild(const char *runs, void (*fill)(struct store *store, void *context),
                   void *context);

/* Returns the damage of the database's pages (quick_check); NULL: none. Checks the small tables, or
 * all tables if `whole`. */
const char *store_damage(struct store *store, bool whole, struct arena *arena);

/* A lock of another program is waited for once and reported once, until the next write. */
double store_patience(void); /* seconds: STORE_PATIENCE, or 0 after a lock was reported */
void store_say_locked(const struct store *store);

/* Keeps the present state for reading, until the next store_try_begin or store_close. Without a
 * write-ahead log, a statement could otherwise fail at the lock of a writer. Returns false if
 * others keep the database locked: then the store has become a copy in memory, which the collector
 * must complete. */
bool store_keep_state(struct store *store);
/* BEGIN IMMEDIATE: a writer waits for its turn at the start and never fails in the middle. If
 * others keep the database locked, store_try_begin returns false; store_begin calls store_leave and
 * uses the copy. */
bool store_try_begin(struct store *store);
void store_begin(struct store *store);
/* Returns false if others keep the database locked: then the transaction stays open. */
bool store_commit(struct store *store);

/* Prepares a statement. Bind its parameters, then call store_next until it returns false. `sql` is
 * a literal: it is prepared once. The store caches the statement, and reuses it unless its rows are
 * still being read. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql);
sqlite3_stmt *store_bind(sqlite3_stmt *statement, const char *types, ...);
bool store_next(sqlite3_stmt *statement);   /* true: a row; after the last row the statement is
                                               reset */
void store_end(sqlite3_stmt *statement);    /* skips the remaining rows */
void store_finish(sqlite3_stmt *statement); /* before the last row: skips the others */

/* store_ask: prepares and binds. store_run: the same for a statement without result rows. */
#define store_ask(store, sql, ...) store_bind(store_prepare((store), (sql)), __VA_ARGS__)
#define store_run(store, sql, ...) store_end(store_ask((store), (sql), __VA_ARGS__))

/* store_script: runs statements without parameters. store_insert: inserts a row of a table, with a
 * value for each of its columns, and replaces the row of the same key. The table's name is a
 * literal. */
void store_script(struct store *store, const char *script);
void store_insert(struct store *store, const char *table, const char *types, ...);

/* Exit with a helpful message for an error of SQLite. The last two read the error from the
 * database, and for a failed system call ("disk I/O error") the cause. */
NORETURN void store_refuse(int code, const char *path, const char *message);
NORETURN void store_refuse_at(sqlite3 *database, const char *path);
NORETURN void store_refuse_now(sqlite3 *database);

/* A column of the present row, from 0: text in the arena (NULL for null), a number (NaN for
 * null). */
const char *store_text(sqlite3_stmt *statement, int column, struct arena *arena);
double store_real(sqlite3_stmt *statement, int column);
/* Returns the text of a column, a number with all its digits (SQLite prints only 15); NULL for
 * null. */
const char *store_value(sqlite3_stmt *statement, int column, char digits[REAL_TEXT]);
/* Returns the number of rows and the texts of their first column. */
int store_texts(sqlite3_stmt *statement, const char ***text, struct arena *arena);
