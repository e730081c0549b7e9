/* The files of a database as the file system has them. */
#pragma once

#include <stdint.h>

#include "core/base/arena.h"

/* The endings of the database and of the files that SQLite puts beside it; the last one is NULL. */
extern const char *const store_file_ending[];

/* The first page, which is never in the write-ahead log only: it is written before. */
struct store_header {
    bool ours, log; /* log: the database has a write-ahead log */
    int64_t version;
};
struct store_header store_header(const char *path);

/* Gives the files of a database the group of RUNS. */
void store_share(const char *path);
struct store;
#define STORE_LOCK "sanlab.lock" /* in RUNS */
/* True if this user may not write a file of the database. Warns about each such file, and about the
 * lock, which only building the database anew writes. */
bool store_cannot_write(const struct store *store);

bool store_is_damage(int code); /* of SQLite */
/* What is damaged in an open database, or NULL. Dies if it is not one of ours, or of another
 * version. */
const char *store_check(struct store *store, struct arena *arena);
