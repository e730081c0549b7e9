/* Facts of a report (report.h) other than results: sheets of options, environments, stages. */
#pragma once

#include "core/base/hash_table.h"
#include "results/sheet/sheet.h"
#include "results/store/value_cache.h"
#include "results/table/summary.h"

/* A stage of a grid; rows and seeds may share it. */
struct report_stage {
    const char *id, *kind;
    int options;
    struct stage_option {
        const char *key, *value;
    } * option; /* [options] given to the stage */
};

struct report_facts {
    int stages;
    struct report_stage *stage; /* [stages] in the order of the rows, inputs first */
    /* Each is NULL if empty. */
    struct sheet *differences;  /* options in which rows differ, by row */
    struct sheet *options;      /* options that all rows share */
    struct sheet *defaults;     /* of training, not set by any row */
    struct sheet *environments; /* of stages: key, value, rows */
    struct sheet *signatures;   /* of scores: value, rows */
    struct sheet *list;         /* the stages, with their rows and seeds */
    const char *seeds;          /* "1, 2, 3" */
    const char *commits;        /* "abc, def"; NULL: none known */
    double started, finished;   /* of all final stages; NaN: none */
};

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena);

/* Returns a time as text: "2026-11-20 14:09 UTC". */
const char *report_time(struct arena *arena, double seconds);
