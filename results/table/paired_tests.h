/* Tests of the cells of a table against their baselines: values paired item by item, over the seeds
 * that both have (comparison.h lists what cannot be compared). All cells of the columns of the
 * family are compared, and p is corrected over all of them together.
 *
 * A cell of a margin is not compared with another cell: its sides are the value and its control, of
 * the same trainings, seed by seed. The margins of a row in the table are corrected together,
 * separately from the comparisons and from the margins of other rows, because they test what one
 * encoder has learned. Columns of values without items that no family names are corrected together,
 * separately from the columns of the family (layout.h).
 *
 * With two seeds or more p is Student's, over trainings and items (difference.h). It is two-sided,
 * because a table has no prior hypothesis. The variance between seeds is pooled over the rows of
 * the grid (family.h). With one seed p is the bootstrap's or the randomization's, over items only,
 * and its mark is hollow. Values without items (dev_loss, gates, wall) are tested over seeds only,
 * and with one seed not at all. */
#pragma once

#include "results/table/comparison.h"

/* Returns the p over items of a p column. */
double paired_test_p(const struct paired_test *pair, enum column_p p);

/* All cells of a table. */
struct paired_tests {
    struct sampler *sampler;
    const struct layout *layout;
    struct arena *arena;
    struct comparing comparing;
    const struct scored_hypotheses **hyp; /* [lines][coordinates] cache of paired_hypotheses.c */
    int tested;
    struct column *column;    /* [tested] the family, a column for each class in the table, and the
                              margins */
    bool *apart;              /* [tested] corrected separately from the family */
    struct paired_test *test; /* [tested][lines][coordinates], by paired_tests_run */
    int comparisons;          /* of rows with their baselines */
    int comparisons_apart;    /* of columns that are corrected separately */
    int margins[2];           /* of a row: minimum and maximum */
};

struct paired_tests paired_tests_open(struct sampler *sampler);
/* paired_hypotheses.c: returns a line's file of hypotheses, scored by a column's metric (BLEU,
 * chrF, TER) against the references of the grid's rows of that coordinate (or its own, `ref:`).
 * NULL: the line has no file, or the column has no such metric. `problem` is the reason why the
 * file cannot be scored, or that no row is scored yet. */
#define HYPOTHESES_NOT_YET "no row is scored yet"
const struct observations *paired_tests_hypotheses(struct paired_tests *tests,
                                                   const struct column *column,
                                                   struct layout_cell cell);
/* Tests all cells. Randomization, which is slow, runs only on request. */
void paired_tests_run(struct paired_tests *tests, bool randomize);
/* Tests one cell of any testable column (column_untested), without correction. */
struct paired_test paired_tests_cell(struct paired_tests *tests, const struct column *column,
                                     struct layout_cell cell, bool randomize);
/* Tests two cells of a testable column: b is compared with `a`. For a margin both are equal. */
struct paired_test paired_tests_two(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell a, struct layout_cell b, bool randomize);
/* Returns the side of a cell: its row, or the score of its file of hypotheses, which is one
 * seed. */
struct compared_side paired_tests_side(struct paired_tests *tests, const struct column *column,
                                       struct layout_cell cell, struct arena *arena);
/* Announces that all cells of a column will be compared (resamples.h). */
void paired_tests_expect(struct paired_tests *tests, const struct column *column);

/* Returns the index of the tested column with a column's values; -1: none. */
int paired_tests_column(const struct paired_tests *tests, const struct column *column);
struct paired_test *paired_tests_at(const struct paired_tests *tests, int tested,
                                    struct layout_cell cell);
/* Returns the baseline of a cell; coordinate -1: the baseline of the line in the layout. */
struct layout_cell paired_tests_baseline(const struct layout *layout, struct layout_cell cell);
