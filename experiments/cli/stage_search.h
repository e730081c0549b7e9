/* The STAGE argument: an id, a folder's name (find_stage.h), or a place in a grid: GRID/ROW or
 * GRID/ROW/SEED, optionally followed by a kind: GRID/ROW/SEED/score. GRID is as in grid_argument.h,
 * with the call's assignments. If no grid has the place, it may still be the recorded name of a
 * stage. */
#pragma once

#include "experiments/cli/verb.h"
#include "results/query/find_stage.h"

/* Finds the ids of the stages at a place in a grid, seed by seed, each once. Stages that have not
 * begun are included. If `kind` is not NULL, finds only stages of this kind. Returns their number;
 * 0 if the word is no place. */
int stage_search(struct verb_call *call, const char *word, const char *kind, const char ***id);
/* Finds the points ("Base/1") of the stages at a place, and sets *name to the grid's name. A point
 * may be repeated. *name is NULL if the word is no place. Returns their number. */
int stage_search_points(struct verb_call *call, const char *word, const char **name,
                        const char *const **point);
/* Finds the ids of all stages of a grid, each once. Returns their number. */
struct grid;
int stage_search_ids(struct verb_call *call, const struct grid *grid, const char ***id);
/* Finds the stages of the grid that a word names, as stage_search_ids does. Returns -1 if the word
 * names no grid. */
int stage_search_grid(struct verb_call *call, const char *word, const char ***id);
/* Finds all stages of a kind (NULL: any) that the word selects and that have begun. Returns their
 * number. Dies if none. */
int stage_search_all(struct verb_call *call, struct store *store, const char *word,
                     const char *kind, struct found_stage **found);
/* Returns the only stage that the word selects. If there are several, dies and lists them. */
struct found_stage stage_search_one(struct verb_call *call, struct store *store, const char *word,
                                    const char *kind);
