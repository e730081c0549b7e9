/* A grid's table: per row the results of its seeds, each cell saying how it was computed.
 *
 * The rows of a grid have their stages from the plan or from a record; the table is made of these
 * and the database. What it shows and how it is arranged says layout.h, its columns column.h.
 *
 * Over seeds: mean ± sample standard deviation (n); one seed: the value; seeds that have no value
 * yet are said: (2/5), (2/5, 1 failed). A cell without any value says why: new, running,
 * stopped, failed, diverged. Deltas are taken over the seeds that both rows have, and only
 * between values of the same signature. */
#pragma once

#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/layout.h"

/* The table, from a database that the collector has brought up to date. */
struct sheet *summary_table(struct store *store, const struct grid *grid, struct arena *arena);
