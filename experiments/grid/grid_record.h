/* The record of a grid's run: RUNS/grids/<name>/<digest>.json, one file per set of stages.
 *
 *   {"grid": "windows", "title": .., "source": .., "note": .., "tags": [..],
 *    "file": "windows", "words": ["train.rate=2"], "digest": 64 digits, "incomplete": false,
 *    "rows": [{"name": "Gate", "axes": [..], "seeds": [{"seed": 1, "stages": [{"kind", "id"}]}]}]}
 *
 * A row with "of" is a trial of the row that this key names (tune.h).
 * A stage may also have "part", and "at" (struct grid_stage). `grid` and <name> are the grid's
 * name, which assignments of the command line change (grid.h). `file` is its file as typed; `words`
 * are the assignments. `digest` is the digest of the grid's points. `incomplete` is true if an
 * input file was missing; some ids are then meaningless. Records of older programs lack file,
 * words, digest and incomplete. The record of a grid that a program composed (sanlab probe) lacks
 * file. */
#pragma once

#include "experiments/grid/grid.h"

/* Writes the record of a grid. `name` is the file name without .json: a digest of the stages. */
void record_write(const char *runs, const char *name, const struct grid *grid);

/* Reads the records of a grid's name, newest first. Returns the number of records. Each record
 * becomes a grid with name, file, assignments, digest, incomplete and rows. Its rows have only
 * names, seeds and stages. If the JSON lacks `file` or `digest`, the member is NULL. Invalid
 * records are skipped with a warning. */
int record_read(const char *runs, const char *grid, struct grid **record, struct arena *arena);

/* Fills the stages of the rows from the newest record with the grid's name and digest. It is used
 * if an input file is missing, so that ids cannot be computed. The record must be complete, and
 * have rows with the same names. Returns false, without changes, if there is none. */
bool record_recall(const char *runs, struct grid *grid, struct arena *arena);

/* Returns the folder of the records of a grid's name. */
const char *record_folder(const char *runs, const char *grid, struct arena *arena);
