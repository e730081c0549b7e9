/* What a grid was made of when it ran: RUNS/grids/<name>/<digest>.json, one for each set of stages.
 *
 *   {"grid": "windows", "title": .., "source": .., "note": .., "tags": [..],
 *    "file": "windows", "words": ["train.rate=2"], "digest": 64 digits, "incomplete": false,
 *    "rows": [{"name": "Gate", "axes": [..], "seeds": [{"seed": 1, "stages": [{"kind", "id"}]}]}]}
 *
 * `grid` and <name> are the grid's name, which with assignments of the command line is another one
 * (grid.h); `file` is its file as it was typed and `words` are the assignments. `digest` is that of
 * the grid's points; `incomplete` says that text was missing, so that some ids mean nothing.
 * Records of older programs have none of these, and those of a composed grid (sanlab probe) no
 * file. */
#pragma once

#include "experiments/grid/grid.h"

/* A record by the name `name`, which is a digest of the stages. */
void record_write(const char *runs, const char *name, const struct grid *grid);

/* The records of a grid's name, the newest first; returns how many. Each is a grid of the facts
 * that the record has: its name, the rows with names, seeds and stages, file and assignments (NULL:
 * none is known), the digest (NULL: written by an older program). What is no record is left out,
 * with a warning. */
int record_read(const char *runs, const char *grid, struct grid **record, struct arena *arena);

/* For where the text is not at hand and so no id can be computed: the rows' stages are those of the
 * newest record of the grid's name that has the grid's digest, or of one without a digest whose
 * rows have the same names (*older). False, and nothing is changed, when there is none. */
bool record_recall(const char *runs, struct grid *grid, bool *older, struct arena *arena);

/* The folder of the records of a grid's name. */
const char *record_folder(const char *runs, const char *grid, struct arena *arena);
