/* A grid's table: per row the results of its seeds, and how they were computed.
 *
 * The rows of a grid have their stages from the plan or from a record; the table is made from them
 * and the database. layout.h describes the arrangement, column.h the columns.
 *
 * Over seeds: mean ± sample standard deviation (n). One seed: the value. Seeds without a value are
 * counted: (2/5), (2/5, 1 failed). A cell without any value has the reason: new, running, stopped,
 * failed, diverged. Deltas are over the seeds that both rows have, and only between values of the
 * same signature. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/layout.h"

/* Returns the table. The database must be up to date (collector.h). */
struct sheet *summary_table(struct store *store, const struct grid *grid, struct arena *arena);
