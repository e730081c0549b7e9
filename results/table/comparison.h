/* Comparison of two cells, seed by seed, for marks, p columns, margins, claims and `compare`.
 *
 * A side is the values of a column in a row, the mean over several rows, or given scores. Only
 * seeds that all rows of both sides have are used, so that missing runs do not bias the means.
 * Sides are paired only if both are the same trainings (results/stats/difference.h). A margin
 * within one row compares a value with its control.
 *
 * Values with different signatures or items are not comparable, nor are values of stages that were
 * computed with different numerics: device or products. */
#pragma once

#include "core/config/int_range.h"
#include "results/table/resamples.h"
#include "results/table/sample.h"

struct compared_side {
    int rows;                      /* 0: the fields below are given */
    const int *row;                /* [rows] */
    int ranges;                    /* of seeds; 0: the seeds that all rows of both sides have */
    const struct int_range *range; /* [ranges] */
    int seeds;
    int *at;                        /* [seeds][rows] the index of each seed in its row */
    double *value;                  /* [seeds] means over the rows */
    const struct observations **of; /* [seeds][rows], if given [seeds]; NULL: no items */
};

/* State shared by the comparisons of a table or of a list of claims. */
struct comparing {
    struct sampler *sampler;    /* NULL: all sides are given */
    struct resamples resamples; /* with their options; `paired` applies to given sides */
};

struct paired_test {
    bool compared;
    const char *problem; /* why it was not compared although both sides have values; NULL: no
                            problem, or no values */
    const char *items;   /* resampled items: "sentences"; NULL: none */
    bool paired;         /* by seed: both sides are of the same trainings */
    bool exact;          /* p over items is McNemar's instead of Koehn's */
    int seeds;           /* of the side with fewer seeds; 1 with a file of hypotheses */
    int pooled;          /* rows over which the variance between seeds is pooled; 0: not pooled */
    struct significance result; /* b: first side, a: second side */
    double p;                   /* of the test of the marks, corrected */
};

/* Compares side[0] with side[1] and fills the fields of both; `column` is that of both (NULL: they
 * are given). The result's known.sample lives in the arena. Randomization, which is slow, runs only
 * on request. */
struct paired_test comparison_of(struct comparing *comparing, const struct column *column,
                                 struct compared_side side[2], bool randomize, struct arena *arena);
/* Announces that a column of a row will be compared (resamples.h). */
void comparison_expect(struct comparing *comparing, const struct column *column, int row);

/* Returns the observations of a column's value of a seed (requires column_observations); NULL: no
 * stage with the value is done. */
const struct observations *comparison_seed(struct sampler *sampler, const struct column *column,
                                           int row, int seed);
/* Returns the reason why observations cannot be compared with `like`; NULL: comparable. */
const char *comparison_problem(const struct observations *one, const struct observations *like,
                               struct arena *arena);
/* True if two rows are the same trainings in every common seed: one model, scored in two ways. */
bool comparison_is_paired(const struct grid *grid, int row, int other_row);
/* Environment keys on which the numbers of a stage depend besides its id; NULL-terminated. The
 * instruction set is not among them: all produce the same bits. */
extern const char *const comparison_numeric[];
