/* Finds the rows of a grid that differ in only one axis of its sweeps. These rows have the same
 * coordinates on all other axes. They also have the same name as written in the file (`line` of
 * struct grid_row). A row without the axis is never included.
 *
 * Several combinations of axis values may compute the same. They are then one row, and each
 * combination is a place of this row (struct grid_row). For such rows, it is enough that one place
 * of the first row and one place of the second differ in only one axis. */
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
 * - a named axis, if the option `key` of every row on this axis is the row's value on the axis. The
 *   option is searched as in expressions (core/config/expression.h). Example: every row on the axis
 *   `window` has {window: $window} in its list encoder.attention. Then encoder.attention.window
 *   means the axis `window`;
 * - the only axis or option that ends with the key: probe.path means evaluate.probe.path;
 * - otherwise the key itself. */
const char *axis_meant(const struct grid *grid, const char *key, struct arena *arena);
/* Returns true if a coordinate is a number, or a checkpoint at(..) the number. */
bool axis_number(const struct grid_coordinate *at, double *number);
/* Dies if no row has the axis `key`, unless the command line may have removed it. The message is
 * "WHAT: no row has the axis ..", with the axis of the most similar name. */
void axis_check(const struct grid *grid, struct location location, const char *what,
                const char *key, struct arena *arena);
