/* A large store: folders of stages as the runner and its workers leave them, written fast (nothing
 * is synced). What it holds is a function of the numbers alone. */
#pragma once

#include "core/base/base.h"

enum {
    SCALE_ROWS = 20, /* of a grid; each of five seeds, each of a train and a score stage */
    SCALE_SEEDS = 5
};

/* About so many stages and rows of metrics in RUNS: grids g0, g1, .. with rows "row 0", "row 1",
 * ..; every seventh point of a grid failed in its score stage, all else is done. */
void scale_fill(const char *runs, int stages, int64_t metrics);
