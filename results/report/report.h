/* The report of a grid: one self-contained HTML page, for readers without the program and the data.
 * It has the table, the figures, the claims, the rows' options, place and time of the computation,
 * its stages, and the commands that reproduce it.
 *
 * The content depends only on the database, the grid and the caller. It does not depend on the
 * clock, so a report of the same results has the same bytes. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/summary.h"

struct report_figure {
    const char *title;
    int captions;
    const char *const *caption; /* [captions] lines below the figure */
    const char *failure;        /* why it could not be drawn; NULL: it was drawn */
    const char *svg;            /* as written by gnuplot */
    bool wide;                  /* too wide for a phone */
};

struct report {
    const struct grid *grid;
    const char *arguments; /* of the command line, quoted for a shell: "windows seeds=1,2" */
    int sheets, figures;
    const struct sheet *const *sheet;   /* [sheets] the tables */
    const struct report_figure *figure; /* [figures] */
    const struct sheet *claims;         /* NULL: none */
};

/* Prints the page. The database must be up to date (collector.h). */
void report_print(struct store *store, const struct report *report, FILE *out);

/* Writes the page to the file `path`. First writes RUNS/reports/GRID.json, the list of the stages
 * that the page cites, with all their inputs:
 *   {"grid": "windows", "pages": {"windows.html": ["64 digits", ...], "/other/folder/w.html": ..}}
 * A page that is written again replaces its list. A page that is gone keeps its list, because it
 * may have been sent to someone. Remove the record to release its stages. */
void report_write(struct store *store, const struct report *report, const char *path);

/* Returns the ids of all stages that a report cites, sorted, each once. gc must not remove these
 * stages. Exits with an error if a record cannot be read, because its stages are then unknown. */
int report_cited(const char *runs, const char ***id, struct arena *arena);
