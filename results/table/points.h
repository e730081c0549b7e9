/* Exports a grid's points for other programs, one line per point and seed:
 *
 *   csv    grid, row, seed, status, wall, then a column for
 *          axis.NAME      each axis that the grid names itself: empty for a row that is not on it
 *          option.KEY     each option that differs between the rows, with its default where a row
 *                         leaves it out
 *          COLUMN         each number in the summaries of the points' stages, by the name that a
 *                         column of a table has (column.h), and how it was computed: bleu,
 *                         probe.Tense, score.signature
 *   jsonl  {"grid": .., "row": .., "seed": .., "status": .., "wall": .., "axes": {..},
 *           "options": {..}, "results": {..}}; every line has all keys
 *
 * `status` is "done" if all stages of the point are done, else the status of the first stage that
 * is not (status.h); "new" if the point has not begun. `wall` is the sum of the seconds of its
 * stages. Equal points are one row of a table, but each has its own line here. Seeds that share
 * every stage, as with vectors without a seed, have one line. The values are those of a table:
 * stages that are not done, or whose training diverged, have none. The long form (value_cache.h)
 * and the view `result` (schema.h) have the values by layer, head, set and class. Missing values
 * are empty in CSV and null in JSON. */
#pragma once

#include "results/query/query.h"
#include "experiments/grid/grid.h"

/* The database must be up to date (collector.h). */
void points_print(struct store *store, const struct grid *grid, enum export_format format,
                  FILE *out);
