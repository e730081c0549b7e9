/* Files of a database: header, permissions. */
#pragma once

#include <stdint.h>

#include "core/base/arena.h"

/* Suffixes of the database and of the files that SQLite adds to it; NULL-terminated. */
extern const char *const store_file_ending[];

/* The header of the first page. It is always in the file, because it is written before the log. */
struct store_header {
    bool ours, log; /* log: the database has a write-ahead log */
    int64_t version;
};
struct store_header store_header(const char *path);

/* Gives the files of a database the group of RUNS. */
void store_share(const char *path);
struct store;
#define STORE_LOCK "sanlab.lock" /* in RUNS */
/* Returns true if this user may not write a file of the database. Warns about each of these files,
 * and about the lock, which is written only when the database is rebuilt. */
bool store_cannot_write(const struct store *store);

bool store_is_damage(int code); /* true for SQLite's codes of damage */
/* Returns the damage of an open database; NULL: none. Exits with an error if the database is of
 * another application or version. */
const char *store_check(struct store *store, struct arena *arena);
