/* Rows by the axes of a grid's sweeps: which points differ in one axis alone. They agree in the
 * others, and in the name that the row had before it was swept; a row that lacks the axis is none.
 * One that stands at several places (equal points are one row) is looked at at each. */
#pragma once

#include "experiments/grid/grid.h"

/* The rows that differ from a row, or not even that, in the axis alone, in the grid's order;
 * returns how many: 0 when the row lacks the axis. row: [grid->rows] */
int axis_points(const struct grid *grid, const char *key, int like, int *row);

/* The pairs of rows that stand at two values of an axis and differ in nothing else; returns how
 * many. pair: [grid->rows squared][2] at most, in the arena. A row that stands at both values makes
 * no pair with itself. */
int axis_pairs(const struct grid *grid, const char *key, const char *const value[2],
               int (**pair)[2], struct arena *arena);

/* NULL-terminated: the values of an axis, or with NULL the axes that rows use; each once, in the
 * grid's order. */
const char *const *axis_values(const struct grid *grid, const char *key, struct arena *arena);
#define axis_keys(grid, arena) axis_values(grid, NULL, arena)
/* The axis that a key means: itself, or where the grid has no such axis and no such option, the
 * axis of its own whose values the rows have there, as expressions look options up
 * (core/config/expression.h): encoder.attention.window is the axis window, where every row on it
 * has {window: $window} in a list; or the only axis or option that ends with it, as
 * evaluate.probe.path does with probe.path. Without any, the key. */
const char *axis_meant(const struct grid *grid, const char *key, struct arena *arena);
/* Dies with the nearest one where no row has the axis: "WHAT: no row has the axis ..". */
void axis_check(const struct grid *grid, struct place place, const char *what, const char *key,
                struct arena *arena);
