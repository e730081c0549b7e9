/* The STAGE argument: an id, a folder's name (find_stage.h), or a place in a grid: GRID/ROW or
 * GRID/ROW/SEED, optionally followed by a kind: GRID/ROW/SEED/score. GRID is as in grid_argument.h,
 * with the call's assignments. If no grid has the place, it may still be the recorded name of a
 * stage. */
#pragma once

#include "experiments/cli/verb.h"
#include "results/query/find_stage.h"

struct grid;
/* The stages at a place, or of a whole grid. Stages that have not begun are included. */
struct stage_place {
    const char *grid; /* the grid's name; NULL: there is no such grid */
    int ids, points;
    const char **id;    /* [ids] ids of the stages, seed by seed, each once */
    const char **point; /* [points] points of the stages: "Base/1"; a point may be repeated */
};
/* stage_search finds the stages at a place, stage_search_grid those of the grid that a word names.
 * stage_search_in finds those of a grid at ROW.. (NULL: all). If `kind` is not NULL, they find only
 * stages of this kind. */
struct stage_place stage_search(struct verb_call *call, const char *word, const char *kind);
struct stage_place stage_search_grid(struct verb_call *call, const char *word);
struct stage_place stage_search_in(struct verb_call *call, const struct grid *grid,
                                   const char *place, const char *kind);
/* Finds all stages of a kind (NULL: any) that the word selects and that have begun. Returns their
 * number. Dies if none. */
int stage_search_all(struct verb_call *call, struct store *store, const char *word,
                     const char *kind, struct found_stage **found);
/* Returns the only stage that the word selects. If there are several, dies and lists them. */
struct found_stage stage_search_one(struct verb_call *call, struct store *store, const char *word,
                                    const char *kind);
