/* GRID on the command line, read in one way by all verbs: it means the points of its file as it
 * stands, whatever was run last, with the assignments (a.b=c) that stand behind it.
 *
 *   grids/my.yaml           a path
 *   xu2019-table1           the name of a file in grids/ or experiments/ here, or of a shipped grid
 *   windows                 (grid_find); or else of a grid that has run in RUNS: its file, where
 *                           that is still there; where it is not, the newest record of it
 *                           (experiments/grid/record.h)
 *   windows+train.rate=2    the name that a grid with assignments has in RUNS
 *
 * Where the text of a corpus is not at hand, and so no id is known, the stages are those of the
 * newest record with the grid's digest. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"

/* The first word is a grid; words behind it are assignments. Dies when its file is not there. */
struct grid *grid_argument_read(struct verb_call *call);
/* Its plan; `retry` is of enum plan_retry, 0: nothing that failed is tried again. */
struct plan *grid_argument_plan(struct verb_call *call, unsigned retry);
/* The file and the assignments of a grid, as a shell takes them; and the command that runs it. */
const char *grid_argument_words(struct arena *arena, const struct grid *grid);
const char *grid_argument_command(struct verb_call *call, const struct grid *grid);
/* The grids that RUNS has of this one with assignments: NAME+..; returns how many. */
int grid_argument_variants(struct arena *arena, const char *runs, const char *name,
                           const char ***variant);
/* The rows with their stages. If the text is missing, those of a record. Dies if there is no RUNS.
 * Warns in one line if the grid has not run, was not found, or was recorded by an older program. */
struct grid grid_argument_summary(struct verb_call *call, const struct plan *plan);
/* The rows with their stages of the grid that `word` means, with the call's assignments
 * (verb_take_changes); also without its file. False: it means no grid. Dies when it is the name of
 * two. */
bool grid_argument_points(struct verb_call *call, const char *word, struct grid *grid);
/* The name under which RUNS knows the grid that `word` means, with the call's assignments. Dies
 * when there is no such grid. */
const char *grid_argument_name(struct verb_call *call, const char *word);
/* --only 'name ~ gate' of plan, run and table: the plan keeps the stages of the rows that are meant
 * (plan_only). */
void grid_argument_only(struct verb_call *call, struct plan *plan);
/* Dies when another file that is there has given its name to a grid in RUNS. */
void grid_argument_check_name(struct verb_call *call, const struct grid *grid);
/* Warns if another file that has run, or one in the same folder, has the same name of a grid. */
void grid_argument_warn_twin(struct verb_call *call, const struct grid *grid);
/* Of verbs that take a model as well: whether the first word means a grid. */
bool grid_argument_is_grid(struct verb_call *call);
/* The options of a model's preset, or file of its form, with assignments laid over it. `verb` is
 * for what is wrong with its keys. */
struct tree *grid_argument_preset(struct arena *arena, const char *verb, const char *name,
                                  const char *const *change, int changes);
/* The index of the row that --row names, by default of the first row; one that has a run. */
int grid_argument_row(struct verb_call *call, const struct grid *grid);
