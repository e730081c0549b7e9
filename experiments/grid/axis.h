/* Finds the rows of a grid that differ in only one axis of its sweeps. These rows have the same
 * coordinates on all other axes. Their names in the grid are also the same, before coordinates are
 * added to them. A row without the axis is never included.
 *
 * Several combinations of axis values may compute the same. They are then one row, and each
 * combination is a place of this row (struct grid_row). Two rows with several places differ in only
 * one axis if a place of the first row and a place of the second row do. */
#pragma once

#include "experiments/grid/grid.h"

/* Writes the indices of row `like` and of all rows that differ from it only on the axis `key`, in
 * the grid's order, to `row`. Returns the number of indices; 0 if row `like` lacks the axis. row:
 * [grid->rows] */
int axis_points(const struct grid *grid, const char *key, int like, int *row);

/* Finds the pairs of rows that differ only in an axis: the first row has value[0], the second row
 * value[1]. Returns the number of pairs. *pair: row indices, [number of pairs][2], in the arena. A
 * row with several places may have both values. Such a row is not paired with itself. */
int axis_pairs(const struct grid *grid, const char *key, const char *const value[2],
               int (**pair)[2], struct arena *arena);

/* Returns the values of an axis. If key is NULL, returns the keys of the axes that rows use. The
 * list is in the grid's order, without duplicates, and NULL-terminated. */
const char *const *axis_values(const struct grid *grid, const char *key, struct arena *arena);
#define axis_keys(grid, arena) axis_values(grid, NULL, arena)
/* Returns the key of the axis to which the word `key` refers:
 * - the key itself, if the grid has such an axis or option;
 * - a named axis, if the option `key` equals the coordinate on the axis in every row of the axis.
 *   The option is searched as in expressions (core/config/expression.h). Example:
 *   encoder.attention.window means the axis window if every row on the axis window has
 *   {window: $window} in a list;
 * - the only axis or option that ends with the key: probe.path means evaluate.probe.path;
 * - otherwise the key itself. */
const char *axis_meant(const struct grid *grid, const char *key, struct arena *arena);
/* Dies if no row has the axis `key`. The message is "WHAT: no row has the axis ..", with the axis
 * of the most similar name. */
void axis_check(const struct grid *grid, struct location location, const char *what,
                const char *key, struct arena *arena);
