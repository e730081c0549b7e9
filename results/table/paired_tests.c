/* A cell and its baseline are the two sides of a comparison: a row, or a file of hypotheses.
 * Holm's family is all comparisons of the table, since each of their marks would be reported; its
 * margins of a row, which answer another question, are one of their own. */
#include "results/table/paired_tests.h"

#include <math.h>

/* A tested column more, once. */
static void add_tested(struct paired_tests *tests, const struct column *column, bool apart)
{
    if (paired_tests_column(tests, column) >= 0) return;
    tests->apart[tests->tested] = apart;
    tests->column[tests->tested++] = column_tested(column);
}

/* The families: of every class that the table shows where it says so. */
static void list_tested(struct paired_tests *tests)
{
    const struct layout *layout = tests->layout;
    const struct layout_test *test = &layout->test;
    const int most = (test->families + 1) * (layout->columns + 1);
    tests->column = ARENA_ARRAY(tests->arena, struct column, most);
    tests->apart = ARENA_ARRAY(tests->arena, bool, most);
    for (int i = 0; i < test->families; i++) {
        const struct column *column = &test->family[i];
        const bool apart = i >= test->families - test->apart;
        if (!column->of.every) add_tested(tests, column, apart);
        for (int c = 0; column->of.every && c < layout->columns; c++) {
            const struct column *shown = &layout->column[c];
            if (!shown->of.class || !column_covers(column, shown)) continue;
            const struct column one = column_of_class(column, shown->of.class, tests->arena);
            add_tested(tests, &one, apart);
        }
    }
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        if (column->margin && !column->of.every && !column_untested(column, tests->arena))
            add_tested(tests, column, false);
    }
}

struct paired_tests paired_tests_open(struct sampler *sampler)
{
    const struct layout *layout = sampler->grid->layout;
    int cells = layout->lines * layout->factors;
    struct paired_tests tests = {
        .sampler = sampler,
        .layout = layout,
        .arena = sampler->arena,
        .comparing = {sampler,
                      sampler->arena,
                      {.arena = sampler->arena, .options = layout->test.options}},
        .hyp = ARENA_ARRAY(sampler->arena, const struct scored_hypotheses *, cells)};
    list_tested(&tests);
    tests.test = ARENA_ARRAY(sampler->arena, struct paired_test, cells * tests.tested);
    return tests;
}

int paired_tests_column(const struct paired_tests *tests, const struct column *column)
{
    for (int i = 0; i < tests->tested; i++)
        if (column_is_same(&tests->column[i], column)) return i;
    return -1;
}

const struct paired_test *paired_tests_at(const struct paired_tests *tests, int tested, int line,
                                          int factor)
{
    const struct layout *layout = tests->layout;
    return &tests->test[(tested * layout->lines + line) * layout->factors + factor];
}

struct layout_cell paired_tests_baseline(const struct layout *layout, int line, int factor)
{
    const struct layout_cell *against = &layout->test.against;
    return layout_cell_at(against->line >= 0 ? *against : layout->line[line].baseline, factor);
}

double paired_test_p(const struct paired_test *pair, enum column_p p)
{
    const struct significance *result = &pair->result;
    return p == COLUMN_CENTERED  ? result->centered
           : p == COLUMN_SWAPPED ? result->swapped
           : pair->exact         ? result->mcnemar
                                 : result->koehn;
}

/* The p that sets marks, not corrected. */
static double p_of_marks(const struct paired_test *pair, enum column_p p)
{
    return pair->result.decides ? pair->result.p : paired_test_p(pair, p);
}

struct compared_side paired_tests_side(struct paired_tests *tests, const struct column *column,
                                       struct layout_cell cell, struct arena *arena)
{
    const int *row = &tests->layout->line[cell.line].row[cell.factor];
    if (*row >= 0) return (struct compared_side){.rows = 1, .row = row};
    const struct observations *hyp = paired_tests_hypotheses(tests, column, cell.line, cell.factor);
    if (!hyp) return (struct compared_side){0};
    struct compared_side side = {.seeds = 1,
                                 .value = ARENA_NEW(arena, double),
                                 .of = ARENA_ARRAY(arena, const struct observations *, 1)};
    side.value[0] = hyp->score;
    side.of[0] = hyp;
    return side;
}

struct paired_test paired_tests_two(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell a, struct layout_cell b, bool randomize)
{
    struct arena scratch = {0};
    struct compared_side side[] = {paired_tests_side(tests, column, b, &scratch),
                                   paired_tests_side(tests, column, a, &scratch)};
    struct paired_test pair = comparison_of(&tests->comparing, column, side, randomize, &scratch);
    if (!pair.compared && !pair.problem && pair.seeds)
        pair.problem = pair.seeds < 2 ? "one seed" : "no seed varies";
    if (pair.compared) pair.p = p_of_marks(&pair, tests->layout->test.p);
    pair.result.known.sample = NULL;
    arena_free(&scratch);
    return pair;
}

struct paired_test paired_tests_cell(struct paired_tests *tests, const struct column *column,
                                     int line, int factor, bool randomize)
{
    const struct layout_cell base = paired_tests_baseline(tests->layout, line, factor),
                             cell = {line, factor};
    if (column->margin) return paired_tests_two(tests, column, cell, cell, randomize);
    if (layout_same_cell(tests->layout, base, cell)) return (struct paired_test){.p = (double)NAN};
    return paired_tests_two(tests, column, base, cell, randomize);
}

void paired_tests_expect(struct paired_tests *tests, const struct column *column)
{
    const struct layout *layout = tests->layout;
    if (!column_observations(column)) return;
    for (int i = 0; i < layout->lines * layout->factors; i++) {
        const int line = i / layout->factors, factor = i % layout->factors,
                  row = layout->line[line].row[factor];
        if (row >= 0)
            comparison_expect(&tests->comparing, column, row);
        else
            resamples_expect(&tests->comparing.resamples,
                             paired_tests_hypotheses(tests, column, line, factor));
    }
}

/* What p of a column is corrected with. */
enum correction { CORRECT_FAMILY, CORRECT_APART, CORRECT_MARGINS };
static enum correction correction_of(const struct paired_tests *tests, int tested)
{
    return tests->column[tested].margin ? CORRECT_MARGINS
           : tests->apart[tested]       ? CORRECT_APART
                                        : CORRECT_FAMILY;
}

/* Of all cells; or, of cell >= 0, of one. The rest of p [tested][cells] is left. */
static void correct_family(const struct paired_tests *tests, double *p, int cells,
                           enum correction correction, int cell)
{
    const int all = cells * tests->tested;
    double *family = ARENA_ARRAY(tests->arena, double, all);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < all; i++) {
            const bool member =
                correction_of(tests, i / cells) == correction && (cell < 0 || i % cells == cell);
            if (round && member) p[i] = family[i];
            if (!round) family[i] = member ? p[i] : (double)NAN;
        }
        if (!round) significance_holm(family, all, family);
    }
}

static void correct(struct paired_tests *tests, double *p, int cells)
{
    correct_family(tests, p, cells, CORRECT_FAMILY, -1);
    correct_family(tests, p, cells, CORRECT_APART, -1);
    for (int cell = 0; cell < cells; cell++) correct_family(tests, p, cells, CORRECT_MARGINS, cell);
}

/* How many are compared: of rows with baselines, and of the margins of a row. */
static void count_compared(struct paired_tests *tests, int cells)
{
    for (int cell = 0; cell < cells; cell++) {
        int margins = 0;
        for (int k = 0; k < tests->tested; k++) {
            if (!tests->test[k * cells + cell].compared) continue;
            const enum correction correction = correction_of(tests, k);
            margins += correction == CORRECT_MARGINS;
            tests->comparisons += correction == CORRECT_FAMILY;
            tests->comparisons_apart += correction == CORRECT_APART;
        }
        if (margins && (!tests->margins[0] || margins < tests->margins[0]))
            tests->margins[0] = margins;
        if (margins > tests->margins[1]) tests->margins[1] = margins;
    }
}

void paired_tests_run(struct paired_tests *tests, bool randomize)
{
    const struct layout *layout = tests->layout;
    const int cells = layout->lines * layout->factors, all = cells * tests->tested;
    double *p = ARENA_ARRAY(tests->arena, double, all);
    for (int i = 0; i < tests->tested; i++) paired_tests_expect(tests, &tests->column[i]);
    for (int i = 0; i < all; i++) {
        const int line = i % cells / layout->factors, factor = i % layout->factors;
        if (layout_repeats(layout, line, factor))
            tests->test[i] = (struct paired_test){.p = (double)NAN};
        else
            tests->test[i] =
                paired_tests_cell(tests, &tests->column[i / cells], line, factor, randomize);
        p[i] = tests->test[i].p;
    }
    count_compared(tests, cells);
    if (layout->test.holm) correct(tests, p, cells);
    for (int i = 0; i < all; i++) tests->test[i].p = p[i];
}
