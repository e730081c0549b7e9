/* Two cells are compared, seed by seed: marks, p columns, margins, claims and `compare` all do it
 * here.
 *
 * A side is the values of a column in a row, or in several rows whose mean counts, or scores that
 * are given. Only seeds that all rows of both sides have take part: which runs happen to be missing
 * must not decide over which seeds a mean is. They are paired only where both sides are the same
 * trainings (results/stats/difference.h). A margin within one row compares the value with that of
 * its control.
 *
 * Not comparable are values whose signatures or items differ, and those that come from stages that
 * were computed with other numerics: device or products. */
#pragma once

#include "core/config/int_range.h"
#include "results/table/resamples.h"
#include "results/table/sample.h"

struct compared_side {
    int rows;                      /* 0: what follows is given */
    const int *row;                /* [rows] */
    int ranges;                    /* of seeds; 0: those that all rows of both sides have */
    const struct int_range *range; /* [ranges] */
    int seeds;
    int *at;                        /* [seeds][rows] the index of each seed in its row */
    double *value;                  /* [seeds] means over the rows */
    const struct observations **of; /* [seeds][rows], of given ones [seeds]; NULL: no items */
};

/* What the comparisons of a table or of a list of claims share. */
struct comparing {
    struct sampler *sampler;    /* NULL: all sides are given */
    struct resamples resamples; /* its options, too; `paired` of sides that are given */
};

struct paired_test {
    bool compared;
    const char *problem; /* why not, where both sides have values; NULL: nothing to compare */
    const char *items;   /* what was resampled: "sentences"; NULL: nothing */
    bool paired;         /* by seed: both sides are of the same trainings */
    bool exact;          /* its p of items is McNemar's in the place of Koehn's */
    int seeds;           /* of the side that has fewer; 1 with a file of hypotheses */
    int pooled;          /* rows over which the variance between seeds is pooled; 0: its own */
    struct significance result; /* b: the first side, a: the second one */
    double p;                   /* of the test that sets the marks, after correction */
};

/* Compares side[0] with side[1] and fills what they have; `column` is that of both (NULL: they are
 * given). The result's known.sample is in the arena, where there is one. Randomization, which takes
 * longer, is only done when asked for. */
struct paired_test comparison_of(struct comparing *comparing, const struct column *column,
                                 struct compared_side side[2], bool randomize, struct arena *arena);
/* Says that a column of a row will be compared (resamples.h). */
void comparison_expect(struct comparing *comparing, const struct column *column, int row);

/* What stands behind a column's value of a seed (column_observations says that something does);
 * NULL: no stage with it is done. */
const struct observations *comparison_seed(struct sampler *sampler, const struct column *column,
                                           int row, int seed);
/* Why observations cannot be compared with `like`, or NULL. */
const char *comparison_problem(const struct observations *one, const struct observations *like,
                               struct arena *arena);
/* Whether two rows are the same trainings, seed by seed of those that both have: one model, scored
 * in two ways. */
bool comparison_is_paired(const struct grid *grid, int row, int other_row);
/* What decides the numbers of a stage besides its id, in its environment; NULL-terminated.
 * The table of instructions does not: both have the same bits. */
extern const char *const comparison_numeric[];
