/* The report of a grid: one HTML page that needs nothing else, for readers who have neither the
 * program nor the data. It holds the table, the figures, the claims, what the rows' options are,
 * where and when it was computed, by which stages, and the commands that do it again.
 *
 * Whatever stands in it comes from the database, the grid and the caller. No clock is asked, so a
 * report of the same results has the same bytes. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/summary.h"

struct report_figure {
    const char *title;
    int captions;
    const char *const *caption; /* [captions] lines below it */
    const char *failure;        /* why it could not be drawn; NULL: it is */
    const char *svg;            /* as gnuplot wrote it */
    bool wide;                  /* too wide to be read on a phone as a whole */
};

struct report {
    const struct grid *grid;
    const char *arguments; /* of the command line, as a shell takes them: "windows seeds=1,2" */
    int sheets, figures;
    const struct sheet *const *sheet;   /* [sheets] the tables */
    const struct report_figure *figure; /* [figures] */
    const struct sheet *claims;         /* NULL: none */
};

/* The page. The database must have been brought up to date (collect.h). */
void report_print(struct store *store, const struct report *report, FILE *out);

/* The page in the file `path`; before it, RUNS/reports/GRID.json says which stages the page cites,
 * with all that those read:
 *   {"grid": "windows", "pages": {"windows.html": ["64 digits", ...], "/other/folder/w.html": ..}}
 * A page that is written again replaces its list. One that is gone keeps it, for it may have been
 * sent to someone: who no longer wants its stages kept removes the record. */
void report_write(struct store *store, const struct report *report, const char *path);

/* The ids of all stages that some report cites, sorted, each once: what gc must not remove. Dies
 * when a record cannot be read, for then nobody knows. */
int report_cited(const char *runs, const char ***id, struct arena *arena);
