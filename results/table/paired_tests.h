/* Which cells of a table are better than their baselines: values paired item by item, over the
 * seeds that both have (comparison.h says what cannot be compared). All cells of the columns of the
 * family are compared, and p is corrected over all of them together.
 *
 * A cell of a margin is compared with no other one: its two sides are the value and that of its
 * control, of the same trainings, seed by seed. The margins of a row that the table shows are
 * corrected over all of them, apart from the comparisons and from the margins of other rows: they
 * ask what one encoder has learned. Columns of values without items that no family names are
 * corrected over all of them, apart from the columns of the family (layout.h).
 *
 * With two seeds or more p is Student's, two-sided, of trainings and items (difference.h): a table
 * does not say before which one is to be better. The variance between seeds is pooled over the rows
 * of the grid (family.h). With one seed p is the bootstrap's or the randomization's, of items
 * alone, and its mark is hollow. Values without items (dev_loss, gates, wall) are tested over seeds
 * alone, and with one seed not at all. */
#pragma once

#include "results/table/comparison.h"

/* The p over items alone, of which a column is. */
double paired_test_p(const struct paired_test *pair, enum column_p p);

/* All cells of a table. */
struct paired_tests {
    struct sampler *sampler;
    const struct layout *layout;
    struct arena *arena;
    struct comparing comparing;
    const struct scored_hypotheses **hyp; /* [lines][factors] of paired_hypotheses.c */
    int tested;
    struct column *column; /* [tested] the family, a column for each class that the table shows, and
                              the margins */
    bool *apart;           /* [tested] corrected apart from the family */
    struct paired_test *test; /* [tested][lines][factors], by paired_tests_run */
    int comparisons;          /* of rows with their baselines */
    int comparisons_apart;    /* the same of the columns that are corrected apart */
    int margins[2];           /* of a row: the fewest, the most */
};

struct paired_tests paired_tests_open(struct sampler *sampler);
/* paired_hypotheses.c: a line's file of hypotheses, scored by a column's metric (BLEU, chrF, TER)
 * against the references of the grid's rows of that factor (or its own, `ref:`); NULL: it has none,
 * or the column is no such metric. Its problem is the reason why the file cannot be scored, or that
 * no row is scored yet. */
#define HYPOTHESES_NOT_YET "no row is scored yet"
const struct observations *paired_tests_hypotheses(struct paired_tests *tests,
                                                   const struct column *column,
                                                   struct layout_cell cell);
/* Compares; with randomization only when asked for, which takes longer. */
void paired_tests_run(struct paired_tests *tests, bool randomize);
/* The same for one cell of any column that can be tested (column_untested), without correction. */
struct paired_test paired_tests_cell(struct paired_tests *tests, const struct column *column,
                                     struct layout_cell cell, bool randomize);
/* And of any two cells of such a column: `a` is the one that b is compared with; of a margin
 * twice the same one. */
struct paired_test paired_tests_two(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell a, struct layout_cell b, bool randomize);
/* What a cell is of: its row, or the score of its file of hypotheses, which is one seed. */
struct compared_side paired_tests_side(struct paired_tests *tests, const struct column *column,
                                       struct layout_cell cell, struct arena *arena);
/* All cells of a column will be compared (resamples.h). */
void paired_tests_expect(struct paired_tests *tests, const struct column *column);

/* Which of the tested columns has a column's values; -1: none. */
int paired_tests_column(const struct paired_tests *tests, const struct column *column);
struct paired_test *paired_tests_at(const struct paired_tests *tests, int tested,
                                    struct layout_cell cell);
/* The cell that a cell is compared with; factor -1: of the line, as the layout has it. */
struct layout_cell paired_tests_baseline(const struct layout *layout, struct layout_cell cell);
