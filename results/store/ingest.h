/* How a stage's folder or a grid's record becomes rows; the collector (collect.h) finds them. */
#pragma once

#include <jansson.h>
#include <sys/stat.h>

#include "results/store/store.h"

struct collect_report {
    int64_t stages, metrics, events; /* stages seen; rows added */
    int64_t torn;                    /* last lines without newline, left for later */
    int64_t bad;                     /* lines and files that are no records */
    double seconds;
    bool locked; /* collect_rebuild only: another process uses the database, so nothing was done */
};

struct ingest {
    struct store *store;
    struct collect_report report;
    int64_t pending, complaints; /* lines read; bad records found in this run */
    bool renamed;                /* some stage's names or tags may have changed */
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

/* Warns about a line or file that is no record; only about the first few of a run. */
void ingest_complain(struct ingest *ingest, const char *format, ...) PRINTF(2, 3);

/* When a file or folder was last changed, in nanoseconds; a file's bytes and time, zeros when it is
 * not there. */
int64_t ingest_time(const struct stat *info);
struct ingest_file ingest_look(const char *path);
/* Whether a file is another one than is known of it; brings `known` up to date. */
bool ingest_changed(const char *path, struct ingest_file *known);

/* The object in a file, or NULL with a complaint. The caller owns it. */
json_t *ingest_object(struct ingest *ingest, const char *path);

/* Reads a journal on from where `known` ended, or anew when it was cut; `known` is brought up to
 * date. `name` is metrics.jsonl, events.jsonl or notes.jsonl. Says whether anything has changed. */
bool ingest_journal(struct ingest *ingest, int64_t stage, const char *path, const char *name,
                    struct ingest_file *known);
/* Names and tags of stages, where some may have changed: before each end of a transaction. */
void ingest_names(struct ingest *ingest);
void ingest_remember(struct ingest *ingest, int64_t stage, const char *name,
                     const struct ingest_file *known);
