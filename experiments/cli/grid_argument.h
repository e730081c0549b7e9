/* What plan, run and table have in common: a grid and assignments on the command line. */
#ifndef EXPERIMENTS_CLI_GRID_ARGUMENT_H
#define EXPERIMENTS_CLI_GRID_ARGUMENT_H

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"

/* The first word is the grid's file, or the name of one that comes with the program; words behind
 * it are assignments (a.b=c). */
struct grid *grid_argument_read(struct verb_call *call);
struct plan *grid_argument_plan(struct verb_call *call, unsigned retry);
/* The rows with their stages; where the text is not at hand, and so no id is known, those of the
 * grid's last run, with a warning. */
struct summary_grid grid_argument_summary(struct verb_call *call, const struct plan *plan);
/* Of verbs that take a model as well: whether the first word means a grid. */
bool grid_argument_is_grid(struct verb_call *call);
/* The first point of the row that --row names, by default of the first row that has a run. */
const struct point *grid_argument_point(struct verb_call *call, const struct grid *grid);
/* Every option of a grid, for --help. */
void grid_argument_help(FILE *out);

#endif
