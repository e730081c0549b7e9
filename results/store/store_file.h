/* Functions about the files of a database: header, permissions, damage. */
#pragma once

#include <stdint.h>

#include "core/base/arena.h"

/* Suffixes of the database and of the files that SQLite adds to it; NULL-terminated. */
extern const char *const store_file_ending[];

/* The header in the first page of the database file. It can be read from the file even with a
 * write-ahead log, because the header is written before the log exists. */
struct store_header {
    bool ours, log; /* ours: the application id is sanlab's; log: the database has a write-ahead
                       log */
    int64_t version;
};
struct store_header store_header(const char *path);

/* Gives the files of a database the group of RUNS, so that all users who can write RUNS can write
 * them (path_share). */
void store_share(const char *path);
struct store;
#define STORE_LOCK "sanlab.lock" /* name of the lock file in RUNS */
/* Returns true if this user has no permission to write a file of the database. Warns about each
 * such file. */
bool store_cannot_write(const struct store *store);

bool store_is_damage(int code); /* true for the codes by which SQLite reports damage */
/* Returns a description of the damage of an open database; NULL if there is none. Exits with an
 * error if the database belongs to another application or has another version. */
const char *store_check(struct store *store, struct arena *arena);
