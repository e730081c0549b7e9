/* Compares two systems whose values are computed from their items. */
#pragma once

#include "results/stats/significance.h"

struct compared_system {
    int seeds;
    int sets;                /* number of sets of items per seed; 0 means 1 */
    const void *const *item; /* [seeds * sets] arrays of items, the sets of a seed adjacent */
};

/* Tests b - a. The arrays of the result are in the arena of the test. */
struct significance compared_items(const struct statistic *statistic, struct strata strata,
                                   const struct significance_options *options,
                                   const struct compared_system *a,
                                   const struct compared_system *b);
