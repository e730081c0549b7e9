/* Makes the table of a grid: for each row the results of its seeds, with notes on how they were
 * computed.
 *
 * The plan, or a record of the grid, lists the stages of each row. The database has the values of
 * these stages. layout.h describes the arrangement, column.h describes the columns.
 *
 * A cell with several seeds has their mean ± sample standard deviation (number of seeds). A cell
 * with one seed has its value. If only 2 of 5 seeds have a value, the cell ends with (2/5), or for
 * example (2/5, 1 failed). A cell without any value has the status instead: new, running, stopped,
 * failed or diverged. Deltas use the seeds that both rows have, and only values with the same
 * signature. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/layout.h"

/* Returns the table. The database must be up to date (collector.h). */
struct sheet *summary_table(struct store *store, const struct grid *grid, struct arena *arena);
