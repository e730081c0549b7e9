/* Run folders for tests, as the runner and its workers would write them. */
#pragma once

#include "core/base/arena.h"
#include "results/store/store.h"

/* RUNS/stages/<kind>-<id> with its stage.json. The id is the digest of `text`, which is also the
 * canonical text; `options` is JSON, `input` an id or NULL, `name` any text. */
struct run {
    char id[65], folder[600];
};
struct run run_new(const char *runs, const char *kind, const char *text, const char *options,
                   const char *input, const char *name);
/* done.json; `summary` is JSON. */
void run_done(const struct run *run, const char *status, const char *summary);
void run_write(const struct run *run, const char *name, const char *text);
void run_append(const struct run *run, const char *name, const char *text);

/* A training of 501 steps that is done (returned), its score that failed, and a grid of both. */
struct run runs_fill(const char *runs);
/* The digest of all rows of all tables, but for what the collector remembers of files and the
 * numbers that the database gives to stages; and how many rows. */
const char *runs_digest(struct store *store);
/* The database of a folder, after collecting; the caller closes it. */
struct store *runs_collect(const char *runs);
/* The database of all tests of a program. BEFORE(all) opens it, AFTER(all) closes it. */
extern struct store *runs_store;
/* Builds the database anew; it must have this digest. */
void runs_rebuild(const char *runs, const char *digest);
/* The number that a question to the database has as its one answer. */
int64_t runs_ask_int(struct store *store, const char *sql);
