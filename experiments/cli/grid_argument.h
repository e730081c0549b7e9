/* What plan, run and table have in common: a grid and assignments on the command line. */
#ifndef EXPERIMENTS_CLI_GRID_ARGUMENT_H
#define EXPERIMENTS_CLI_GRID_ARGUMENT_H

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"

/* The first word is the grid's file, or the name of one that comes with the program; words behind
 * it are assignments (a.b=c). */
struct grid *grid_argument_read(struct verb_call *call);
struct plan *grid_argument_plan(struct verb_call *call, unsigned retry);
/* All words, as a shell takes them. */
const char *grid_argument_words(struct verb_call *call);
/* The rows with their stages; where the text is not at hand, and so no id is known, those of the
 * grid's last run, with a warning. */
struct summary_grid grid_argument_summary(struct verb_call *call, const struct plan *plan);
/* Of verbs that take a model as well: whether the first word means a grid. */
bool grid_argument_is_grid(struct verb_call *call);
/* The options of a model's preset, or file of its form, with assignments laid over it. `verb` is
 * for what is wrong with its keys. */
struct tree *grid_argument_preset(struct arena *arena, const char *verb, const char *name,
                                  const char *const *change, int changes);
/* The first point of the row that --row names, by default of the first row that has a run. */
const struct grid_point *grid_argument_point(struct verb_call *call, const struct grid *grid);
/* Every option of a grid, for --help. */
void grid_argument_help(FILE *out);

#endif
