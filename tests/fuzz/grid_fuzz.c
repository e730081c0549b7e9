/* A grid's file, with its rows, sweeps, conditions, table, claims and figures. */
#include "experiments/plan/plan.h"
#include "tests/fuzz/support/fuzz.h"

void fuzz_prepare(void)
{
    fuzz_put("base.yaml", "train: {steps: 3}\n", 18);
}

static void run(void *context)
{
    struct grid *grid = grid_read(&arena, context, NULL, 0, NULL);
    struct plan plan = {.grid = grid};
    plan_read_drawn(&plan, grid, &arena);
}

FUZZ_FILE(run, "grid.yaml");
