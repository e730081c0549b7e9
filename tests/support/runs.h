/* Run folders for tests, in the format that the runner and its workers write. */
#pragma once

#include "core/base/arena.h"
#include "results/store/store.h"

/* Makes RUNS/stages/<kind>-<id> with its stage.json. The id is the digest of `text`, which is
 * also the canonical text. `options` is JSON, `input` an id or NULL, `name` any text. */
struct run {
    char id[65], folder[600];
};
struct run run_new(const char *runs, const char *kind, const char *text, const char *options,
                   const char *input, const char *name);
/* Writes done.json; `summary` is JSON. */
void run_done(const struct run *run, const char *status, const char *summary);
void run_write(const struct run *run, const char *name, const char *text);
void run_append(const struct run *run, const char *name, const char *text);

/* Makes a finished training of 501 steps (returned), its failed score, and a grid of both. */
struct run runs_fill(const char *runs);
/* Returns the number of rows of all tables and their digest, without the collector's state of
 * files and the stage numbers of the database. */
const char *runs_digest(struct store *store);
/* Collects a folder and returns its database. The caller closes it. */
struct store *runs_collect(const char *runs);
/* The database shared by all tests of a program. BEFORE(all) opens it, AFTER(all) closes it. */
extern struct store *runs_store;
/* Rebuilds the database; fails unless it has this digest. */
void runs_rebuild(const char *runs, const char *digest);
/* Returns the single integer result of a query. */
int64_t runs_ask_int(struct store *store, const char *sql);
