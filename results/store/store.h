/* RUNS/sanlab.db: one SQLite database of all that the run folders hold, for questions.
 *
 * Everything in it comes from the folders through the collector (collect.h), so it can be thrown
 * away and built again. Opening checks application id, schema version, that its tables and views
 * are those of schema.h, that stages' folders are KIND-12 digits of their ids, and pages; of a
 * database of more than STORE_CHECK_BYTES only those of the small tables (verify looks at all). No
 * trigger of it runs and no view is read. An older version's is built anew. So is a damaged one,
 * whose file is kept (STORE_DAMAGED); both are said in one line. A newer version's is refused, and
 * whatever SQLite refuses later, with a message that says what helps.
 *
 * It has a write-ahead log, so that readers and a writer do not wait for each other. That needs
 * memory which all its users share; where RUNS lies on a network file system (or $SANLAB_NETWORK is
 * set, for one that does not say so) it has a rollback journal instead, and runners leave it alone:
 * locks between machines have been seen to fail there.
 *
 * Only bound parameters: no SQL text is ever formatted, but for names of our tables. In `types` of
 * the functions below, one letter per parameter: s text (const char *, NULL is null), i int64_t,
 * n int64_t (negative is null), d double (NaN and infinities are null). */
#pragma once

#include <sqlite3.h>

#include "core/base/arena.h"
#include "core/base/number.h"

#define STORE_FILE "sanlab.db"
#define STORE_FILE_NEW STORE_FILE ".new" /* while it is built anew */
#define STORE_DAMAGED ".damaged"         /* behind the name of one that was */

/* In a WHERE on value: rows without layer, head, set and class; */
#define STORE_PLAIN "layer IS NULL AND head IS NULL AND \"set\" IS NULL AND class IS NULL"
/* what a stage comes to as a whole; those of done.json; and the lines of metrics.jsonl, which are
 * both where done.json has no values (stage_folder.h). */
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
/* The names of all values, each once, without a look at each row. */
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
    STORE_PATIENCE = 2 /* seconds for which a process waits for a lock of another program */
};

struct store {
    sqlite3 *database;
    char *runs, *path; /* RUNS, and RUNS/sanlab.db */
    int lock;          /* shared: this database is in use, do not replace it; -1: none */
    bool copy;         /* in memory: what is written to it is not kept */
    int statements;    /* of store_prepare */
    struct store_statement {
        const char *sql;
        sqlite3_stmt *statement;
    } * statement;
};

/* Dies when RUNS is there and no folder. */
void store_check_runs(const char *runs);
/* Dies when RUNS is not there, and says where it was looked for. */
void store_need_runs(const char *runs);
#define STORE_RUNS "runs" /* RUNS where nobody names it */
/* Opens or creates RUNS/sanlab.db. The database is a copy in memory (`copy`), which the collector
 * completes, so that every reader works the same way, where
 *   RUNS is not there or cannot be written;
 *   RUNS can be written, but not a file of the database: a warning names each such file;
 *   another program keeps the database locked for STORE_PATIENCE: a warning says so. */
struct store *store_open(const char *runs);
/* Goes on with a copy in memory of the database as it is, or with an empty one where it cannot be
 * read. No statement has rows that are still being read. */
void store_leave(struct store *store);
/* A database for other programs: a copy of the store's in the file `path`, which must exist and be
 * empty, or with NULL an empty one in memory. */
struct store *store_export(const struct store *store, const char *path);
void store_close(struct store *store);
/* Returns the name of the file system where a file or folder lies: "ext4", "NFS"; NULL if there is
 * nothing at the path. */
const char *store_file_system(const char *path, bool *network, struct arena *arena);
bool store_on_network(const char *path);

/* Builds a new database next to the present one, lets `fill` write it, and replaces the old one.
 * False, with a warning, if another process keeps the old one open for STORE_PATIENCE. */
bool store_rebuild(const char *runs, void (*fill)(struct store *store, void *context),
                   void *context);

/* What is wrong with its pages (quick_check), or NULL; of the small tables only, or of all. */
const char *store_damage(struct store *store, bool whole, struct arena *arena);

/* A lock of another program is waited for once and reported once, until something is written. */
double store_patience(void); /* seconds: STORE_PATIENCE, or 0 after a lock was reported */
void store_say_locked(const struct store *store);

/* Keeps the present state for reading, until the next store_try_begin or store_close. Without a
 * write-ahead log, a statement could otherwise meet the lock of a writer. False if others keep the
 * database locked: then the store has become a copy in memory, for the collector to complete. */
bool store_keep_state(struct store *store);
/* BEGIN IMMEDIATE: a writer waits its turn at the start and never fails in the middle. Where others
 * keep the database locked, store_try_begin returns false, and store_begin leaves the database. */
bool store_try_begin(struct store *store);
void store_begin(struct store *store);
/* False if others keep the database locked: then the transaction goes on. */
bool store_commit(struct store *store);

/* Bind, then next until false. `sql` is a literal: it is prepared once, and the store keeps the
 * statement for whoever asks the same again, unless its rows are still being read. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql);
sqlite3_stmt *store_bind(sqlite3_stmt *statement, const char *types, ...);
bool store_next(sqlite3_stmt *statement);   /* a row; after the last one the statement is reset */
void store_end(sqlite3_stmt *statement);    /* passes over the rows that are left */
void store_finish(sqlite3_stmt *statement); /* before its last row: the others are not wanted */

/* Prepare and bind; and with it a statement that gives no rows. */
#define store_ask(store, sql, ...) store_bind(store_prepare((store), (sql)), __VA_ARGS__)
#define store_run(store, sql, ...) store_end(store_ask((store), (sql), __VA_ARGS__))

/* Statements without parameters, one after the other; and a row of a table, with a value for each
 * of its columns, in the place of the one of that key. The table's name is a literal. */
void store_script(struct store *store, const char *script);
void store_insert(struct store *store, const char *table, const char *types, ...);

/* What SQLite refused, in words that help: dies. The others ask the database what it was, and where
 * the system refused it to SQLite ("disk I/O error") why. */
NORETURN void store_refuse(int code, const char *path, const char *message);
NORETURN void store_refuse_at(sqlite3 *database, const char *path);
NORETURN void store_refuse_now(sqlite3 *database);

/* Column of the present row, from 0: text in the arena (NULL for null), a number (NaN for null). */
const char *store_text(sqlite3_stmt *statement, int column, struct arena *arena);
double store_real(sqlite3_stmt *statement, int column);
/* The text of a column, of a number with all its digits (SQLite's own has 15); NULL for null. */
const char *store_value(sqlite3_stmt *statement, int column, char digits[REAL_TEXT]);
/* The texts of the first column, of all rows; returns how many. */
int store_texts(sqlite3_stmt *statement, const char ***text, struct arena *arena);
