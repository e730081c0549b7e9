/* A grid's table: per row the results of its seeds, each cell saying how it was computed.
 *
 * The planner knows what a grid asks for (rows, seeds, stages) and describes it in a summary_grid;
 * from that come RUNS/grids/<grid>/<name>.json and, together with the database, the table.
 *
 * Columns (names as a grid's `table.columns` has them):
 *   parameters, steps, epochs, dev_loss    of the train stage
 *   bleu                                   of the score stage
 *   wall                                   seconds of all stages of one seed together
 *   KIND.NAME                              any value that a stage of that kind has in its summary
 *   delta(COLUMN)                          difference of means against the baseline row
 * Over seeds: mean ± sample standard deviation (n); one seed: the value; seeds that have no value
 * yet are said: (2/5), (2/5, 1 failed). A cell without any value says why: missing, waiting,
 * running, stopped, failed, div. Deltas are taken over the seeds that both rows have, and only
 * between values of the same signature. */
#ifndef RESULTS_SUMMARY_H
#define RESULTS_SUMMARY_H

#include "core/config/tree.h"
#include "results/store.h"
#include "results/sheet.h"

struct summary_stage {
    const char *kind, *id; /* "train", 64 hexadecimal digits */
};

struct summary_seed {
    int64_t seed;
    int count;
    const struct summary_stage *stage; /* [count] in the order in which they run */
};

struct summary_row {
    const char *name;
    int count;
    const struct summary_seed *seed; /* [count] */
    const struct tree *options;      /* of its points, merged; NULL: a row without a run */
    const struct tree *entry;        /* the row as the grid has it, for the keys that are the
                                        table's own (quote, hyp, section); NULL: none */
};

/* A value that the paper gives. */
struct summary_claim {
    const char *column, *row;
    const char *value; /* as printed in the paper */
};

struct summary_grid {
    const char *grid, *title, *source; /* title and source may be NULL */
    int rows;
    const struct summary_row *row; /* [rows] in the paper's order */
    /* From the grid's key `table`: */
    int columns;
    const char **column;  /* [columns] */
    const char *baseline; /* a row's name */
    const char *metric;   /* how the paper computed its values; NULL: no values */
    int claims;
    const struct summary_claim *claim; /* [claims] */
};

/* Fills the last part of `grid`, whose rows must be there already, from the map `table`: columns,
 * baseline, paper: {metric: "..", bleu: {Row: 27.67}}. NULL: parameters, bleu, and delta(bleu)
 * when there are several rows. Dies at the place of an unknown key, column or row. */
void summary_read(const struct tree *table, struct summary_grid *grid, struct arena *arena);

/* RUNS/grids/<grid>/<name>.json: which stages each row and seed is made of. */
void summary_record(const char *runs, const char *name, const struct summary_grid *grid);

/* The way back, for where the text is not at hand and so no id can be computed: the rows' stages
 * are those of the newest record of this grid. False, and nothing is changed, when there is none or
 * its rows have other names. */
bool summary_recall(const char *runs, struct summary_grid *grid, struct arena *arena);

/* The table, from a database that the collector has brought up to date. */
struct sheet *summary_table(struct store *store, const struct summary_grid *grid,
                            struct arena *arena);

#endif
