/* A large store of stage folders in the runner's format, written fast (without sync). Its
 * content is a function of the arguments only. */
#pragma once

#include "core/base/base.h"

enum {
    SCALE_ROWS =
        20, /* rows per grid, each with five seeds, each seed with a train and a score stage */
    SCALE_SEEDS = 5
};

/* Makes about `stages` stages and `metrics` rows of metrics in RUNS. The rows of the grids g0, g1,
 * .. have the names "row 0", "row 1" and so on. The score stage of every seventh point of a grid
 * failed; all other stages are done. */
void scale_fill(const char *runs, int stages, int64_t metrics);
