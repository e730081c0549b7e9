/* RUNS/sanlab.db is an SQLite database for queries. It has the contents of all run folders.
 *
 * The collector (collector.h) copies the contents from the folders, so the database can be deleted
 * and rebuilt. store_open checks the application id, the schema version, the tables and views
 * (schema.h), the names of stages' folders, and the pages. If the database is larger than
 * STORE_CHECK_BYTES, only the pages of small tables are checked; `verify` checks all pages.
 * Triggers in the database are not run, and its views are not read. A database of an older version
 * is rebuilt. A damaged database is also rebuilt, and its file is kept under another name
 * (STORE_DAMAGED). In both cases, one line is printed. A database of a newer version is refused.
 * Later errors of SQLite end the program with a helpful message.
 *
 * The database has a write-ahead log, so that readers and a writer do not wait for each other. The
 * log needs memory that all users of the database share, so they must be on one machine. If RUNS is
 * on a network file system, the database has a rollback journal instead. Runners then do not write
 * the database, because locks between machines are unreliable. Set $SANLAB_NETWORK if a network
 * file system is not recognized.
 *
 * SQL text is constant, and all values are bound as parameters. Exception: store_insert inserts the
 * name of a table. `types` of the functions below has one letter for each parameter:
 *   s   text (const char *; NULL is bound as null)
 *   i   int64_t
 *   n   int64_t (a negative number is bound as null)
 *   d   double (NaN and infinities are bound as null) */
#pragma once

#include <sqlite3.h>

#include "core/base/arena.h"
#include "core/base/number.h"

#define STORE_FILE "sanlab.db"
#define STORE_FILE_NEW STORE_FILE ".new" /* the new database, while the database is rebuilt */
#define STORE_DAMAGED ".damaged"         /* suffix of a damaged database */

/* Conditions on rows of the table `value`. PLAIN: rows without layer, head, set and class. WHOLE:
 * values of the stage as a whole. DONE: values from done.json. LINES: lines of metrics.jsonl. If
 * done.json has no values (stage_folder.h), some lines are also values of the stage as a whole. */
#define STORE_PLAIN "layer IS NULL AND head IS NULL AND \"set\" IS NULL AND class IS NULL"
#define STORE_WHOLE "origin > 0"
#define STORE_DONE "origin = 1"
#define STORE_LINES "origin <> 1"
enum { STORE_OF_LINE, STORE_OF_DONE, STORE_OF_BOTH };
/* Selects the numbers and texts of stages as a whole. */
#define STORE_SUMMARY                                                                              \
    "SELECT stage, name, value, NULL AS text FROM value WHERE " STORE_WHOLE                        \
    " UNION ALL SELECT stage, name, NULL, text FROM word"
/* Selects the last line of each name, among lines without layer, head, set and class. */
#define STORE_LATEST                                                                               \
    "SELECT stage, name, step, value FROM value AS one WHERE " STORE_LINES " AND " STORE_PLAIN     \
    " AND rowid = (SELECT rowid FROM value WHERE stage = one.stage AND name = one.name "           \
    "AND " STORE_LINES " AND " STORE_PLAIN " ORDER BY step DESC, rowid DESC LIMIT 1)"
/* Selects the different names of all values. Seeks in an index, because a scan of all rows is
 * slow. */
#define STORE_NAMES                                                                                \
    "(WITH RECURSIVE named (stage, name) AS ("                                                     \
    "SELECT number, (SELECT min(name) FROM value WHERE value.stage = number) FROM stage UNION "    \
    "ALL "                                                                                         \
    "SELECT stage, (SELECT min(name) FROM value WHERE value.stage = named.stage AND value.name > " \
    "named.name) FROM named WHERE name IS NOT NULL) "                                              \
    "SELECT DISTINCT name FROM named WHERE name IS NOT NULL)"

enum {
    STORE_APPLICATION = 0x73616e6c, /* "sanl" */
    STORE_VERSION = 11,             /* version of the tables and views in schema.h */
    STORE_CHECK_BYTES = 1 << 26,
    STORE_PATIENCE = 2 /* seconds to wait for a lock of another program */
};

struct store {
    sqlite3 *database;
    char *runs, *path; /* paths of RUNS and RUNS/sanlab.db */
    int lock;          /* file descriptor of the shared lock that prevents replacement of the
                          database; -1: none */
    bool copy;         /* true: a database in memory, whose contents are lost at the end */
    int statements;    /* number of statements that store_prepare has cached */
    struct store_statement {
        const char *sql;
        sqlite3_stmt *statement;
    } * statement;
};

/* Exits with an error if RUNS exists and is no folder. */
void store_check_runs(const char *runs);
/* Exits with an error that names the path if RUNS does not exist. */
void store_need_runs(const char *runs);
#define STORE_RUNS "runs" /* default of RUNS */
/* Opens or creates RUNS/sanlab.db. In these cases, the store is an empty database in memory
 * (`copy`) instead. The collector can fill it, so readers need no special case:
 *   RUNS does not exist or cannot be written;
 *   RUNS can be written, but not a file of the database: a warning names each such file;
 *   another program keeps the database locked for STORE_PATIENCE: a warning. */
struct store *store_open(const char *runs);
/* Replaces the open database by an empty database in memory. */
void store_leave(struct store *store);
/* Copies the database to the file `path`, for other programs, and returns the copy. The file must
 * exist and be empty. If `path` is NULL, returns an empty database in memory. */
struct store *store_export(const struct store *store, const char *path);
void store_close(struct store *store);

/* Creates a new database, calls `fill` to write it, and replaces the old database by it. If another
 * process keeps the old database open for STORE_PATIENCE, warns and returns false. */
bool store_rebuild(const char *runs, void (*fill)(struct store *store, void *context),
                   void *context);

/* Checks the pages of the database (quick_check of SQLite). Returns a description of the damage;
 * NULL if there is none. Checks only the small tables unless `whole` is true. */
const char *store_damage(struct store *store, bool whole, struct arena *arena);

/* If another program keeps the database locked, the program waits and warns only once. It waits
 * again only after its next successful write. */
double store_patience(void); /* seconds: STORE_PATIENCE, or 0 after a lock was reported */
void store_say_locked(const struct store *store);

/* Begins a transaction for reading, until the next store_try_begin or store_close. So all
 * statements read one state. If others keep the database locked, returns false. The store is then a
 * database in memory, which the collector must fill. */
bool store_keep_state(struct store *store);
/* Begins a transaction for writing, with BEGIN IMMEDIATE. So a writer waits for locks only at the
 * start, and does not fail in the middle. If others keep the database locked, returns false. */
bool store_try_begin(struct store *store);
/* Ends a transaction. If others keep the database locked, returns false, and the transaction
 * remains open. */
bool store_commit(struct store *store);

/* Returns a prepared statement. The caller binds its parameters, then calls store_next until it
 * returns false. `sql` must be a string literal, because statements are cached by its address. A
 * cached statement is reused unless its rows are still being read. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql);
sqlite3_stmt *store_bind(sqlite3_stmt *statement, const char *types, ...);
bool store_next(sqlite3_stmt *statement);   /* reads the next row. Returns false after the last row,
                                               and resets the statement */
void store_end(sqlite3_stmt *statement);    /* runs the statement to its end, skipping rows */
void store_finish(sqlite3_stmt *statement); /* resets the statement before its last row */

/* store_ask: prepares a statement and binds its parameters. store_run: also runs the statement,
 * which must have no result rows. */
#define store_ask(store, sql, ...) store_bind(store_prepare((store), (sql)), __VA_ARGS__)
#define store_run(store, sql, ...) store_end(store_ask((store), (sql), __VA_ARGS__))

/* store_script: runs statements without parameters. store_insert: inserts a row into a table, with
 * a value for each column. It replaces a row with the same key. The name of the table must be a
 * string literal. */
void store_script(struct store *store, const char *script);
void store_insert(struct store *store, const char *table, const char *types, ...);

/* Exit with a helpful message about an error of SQLite. store_refuse_at and store_refuse_now read
 * the error from the database. For a failed system call ("disk I/O error"), they print its
 * cause. */
NORETURN void store_refuse(int code, const char *path, const char *message);
NORETURN void store_refuse_at(sqlite3 *database, const char *path);
NORETURN void store_refuse_now(sqlite3 *database);

/* Return the value of a column (index from 0) of the current row. The value is a text in the arena
 * (NULL for null), or a number (NaN for null). */
const char *store_text(sqlite3_stmt *statement, int column, struct arena *arena);
double store_real(sqlite3_stmt *statement, int column);
/* Returns the value of a column as text; NULL for null. Numbers have all their digits, but SQLite's
 * text has only 15. */
const char *store_value(sqlite3_stmt *statement, int column, char digits[REAL_TEXT]);
/* Runs a statement. Writes the texts of the first column to *text, in the arena. Returns the number
 * of rows. */
int store_texts(sqlite3_stmt *statement, const char ***text, struct arena *arena);
