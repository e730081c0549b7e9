/* How a stage's folder or a grid's record becomes rows; the collector (collect.h) finds them. */
#ifndef RESULTS_INGEST_H
#define RESULTS_INGEST_H

#include <jansson.h>

#include "results/collect.h"

struct ingest {
    struct store *store;
    struct collect_report report;
    sqlite3_stmt *metric, *event, *timing; /* prepared inserts */
    int64_t pending, complaints;           /* lines read; bad records found in this run */
};

/* What is known of a file: the row of the table `file`. */
struct ingest_file {
    int64_t bytes, modified, bad;
    const char *tail;
};

/* One folder of RUNS/stages, and one file GRID/NAME.json of RUNS/grids. */
void ingest_stage(struct ingest *ingest, const char *name);
void ingest_grid(struct ingest *ingest, const char *name);

struct ingest ingest_open(struct store *store);
void ingest_close(struct ingest *ingest);

/* Warns about a line or file that is no record; only about the first few of a run. */
void ingest_complain(struct ingest *ingest, const char *format, ...) PRINTF(2, 3);

/* Whether a file is another one than is known of it; brings `known` up to date. */
bool ingest_changed(const char *path, struct ingest_file *known);

/* The object in a file, or NULL with a complaint. The caller owns it. */
json_t *ingest_object(struct ingest *ingest, const char *path);

/* Calls `take` for every value in an object: dotted names for what is nested, after `prefix` ("":
 * none); a list is one value. `text` is the value as text (strings bare, the rest in JSON). */
typedef void ingest_take(void *context, const char *name, const char *text, const json_t *value);
void ingest_flatten(const json_t *object, const char *prefix, ingest_take *take, void *context);

/* Reads a journal on from where `known` ended, or anew when it was cut; `known` is brought up to
 * date. `name` is metrics.jsonl or events.jsonl. Says whether anything has changed. */
bool ingest_journal(struct ingest *ingest, int64_t stage, const char *path, const char *name,
                    struct ingest_file *known);
void ingest_remember(struct ingest *ingest, int64_t stage, const char *name,
                     const struct ingest_file *known);

#endif
