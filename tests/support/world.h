/* A folder of runs and a grid over them: its rows, their seeds, and the stages of each seed.
 * Tests of tables, claims and figures fill it by hand. */
#pragma once

#include "results/report/claims.h"
#include "results/table/summary.h"
#include "tests/support/runs.h"

enum { WORLD_ROWS = 30, WORLD_SEEDS = 8, WORLD_STAGES = 8 };

struct world {
    const char *runs; /* the folder */
    struct grid grid; /* "demo", of the rows below */
    struct grid_row row[WORLD_ROWS];
    struct grid_seed seed[WORLD_ROWS][WORLD_SEEDS];
    struct grid_stage stage[WORLD_ROWS][WORLD_SEEDS][WORLD_STAGES];
    struct run run[WORLD_ROWS][WORLD_SEEDS][WORLD_STAGES]; /* runs of these stages */
    const char *reference; /* reference lines of scores, set by a test; or NULL */
};

/* Makes a world without rows; its folder is test_folder(name). */
struct world *world_new(const char *name);

/* Adds the next row, with seeds 1, 2, .. without stages. Returns its index. */
int world_add_row(struct world *world, const char *name, int seeds);
/* Adds the next stage to a seed, without a part. The run is copied. */
struct grid_stage *world_add_stage(struct world *world, int r, int s, const char *kind,
                                   struct run run);

/* Collects the folder and returns its database. The caller closes it. */
struct store *world_collect(const struct world *world);
/* Reads the table's YAML, then collects. */
struct store *world_open(struct world *world, const char *yaml);
/* Returns the claims of {claims: [..]} about the world's grid. */
struct claims world_claims(struct world *world, const char *yaml);
/* Returns the verdict on the single claim {text: t, REST}. grid_judge: for a grid. world_judge: for
 * the first `seeds` seeds of each row of the world's grid (0: all). */
struct claim_result grid_judge(const struct grid *grid, struct store *store, const char *rest);
struct claim_result world_judge(struct world *world, struct store *store, const char *rest,
                                int seeds);
/* Returns the table of that YAML as text, in the arena. */
const char *world_table(struct world *world, const char *yaml);
/* Returns the explanation of a cell of that table, in the arena. */
const char *world_explain(struct world *world, const char *yaml, const char *row,
                          const char *column);
