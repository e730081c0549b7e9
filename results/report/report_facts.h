/* What a report tells besides the results (report.h): sheets of options, environments, stages. */
#pragma once

#include "core/base/table.h"
#include "results/sheet/sheet.h"
#include "results/store/relation.h"
#include "results/table/summary.h"

/* One stage of a grid, which rows and seeds may share. */
struct report_stage {
    const char *id, *kind;
    int options;
    struct stage_option {
        const char *key, *value;
    } * option; /* [options] that it was given */
};

struct report_facts {
    int stages;
    struct report_stage *stage; /* [stages] in the order of the rows, inputs first */
    /* Each is NULL when there is nothing to tell. */
    struct sheet *differences;  /* options in which rows differ, by row */
    struct sheet *options;      /* those that all rows have alike */
    struct sheet *defaults;     /* of training, that no row sets */
    struct sheet *environments; /* of stages: key, value, rows */
    struct sheet *signatures;   /* of scores: value, rows */
    struct sheet *list;         /* the stages, with the rows and seeds that have them */
    const char *seeds;          /* "1, 2, 3" */
    const char *commits;        /* "abc, def"; NULL: none known */
    double started, finished;   /* of all stages that are over; NaN: none */
};

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena);

/* "2026-11-20 14:09 UTC" */
const char *report_time(struct arena *arena, double seconds);
