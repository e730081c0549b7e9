/* A grid's file, with its rows, sweeps, conditions, table, claims and figures. */
#include "experiments/grid/grid.h"
#include "results/report/claims.h"
#include "tests/fuzz/support/fuzz.h"

void fuzz_prepare(void)
{
    fuzz_put("base.yaml", "train: {steps: 3}\n", 18);
}

static void run(void *context)
{
    struct arena arena = {0};
    const struct grid *grid = grid_read(&arena, context, NULL, 0);
    claims_read(grid->claims, &grid->summary, &arena);
    arena_free(&arena);
}

FUZZ_FILE(run, "grid.yaml");
