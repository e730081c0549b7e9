/* Compares two cells of a table, for marks, p columns, margins, claims and `sanlab compare`.
 *
 * Each side has a value per seed. This is the value of a column in a row, its mean or weighted sum
 * over several rows, or a score that the caller gives. By default, a seed is used only if all rows
 * of both sides have a value for it. Missing runs then do not bias the means. The test is paired by
 * seed only if both sides have the same trainings (results/stats/difference.h). A margin of one row
 * compares a value with its control.
 *
 * Two values are not comparable if their signatures or items differ. They are also not comparable
 * if their stages ran on different devices or with different implementations of matrix products
 * (comparison_numeric). */
#pragma once

#include "core/config/int_range.h"
#include "results/table/resamples.h"
#include "results/table/sample.h"

/* The values between which the variance over seeds is computed, if a side has several rows. */
enum compared_unit {
    COMPARED_ROWS,  /* the values of each row, which is independent of the others. Rows with the
                       same trainings are one row */
    COMPARED_SIDES, /* the values of each side */
    COMPARED_SEEDS  /* the differences by seed */
};

struct compared_side {
    int rows;                      /* number of rows; 0: the caller gives seeds, value and `of` */
    const int *row;                /* [rows] */
    const double *weight;          /* [rows] above 0; NULL: the value is the mean over the rows */
    enum compared_unit unit;       /* of both sides */
    int ranges;                    /* number of ranges of seeds; 0: the seeds that all rows of both
                                      sides have */
    const struct int_range *range; /* [ranges] */
    int seeds;
    int *at;                        /* [seeds][rows] index of the seed among the seeds of the row */
    double *value;                  /* [seeds] mean or weighted sum over the rows */
    const struct observations **of; /* [seeds][rows], or [seeds] if the caller gives them; NULL: no
                                       items. If only the other side has items, the values are
                                       exact numbers */
};

/* State shared by the comparisons of a table or of a list of claims. */
struct comparing {
    struct sampler *sampler; /* NULL: the caller gives all sides */
    struct resamples resamples;
    bool paired; /* the sides are paired by seed; used only if the caller gives both sides */
};

struct paired_test {
    bool compared;
    const char *problem; /* reason why the sides were not compared although both have values; NULL:
                            no problem, or a side has no values */
    const char *items;   /* name of the resampled items, "sentences"; NULL: none */
    bool paired;         /* the test is paired by seed, because both sides have the same
                            trainings */
    bool exact;          /* the p over items is McNemar's, not Koehn's */
    int seeds;           /* number of seeds of the side with fewer seeds; 1 for a file of
                            hypotheses */
    int pooled;          /* number of rows over which the variance between seeds is pooled; 0: not
                            pooled */
    struct significance result; /* of side[0] - side[1] */
    double p;                   /* p of the test that sets the marks. comparison_of sets NaN;
                                   paired_tests.h sets and corrects it */
};

/* Compares side[0] with side[1], and fills the other fields of both sides. `column` is the column
 * of both; NULL: the caller gives both sides. result.known.sample lives in the arena. Approximate
 * randomization, which is slow, runs only if comparing->resamples.options.trials is above 0. */
struct paired_test comparison_of(struct comparing *comparing, const struct column *column,
                                 struct compared_side side[2], struct arena *arena);
/* Announces that the values of a column in a row will be compared (resamples.h). */
void comparison_expect(struct comparing *comparing, const struct column *column, int row);

/* Returns the observations from which a column's value is computed, for the seed with index `seed`
 * of a row. Requires that column_observations is not NULL. Returns NULL if no stage with the value
 * is done. */
const struct observations *comparison_seed(struct sampler *sampler, const struct column *column,
                                           int row, int seed);
/* Returns the reason why observations cannot be compared with `like`; NULL: comparable. */
const char *comparison_problem(const struct observations *one, const struct observations *like,
                               struct arena *arena);
/* True if two rows have common seeds and, for each of them, the same training: one model, scored in
 * two ways. */
bool comparison_is_paired(const struct grid *grid, int row, int other_row);
/* The keys of a stage's environment that can change its numbers although its id is the same;
 * NULL-terminated. The instruction set is not a key, because all instruction sets produce the same
 * bits. */
extern const char *const comparison_numeric[];
