/* `sanlab table --explain ROW COLUMN` explains the origin of a table cell. It prints:
 *   - the value with its signature; per seed, the value and the stages with their folders
 *   - the command that computes the cell
 *   - the comparison with the baseline: every p, the interval, the detectable difference */
#pragma once

#include "results/store/store.h"
#include "results/table/summary.h"

/* Prints the explanation. `row` is a name in the grid or in the table, `column` a name or a header.
 * Exits with an error and the nearest name if the row or column does not exist. `command` is the
 * command that computes the grid. */
void explain_cell(struct store *store, const struct grid *grid, const char *row, const char *column,
                  const char *command, FILE *out);
