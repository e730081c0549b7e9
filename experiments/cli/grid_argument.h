/* The GRID argument, read in one way by all verbs. GRID selects the points of its file as it is
 * now, whatever was run last, with the assignments (a.b=c) that follow GRID.
 *
 *   grids/my.yaml           a path
 *   xu2019-table1           the name of a file in grids/ or experiments/ here, or of a shipped grid
 *   windows                 (grid_find); otherwise of a grid that has run in RUNS: its file, if the
 *                           file still exists; else its newest record
 *                           (experiments/grid/grid_record.h)
 *   windows+train.rate=2    the name of a grid with assignments in RUNS
 *
 * If the text of a corpus is missing, ids are unknown. The stages are then those of the newest
 * record with the grid's digest. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"

/* Reads the grid of the first word. The words after it are assignments. With --only,
 * checks the selected rows alone. Dies if the file is missing. */
struct grid *grid_argument_read(struct verb_call *call);
/* Returns the plan of the grid, without the states of its stages (plan_inspect_all). */
struct plan *grid_argument_plan(struct verb_call *call);
/* Return the file and the assignments of a grid, quoted for a shell, and the command that runs
 * it. */
const char *grid_argument_words(struct arena *arena, const struct grid *grid);
const char *grid_argument_command(struct verb_call *call, const struct grid *grid);
/* Finds the names of this grid with assignments in RUNS: NAME+... Returns their number. */
int grid_argument_variants(struct arena *arena, const char *runs, const char *name,
                           const char ***variant);
/* Returns the rows with their stages. If the text is missing, those of a record. Dies if there is
 * no RUNS. Warns in one line if the grid has not run, was not found, or was recorded by an older
 * program. */
struct grid grid_argument_summary(struct verb_call *call, const struct plan *plan);
/* Reads the grid of `word` into *grid, with the call's assignments (verb_take_changes) and its
 * stages, even if its file is missing. False if the word is no grid. Dies if two grids have this
 * name. */
bool grid_argument_points(struct verb_call *call, const char *word, struct grid *grid);
/* Returns the name in RUNS of the grid that `word` selects, with the call's assignments. Dies if
 * there is no such grid. */
const char *grid_argument_name(struct verb_call *call, const char *word);
/* --only 'name ~ gate' of archive, plan, run, table and watch: restricts the plan to the
 * stages of the selected rows (plan_only). */
void grid_argument_only(struct verb_call *call, struct plan *plan);
/* Dies if another existing file has run in RUNS under the grid's name. */
void grid_argument_check_name(struct verb_call *call, const struct grid *grid);
/* Warns if another file that has run, or a file in the same folder, has the same grid name. */
void grid_argument_warn_twin(struct verb_call *call, const struct grid *grid);
/* For verbs that also take a model: true if the first word is a grid. */
bool grid_argument_is_grid(struct verb_call *call);
/* Returns the options of a model preset, or of a file of this form, overridden by assignments.
 * `verb` is named in messages about its keys. */
struct tree *grid_argument_preset(struct arena *arena, const char *verb, const char *name,
                                  const char *const *change, int changes);
/* Returns the index of the row of --row, by default of the first row with a run. */
int grid_argument_row(struct verb_call *call, const struct grid *grid);
