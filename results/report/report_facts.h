/* Collects the facts of a report (report.h) other than results: sheets of options, environments and
 * stages. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/value_cache.h"
#include "results/table/summary.h"

struct report_facts {
    int stages;
    const char **id; /* [stages] in the order of the rows, inputs first */
    /* A sheet without lines is NULL. */
    struct sheet *differences;  /* options that differ between rows, with the values of all rows */
    struct sheet *options;      /* options that all rows share, and defaults of the training options
                                   that no row sets */
    struct sheet *environments; /* environments and signatures: key, value, number of stages */
    struct sheet *list;         /* the stages, with their rows and seeds */
    const char *seeds;          /* "1, 2, 3" */
    const char *commits;        /* "abc, def"; NULL: none known */
    double started, finished;   /* first start and last end of the finished stages; NaN: none */
};

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena);

/* Returns a time as text: "2026-11-20 14:09 UTC"; NULL if it is not finite. */
const char *report_time(struct arena *arena, double seconds);
