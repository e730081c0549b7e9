/* Trainings of a grid that learned: the key `learned` of a grid.
 *
 *   learned: {metric: relate.dev_accuracy, at_least: 65.2}
 *
 * The threshold is unreachable without the order of words; a comment in the grid's file names the
 * command that found it. A seed of a row learned if its value of the metric, a column of values
 * (column.h), reaches the threshold: at_least if more is better, at_most if less is. A seed without
 * a value (not run, or a file of hypotheses) is not counted.
 *
 * In a table, a row with a seed that did not learn has its values, seed by seed, instead of their
 * mean, because the mean of learned and failed models describes neither. Tests, differences and
 * verdicts are over all seeds, with the number of seeds that learned. */
#pragma once

#include "results/table/sample.h"

struct learned {
    struct column column;
    bool most; /* the limit is at_most */
    double limit;
};

/* Reads the key; NULL if absent. Exits with an error at the location of an invalid value. */
const struct learned *learned_read(const struct tree *map, const struct grid *grid,
                                   struct arena *arena);

/* Number of a row's seeds with a value, number of seeds that learned, and the other seeds, "1, 3".
 * All are 0 without the key and for row -1. */
struct learned_row {
    int seeds, learned;
    const char *failed; /* NULL: none */
};
struct learned_row learned_row(struct sampler *sampler, int row);

/* Returns "Learned (Dev at least 65.2): 13 of 15 seeds; SAN (1 of 3; not: seed 1, 3)", and *failed,
 * true if a seed did not learn; NULL: nothing to report. */
const char *learned_caption(struct sampler *sampler, bool *failed);
/* "Dev at least 65.2" */
const char *learned_limit(const struct learned *learned, struct arena *arena);
