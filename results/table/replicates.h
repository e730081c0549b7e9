/* Replicates: the seeds of rows with the observations behind a column's values, and what makes
 * these comparable.
 *
 * Only seeds that both rows have take part: which runs happen to be missing must not decide over
 * which seeds a mean is. They are paired only where both rows are the same trainings
 * (results/stats/difference.h). Not comparable are values whose signatures or items differ, and
 * those that come from stages that were computed with other numerics: device or products. */
#ifndef RESULTS_TABLE_REPLICATES_H
#define RESULTS_TABLE_REPLICATES_H

#include "results/stats/significance.h"
#include "results/table/observations.h"
#include "results/table/sample.h"

struct replicates {
    int count;
    const struct observations **seed; /* [count] */
};

void replicates_add(struct replicates *replicates, const struct observations *observations,
                    struct arena *arena);

/* Whether every seed's are those of the first, in `pairs` rows that lie side by side: vectors of
 * another program that stand for all seeds are one replicate, and tell nothing of how others would
 * differ. */
bool replicates_are_one(const struct replicates *replicates, int pairs);

/* What stands behind a column's value of a seed (column_observations says that something does);
 * NULL: no stage with it is done. */
const struct observations *replicates_seed(struct sampler *sampler, const struct column *column,
                                           int row, int seed);
/* What decides the numbers of a stage besides its id, in its environment; NULL-terminated.
 * The table of instructions does not: both have the same bits. */
extern const char *const replicates_numeric[];
/* The seeds that both rows have the column's observations of, added to both; of a side that is one
 * replicate (replicates_are_one), that one. Returns why they cannot be paired, or NULL. */
const char *replicates_rows(struct sampler *sampler, const struct column *column, int row,
                            int other_row, struct replicates *ours, struct replicates *theirs);
/* Some seeds of a row, by their indices. */
struct replicates_seeds {
    int row, count;
    const int *seed; /* [count] */
};
/* The observations of different trainings, added to both sides; each side has its own seeds. */
const char *replicates_apart(struct sampler *sampler, const struct column *column,
                             const struct replicates_seeds of[2], struct replicates side[2]);
/* The same of the two sides of a margin of one row: the value and that of its control. They are of
 * one training, and so paired. */
const char *replicates_margin(struct sampler *sampler, const struct column *margin, int row,
                              struct replicates *ours, struct replicates *theirs);
/* The same of values without items. */
struct replicates_values {
    int seeds; /* that both have; 1 of a side that is one measurement for all seeds */
    const double *ours, *theirs;
};
const char *replicates_values(struct sampler *sampler, const struct column *column, int row,
                              int other_row, struct replicates_values *values);
/* Whether two rows are the same trainings, seed by seed of those that both have: one model, scored
 * in two ways. */
bool replicates_are_paired(const struct summary_grid *grid, int row, int other_row);
/* The problems of the observations of two sides, each once, "a is gone; b is gone"; NULL: none. */
const char *replicates_problems(const struct replicates *a, const struct replicates *b,
                                struct arena *arena);
/* Why replicates cannot be compared with those of which `first` is one, or NULL. None of them has a
 * problem (replicates_problems). */
const char *replicates_check(const struct replicates *replicates, const struct observations *first,
                             struct arena *arena);
/* For significance.h; there is a seed at least, and they were checked. */
struct significance_system replicates_system(const struct replicates *replicates,
                                             struct arena *arena);

#endif
