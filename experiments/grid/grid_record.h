/* The record of a grid's run: RUNS/grids/<name>/<digest>.json, one file per set of stages.
 *
 *   {"grid": "windows", "title": .., "source": .., "note": .., "tags": [..],
 *    "file": "windows", "words": ["train.rate=2"], "digest": 64 digits, "incomplete": false,
 *    "rows": [{"name": "Gate", "axes": [..], "seeds": [{"seed": 1, "stages": [{"kind", "id"}]}]}]}
 *
 * `grid` and <name> are the grid's name, which assignments of the command line change (grid.h).
 * `file` is its file as typed; `words` are the assignments. `digest` is the digest of the grid's
 * points. `incomplete`: text was missing, so that some ids are meaningless. Records of older
 * programs lack file, words, digest and incomplete. Records of a composed grid (sanlab probe) lack
 * file. */
#pragma once

#include "experiments/grid/grid.h"

/* Writes a record under `name`, a digest of the stages. */
void record_write(const char *runs, const char *name, const struct grid *grid);

/* Reads the records with a grid's name, newest first. Returns their number. Each is a grid with the
 * facts of the record: its name, and its rows with names, seeds and stages. Unknown file and
 * assignments are NULL. The digest is NULL if an older program wrote the record. Invalid records
 * are skipped with a warning. */
int record_read(const char *runs, const char *grid, struct grid **record, struct arena *arena);

/* Fills the rows' stages from a record if the text is missing and so no id can be computed. Uses
 * the newest record of the grid's name with the grid's digest, else a record without a digest whose
 * rows have the same names (*older). Returns false, without changes, if there is none. */
bool record_recall(const char *runs, struct grid *grid, bool *older, struct arena *arena);

/* Returns the folder of the records of a grid's name. */
const char *record_folder(const char *runs, const char *grid, struct arena *arena);
