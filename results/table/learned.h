/* Which trainings of a grid learned: the key `learned` of a grid.
 *
 *   learned: {metric: relate.dev_accuracy, at_least: 65.2}
 *
 * The number is a threshold beyond what is possible without the order of words; a comment in the
 * grid's file says which command found it. A seed of a row learned if its value of the metric, a
 * column of values (column.h), reaches the threshold: at_least where more is better, at_most where
 * less is. A seed without a value (it has not run, or is a file of hypotheses) is not counted.
 *
 * In a table a row with a seed that did not learn has its values, seed by seed, in the place of
 * their mean: the mean of a model that learned and one that did not is that of no model. Tests,
 * differences and verdicts are of all seeds, and how many of them learned stands beside them. */
#pragma once

#include "results/table/sample.h"

struct learned {
    struct column column;
    bool most; /* at_most */
    double limit;
};

/* NULL where the grid has no such key. Dies at the place of whatever is wrong. */
const struct learned *learned_read(const struct tree *map, const struct grid *grid,
                                   struct arena *arena);

/* How many seeds of a row have a value, and of how many it says that they learned; of the others
 * their names, "1, 3". Without the key there are none. */
struct learned_row {
    int seeds, learned;
    const char *failed; /* NULL: none */
};
struct learned_row learned_row(struct sampler *sampler, int row);

/* The text of a cell (sample_text), or where a seed of the row did not learn the values that there
 * are, in the order of the seeds: "59, 86, 60". row -1: of no row. */
const char *learned_text(struct sampler *sampler, const struct column *column, int row,
                         const struct sample *sample);
/* "Learned (Dev at least 65.2): 13 of 15 seeds; SAN (1 of 3; not: seed 1, 3)", and whether some did
 * not; NULL: there is nothing to say. */
const char *learned_caption(struct sampler *sampler, bool *failed);
/* "Dev at least 65.2" */
const char *learned_limit(const struct learned *learned, struct arena *arena);
