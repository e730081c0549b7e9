/* Finds the trainings of a grid that have learned its task, by the key `learned` of the grid:
 *
 *   learned: {metric: relate.dev_accuracy, at_least: 65.2}
 *
 * A model that ignores the order of words cannot reach the threshold. A comment in the grid's file
 * names the command that computed the threshold. `metric` is a column of values (column.h). A seed
 * of a row has learned if its value is at least `at_least` or, with the other key, at most
 * `at_most`. A seed without a value is not counted.
 *
 * If a seed of a row did not learn, tables list the values of the row seed by seed. Its mean would
 * describe neither the models that learned nor the others. Significance tests, differences and
 * verdicts use all seeds, and the number of seeds that learned is printed with them. */
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

/* seeds: number of a row's seeds with a value. learned: number of these seeds that learned. failed:
 * list of the seeds that did not learn, "1, 3". Without the key `learned`, and for row -1 (a file
 * of hypotheses), all are 0 or NULL. */
struct learned_row {
    int seeds, learned;
    const char *failed; /* NULL: none */
};
struct learned_row learned_row(struct sampler *sampler, int row);
/* Returns the two-sided p of Fisher's exact test that two rows learn with the same probability. It
 * is the probability of all 2 x 2 tables with these sums that are at most as probable as this one.
 * */
double learned_p(const struct learned_row *a, const struct learned_row *b);

/* Returns a text like "Learned (Dev at least 65.2): 13 of 15 seeds; SAN (1 of 3; not: seed 1, 3)".
 * Returns NULL if no seed has a value. Sets *failed to true if a seed did not learn. */
const char *learned_caption(struct sampler *sampler, bool *failed);
