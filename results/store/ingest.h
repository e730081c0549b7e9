/* How a stage's folder or a grid's record becomes rows; the collector (collect.h) finds them. */
#ifndef RESULTS_STORE_INGEST_H
#define RESULTS_STORE_INGEST_H

#include <jansson.h>

#include "results/store/store.h"

struct collect_report {
    int64_t stages, metrics, events; /* stages seen; rows added */
    int64_t torn;                    /* last lines without newline, left for later */
    int64_t bad;                     /* lines and files that are no records */
    double seconds;
};

enum { INGEST_KEPT = 64 };

struct ingest {
    struct store *store;
    struct collect_report report;
    int64_t pending, complaints; /* lines read; bad records found in this run */
    bool renamed;                /* some stage's names or tags may have changed */
    int kept;                    /* statements that are used again and again */
    struct {
        const char *sql; /* known by its address */
        sqlite3_stmt *statement;
    } keep[INGEST_KEPT];
};

/* What is known of a file: the row of the table `file`. */
struct ingest_file {
    int64_t bytes, modified, bad;
    const char *tail;
};

/* One folder of RUNS/stages (and its time, to be remembered once the stage is over), and one file
 * GRID/NAME.json of RUNS/grids. */
void ingest_stage(struct ingest *ingest, const char *name, int64_t modified);
void ingest_grid(struct ingest *ingest, const char *name);

struct ingest ingest_open(struct store *store);
void ingest_close(struct ingest *ingest);

/* As store_ask and store_run, for statements that come again for every stage: `sql` is a literal,
 * prepared once. Rows may be left unread; the statement belongs to `ingest`. */
sqlite3_stmt *ingest_keep(struct ingest *ingest, const char *sql);
#define ingest_ask(ingest, sql, ...) store_bind(ingest_keep((ingest), (sql)), __VA_ARGS__)
#define ingest_run(ingest, sql, ...) store_end(ingest_ask((ingest), (sql), __VA_ARGS__))

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
