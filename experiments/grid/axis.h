/* Rows by the axes of a grid's sweeps: the rows that differ in one axis alone. They agree in all
 * other axes and in the name that the row had before the sweep. A row without the axis is never
 * included. A row with several places (points that compute the same are one row) is compared at
 * each of its places. */
#pragma once

#include "experiments/grid/grid.h"

/* Writes the indices of the rows that differ from row `like` at most in the axis `key`, in the
 * grid's order. Returns their number; 0 if row `like` lacks the axis. row: [grid->rows] */
int axis_points(const struct grid *grid, const char *key, int like, int *row);

/* Finds the pairs of rows that have two given values of an axis and differ in nothing else. Returns
 * their number. pair: [at most grid->rows squared][2], in the arena. A row that has both values
 * makes no pair with itself. */
int axis_pairs(const struct grid *grid, const char *key, const char *const value[2],
               int (**pair)[2], struct arena *arena);

/* Returns the values of an axis, or for key NULL the axes that rows use. Each occurs once, in the
 * grid's order; NULL-terminated. */
const char *const *axis_values(const struct grid *grid, const char *key, struct arena *arena);
#define axis_keys(grid, arena) axis_values(grid, NULL, arena)
/* Returns the axis that a key means:
 * - the key itself, if the grid has such an axis or option;
 * - an axis of the grid's own whose values all its rows have at that option, looked up as in
 *   expressions (core/config/expression.h): encoder.attention.window means the axis window if every
 *   row on this axis has {window: $window} in a list;
 * - the only axis or option that ends with the key: probe.path means evaluate.probe.path;
 * - else the key. */
const char *axis_meant(const struct grid *grid, const char *key, struct arena *arena);
/* Dies if no row has the axis: "WHAT: no row has the axis ..", with the nearest axis. */
void axis_check(const struct grid *grid, struct location location, const char *what,
                const char *key, struct arena *arena);
