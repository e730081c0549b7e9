/* `sanlab table --explain ROW COLUMN`: where a cell of a table comes from. Per seed the stages with
 * their folders, the hypotheses, the signature, commit and environment; the command that computes
 * it; and how it compares with its baseline: every p, the interval, the detectable difference. */
#pragma once

#include "results/store/store.h"
#include "results/table/summary.h"

/* `row` is a name as in the grid or as in the table, `column` a name or a header; dies with the
 * nearest one when there is none. `command` is what computes the grid. */
void explain_cell(struct store *store, const struct grid *grid, const char *row, const char *column,
                  const char *command, FILE *out);
