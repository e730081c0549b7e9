/* Reads the argument GRID in the same way for all verbs. GRID selects the points that the grid's
 * file has now, even if an older version of the file was run last. Assignments (a.b=c) may follow
 * GRID.
 *
 *   grids/my.yaml           a path
 *   xu2019-table1           the name of a file in grids/ or experiments/ here, or of a shipped grid
 *                           (grid_find)
 *   windows                 else the name of a grid that has run in RUNS. Selects the file that
 *                           ran last and still exists, else the newest record
 *                           (experiments/grid/grid_record.h)
 *   windows+train.rate=2    the name in RUNS of a grid that has run with assignments
 *
 * If the text of a corpus is missing, the ids of stages cannot be computed. Then the stages are
 * taken from the newest record with the grid's digest. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"

/* Reads the grid of the first word. The words after it are assignments. With --only, checks only
 * the selected rows. Dies if the file is missing. */
struct grid *grid_argument_read(struct verb_call *call);
/* Returns the plan of the grid, without the states of its stages (plan_inspect_all). */
struct plan *grid_argument_plan(struct verb_call *call);
/* Return the file and the assignments of a grid, quoted for a shell, and the command that runs
 * it. */
const char *grid_argument_words(struct arena *arena, const struct grid *grid);
const char *grid_argument_command(struct verb_call *call, const struct grid *grid);
/* Returns the rows with their stages. If the text of a corpus is missing, the stages are taken from
 * a record. Dies if RUNS does not exist. Prints one warning if the grid has not run, if no record
 * was found, or if an older program wrote the record. */
struct grid grid_argument_summary(struct verb_call *call, const struct plan *plan);
/* Reads the grid that `word` names into *grid, with the call's assignments (verb_take_changes) and
 * with its stages. If the grid's file is missing, reads a record. Returns false if the word names
 * no grid. */
bool grid_argument_points(struct verb_call *call, const char *word, struct grid *grid);
/* Returns the name in RUNS of the grid that `word` selects, with the call's assignments. Dies if
 * there is no such grid. */
const char *grid_argument_name(struct verb_call *call, const char *word);
/* Restricts the plan to the stages of the rows that --only selects, as in --only 'name ~ gate'
 * (plan_only). */
void grid_argument_only(struct verb_call *call, struct plan *plan);
/* Dies if the grid's name in RUNS belongs to another file, which has other points. */
void grid_argument_check_name(struct verb_call *call, const struct grid *grid);
/* For verbs that also take a model: true if the first word is a grid. */
bool grid_argument_is_grid(struct verb_call *call);
/* Returns the options of a model preset, or of a file with the form of a preset. Assignments
 * override them. Messages about invalid keys name `verb`. */
struct tree *grid_argument_preset(struct arena *arena, const char *verb, const char *name,
                                  const char *const *change, int changes);
/* Returns the index of the row that --row names; by default of the first row that is not a file of
 * hypotheses. */
int grid_argument_row(struct verb_call *call, const struct grid *grid);
