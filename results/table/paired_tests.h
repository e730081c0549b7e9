/* Tests the cells of a table against their baselines. The values of both cells are paired by item,
 * for the seeds that both have. comparison.h lists values that cannot be compared. All cells of the
 * columns in the family (layout.h) are compared with their baselines, and the p values are
 * corrected together.
 *
 * A cell of a margin is not compared with another cell. Its two sides are the value and its
 * control, which come from the same trainings and are paired by seed. The margins of a row are
 * corrected together, because they test what one encoder has learned. Comparisons with baselines,
 * and margins of other rows, are corrected separately. If the grid does not list the family,
 * columns without items have another separate correction (layout.h, apart).
 *
 * With two seeds or more, p is computed by Student's t, over trainings and items (difference.h). It
 * is two-sided, because a table has no prior hypothesis. The variance between seeds is pooled over
 * the rows of the grid (pooled.h). With one seed, p is computed by bootstrap or randomization over
 * items only, and the mark in the table is hollow. Values without items (dev_loss, gates, wall) are
 * tested over seeds only. With one seed, they are not tested. */
#pragma once

#include "results/table/comparison.h"

/* Returns a p over items. For COLUMN_KOEHN, it is McNemar's p if pair->exact is true, else
 * Koehn's. */
double paired_test_p(const struct paired_test *pair, enum column_p p);

/* All cells of a table. */
struct paired_tests {
    struct sampler *sampler;
    const struct layout *layout;
    struct arena *arena;
    struct comparing comparing;
    const struct scored_hypotheses **hyp; /* [lines][coordinates] cache of paired_hypotheses.c */
    int tested;
    struct column *column;    /* [tested] tested columns: the family, with a column for each class
                                 in the table, and the margins */
    bool *apart;              /* [tested] true: corrected separately from the family */
    struct paired_test *test; /* [tested][lines][coordinates] results of paired_tests_run */
    int comparisons;          /* number of comparisons with baselines, in the family */
    int comparisons_apart;    /* number of comparisons of columns with `apart` */
    int margins;              /* maximum number of margins of a row */
};

/* Opens the tests of the grid's table. Approximate randomization, which is slow, runs only if the
 * table needs it. */
struct paired_tests paired_tests_open(struct sampler *sampler);
/* paired_hypotheses.c: scores the file of hypotheses in a cell by the metric of a column: BLEU,
 * chrF or TER. The rows at the same coordinate have the references. If the line has a key `ref`,
 * the references are in that file instead. Returns NULL if the cell has no file, or the column has
 * another metric. If the file cannot be scored, `problem` of the result is the reason. */
#define HYPOTHESES_NOT_YET "no row is scored yet"
const struct observations *paired_tests_hypotheses(struct paired_tests *tests,
                                                   const struct column *column,
                                                   struct layout_cell cell);
/* Tests all cells of all tested columns. */
void paired_tests_run(struct paired_tests *tests);
/* Tests one cell of any testable column (column_untested), without correction. */
struct paired_test paired_tests_cell(struct paired_tests *tests, const struct column *column,
                                     struct layout_cell cell);
/* Compares cell `b` with cell `a` in a testable column. For a margin, both are the same cell. */
struct paired_test paired_tests_two(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell a, struct layout_cell b);
/* Announces that all cells of a column will be compared (resamples.h). */
void paired_tests_expect(struct paired_tests *tests, const struct column *column);

/* Returns the index of the tested column that has the values of a column; -1: none. */
int paired_tests_column(const struct paired_tests *tests, const struct column *column);
struct paired_test *paired_tests_at(const struct paired_tests *tests, int tested,
                                    struct layout_cell cell);
/* Returns the baseline of a cell; coordinate -1: the baseline of the line in the layout. */
struct layout_cell paired_tests_baseline(const struct layout *layout, struct layout_cell cell);
