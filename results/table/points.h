/* Exports a grid's points for other programs, one line per point and seed:
 *
 *   csv    grid, row, seed, status, wall, then a column for
 *          axis.NAME      each axis that the grid names itself. A row that is not on the axis has
 *                         an empty cell
 *          option.KEY     each option that differs between the rows. A row that does not set the
 *                         option has its default
 *          COLUMN         each number and each signature in the summaries of the points' stages.
 *                         Its name is that of a column of a table (column.h): bleu, probe.Tense,
 *                         score.signature
 *   jsonl  {"grid": .., "row": .., "seed": .., "status": .., "wall": .., "axes": {..},
 *           "options": {..}, "results": {..}}; every line has all keys
 *
 * A point is one combination of coordinates of a row (struct grid_row). `status` is "done" if all
 * stages of the point are done, and "new" if the point has not begun. Otherwise, it is the status
 * of the first stage that is not done (status.h). `wall` is the time of its stages together, in
 * seconds. It is missing unless all stages are done. Points that compute the same are one row of a
 * table, but each point has a line here. Seeds of a row that share every stage have one line. An
 * example is a row with vectors of another program, which have no seed. As in a table, stages that
 * are not done, or whose training diverged, have no values. The long form (value_cache.h) and the
 * view `result` (schema.h) have the values by layer, head, set and class. Missing values are empty
 * in CSV and null in JSON. */
#pragma once

#include "results/query/query.h"
#include "experiments/grid/grid.h"

/* The database must be up to date (collector.h). */
void points_print(struct store *store, const struct grid *grid, enum export_format format,
                  FILE *out);
