/* A folder of runs and a grid over them: its rows, their seeds, and the stages of each seed. For
 * tests of tables, claims and figures, which fill it by hand. */
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
    struct run run[WORLD_ROWS][WORLD_SEEDS][WORLD_STAGES]; /* of these stages */
    const char *reference; /* lines for scores, of a test that sets it; else NULL */
};

/* Without rows; the folder is test_folder(name). */
struct world *world_new(const char *name);

/* The next row, whose seeds are 1, 2, .. and have no stages yet; returns its index. */
int world_add_row(struct world *world, const char *name, int seeds);
/* The next stage of a seed, without a part; its run is copied. */
struct grid_stage *world_add_stage(struct world *world, int r, int s, const char *kind,
                                   struct run run);

/* The database of the folder, after collecting; the caller closes it. */
struct store *world_collect(const struct world *world);
/* Reads what the YAML says of the table, then collects. */
struct store *world_open(struct world *world, const char *yaml);
/* The claims of {claims: [..]} about the world's grid. */
struct claims world_claims(struct world *world, const char *yaml);
/* Returns the verdict on the claim {text: t, REST} alone, for a grid, or for the first `seeds`
 * seeds of each row of the world's grid (0: all). */
struct claim_result grid_judge(const struct grid *grid, struct store *store, const char *rest);
struct claim_result world_judge(struct world *world, struct store *store, const char *rest,
                                int seeds);
/* The table of that YAML as text, in the arena. */
const char *world_table(struct world *world, const char *yaml);
