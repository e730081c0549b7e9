/* The table of `sanlab probe`: a line for each task, in a section for each path, with the accuracy
 * and its controls beside each other. (Tables of grids have a line for each row.) */
#ifndef EXPERIMENTS_CLI_PROBE_TABLE_H
#define EXPERIMENTS_CLI_PROBE_TABLE_H

#include "experiments/plan/plan.h"
#include "results/sheet/sheet.h"
#include "results/store/store.h"

/* Of a plan of one point. */
struct sheet *probe_table(struct store *store, struct arena *arena, const struct plan *plan);

#endif
