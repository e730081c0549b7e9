/* Converts the folder of a stage, or the record of a grid, into rows of the database. The collector
 * (collector.h) finds the folders and records. */
#pragma once

#include <jansson.h>
#include <sys/stat.h>

#include "results/store/store.h"

struct collect_report {
    int64_t stages, metrics, events; /* number of stages in the database; numbers of metrics and
                                        events that were added */
    int64_t torn;                    /* number of journals whose last line has no newline; the next
                                        collect reads this line */
    int64_t bad;                     /* number of invalid lines and files */
    double seconds;
    bool locked; /* collect_rebuild only: another process uses the database, so nothing was done */
};

struct ingest {
    struct store *store;
    struct collect_report report;
    int64_t complaints; /* number of complaints in this collect */
    bool renamed;       /* names or tags of a stage may have changed */
};

/* A row of the table `file` (schema.h): the state of a file when it was last read. */
struct ingest_file {
    int64_t bytes, modified, bad;
    const char *tail;
};

/* ingest_stage: collects one folder of RUNS/stages. `modified` is the modification time of the
 * folder. This time is stored when the stage is final. ingest_grid: collects one file
 * GRID/NAME.json of RUNS/grids. */
void ingest_stage(struct ingest *ingest, const char *name, int64_t modified);
void ingest_grid(struct ingest *ingest, const char *name);

/* Warns about an invalid line or file. Prints only the first five warnings of a collect. */
void ingest_complain(struct ingest *ingest, const char *format, ...) PRINTF(2, 3);

/* ingest_time: the modification time of a file or folder, in nanoseconds. ingest_look: the size and
 * time of a file; zeros if the file does not exist. */
int64_t ingest_time(const struct stat *info);
struct ingest_file ingest_look(const char *path);
/* Returns true if a file has changed since `known`. Updates `known`. */
bool ingest_changed(const char *path, struct ingest_file *known);

/* Returns the JSON object in a file. If the file is invalid, complains and returns NULL. The caller
 * owns the object. */
json_t *ingest_object(struct ingest *ingest, const char *path);

/* Reads the new lines of a journal: from byte known->bytes, or from the start if the file was
 * truncated. Updates `known`. `name` is metrics.jsonl, events.jsonl or notes.jsonl. Returns true if
 * the file has changed. */
bool ingest_journal(struct ingest *ingest, int64_t stage, const char *path, const char *name,
                    struct ingest_file *known);
/* Updates the names and tags of stages in the database if they may have changed (`renamed`). Must
 * be called before each commit. */
void ingest_names(struct ingest *ingest);
void ingest_remember(struct ingest *ingest, int64_t stage, const char *name,
                     const struct ingest_file *known);
