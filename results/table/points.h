/* A grid's points for other programs, one line per point and seed:
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
 * `status` is "done" when all stages of the point are, else that of the first one that is not
 * (status.h), "new" where it has not begun. `wall` are the seconds of all of them together.
 * Points that compute the same are one row of a table; here each of them has its line, but seeds
 * that share every stage, as those of vectors without a seed, have that of the first. Values are
 * those that a table takes: none of a stage that is not done, or whose training diverged. By layer,
 * head, set and class there are values in the long form (relation.h) and in the view `result`
 * (schema.h). A value that there is not is empty in CSV, null in JSON. */
#pragma once

#include "results/query/query.h"
#include "experiments/grid/grid.h"

/* From a database that the collector has brought up to date. */
void points_print(struct store *store, const struct grid *grid, enum export_format format,
                  FILE *out);
