/* STAGE is an id, a folder's name (find_stage.h), or a place in a grid: GRID/ROW, GRID/ROW/SEED,
 * and behind each a kind: GRID/ROW/SEED/score. GRID means what grid_argument.h says, with the
 * call's assignments. A place that no grid has may still be a name that a stage was given when it
 * ran. */
#pragma once

#include "experiments/cli/verb.h"
#include "results/query/find_stage.h"

/* The ids of a place in a grid, seed by seed, also of stages that have not begun: of a kind (NULL:
 * all), each once. Returns how many, 0 when the word is no such place. */
int stage_place(struct verb_call *call, const char *word, const char *kind, const char ***id);
/* The ids of the stages at the grid's other rows and seeds, and whose they are ("g/Base/1"); the
 * grid's name, or NULL when the word is no place. Returns how many. */
int stage_place_others(struct verb_call *call, const char *word, const char **name,
                       const char ***id, const char ***whose);
/* The ids of all stages of a grid, each once. Returns how many. */
struct grid;
int stage_place_ids(struct verb_call *call, const struct grid *grid, const char ***id);
/* The same of the grid that the word means; -1: it means no grid. */
int stage_place_grid(struct verb_call *call, const char *word, const char ***id);
/* All stages of a kind (NULL: any) that the word means and that have begun; returns how many. Dies
 * when there are none. */
int stage_place_all(struct verb_call *call, struct store *store, const char *word, const char *kind,
                    struct found_stage **found);
/* The one stage that it means; dies with the candidates when there are several. */
struct found_stage stage_place_one(struct verb_call *call, struct store *store, const char *word,
                                   const char *kind);
