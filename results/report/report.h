/* The report of a grid: one self-contained HTML page, for readers without the program and the data.
 * It has the table, the figures, the claims, and the options of the rows. It also has the
 * environment and time of the computation, the stages, and the commands that reproduce the page.
 *
 * The content depends only on the database, the grid and the arguments. It does not depend on the
 * clock, so a report of the same results has the same bytes. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/summary.h"

struct report_figure {
    const char *title;
    int captions;
    const char *const *caption; /* [captions] lines below the figure */
    const char *failure;        /* reason why it could not be drawn; NULL: it was drawn */
    const char *svg;            /* the drawing, as gnuplot wrote it */
};

enum { REPORT_REFRESH = 30 };

struct report {
    const struct grid *grid;
    const char *arguments; /* grid and assignments of the command line, quoted for a shell: "windows
                              seeds=1,2" */
    const struct sheet *table;
    int figures;
    const struct report_figure *figure; /* [figures] */
    const struct sheet *claims;         /* NULL: none */
    /* For a page that is written every REPORT_REFRESH seconds while stages run. `progress` is "1 to
     * do, 2 running, .."; NULL for other pages. */
    const char *progress;
    const struct sheet *running;        /* the stages that run; NULL: none */
    const struct report_figure *curves; /* learning curves of trainings that run; NULL: none */
};

/* Prints the page. The database must be up to date (collector.h). */
void report_print(struct store *store, const struct report *report, FILE *out);

/* Writes the page to the file `path`. First writes RUNS/reports/GRID.json, the list of the stages
 * that the page cites, with all their inputs:
 *   {"grid": "windows", "pages": {"windows.html": ["64 digits", ...], "/other/folder/w.html": ..}}
 * If a page is written again, its new list replaces the old one. The list of a deleted page stays,
 * because the page may have been sent to someone. To let gc remove its stages, remove the
 * record. */
void report_write(struct store *store, const struct report *report, const char *path);

/* Returns the ids of all stages that a report cites, as a JSON list. An id may be repeated. gc must
 * not remove these stages. Exits with an error if a record cannot be read, because its stages are
 * then unknown. */
const char *report_cited(const char *runs, struct arena *arena);
