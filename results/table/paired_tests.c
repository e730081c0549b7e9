/* Tests cells against their baselines. A cell belongs to a row or a file of hypotheses. Holm's
 * method corrects all comparisons of the table's family together, because the table shows a mark
 * for each of them. The margins of a row test another hypothesis, and are corrected separately. */
#include "results/table/paired_tests.h"

#include <math.h>

static const struct paired_test untested = {.p = (double)NAN};

/* Adds a tested column unless the list already has it. */
static void add_tested(struct paired_tests *tests, const struct column *column, bool apart)
{
    if (paired_tests_column(tests, column) >= 0) return;
    tests->apart[tests->tested] = apart;
    tests->column[tests->tested++] = column_tested(column);
}

/* Lists the tested columns. A column of the family with class: all is replaced by a column for each
 * of its classes in the table. */
static void list_tested(struct paired_tests *tests)
{
    const struct layout *layout = tests->layout;
    const struct layout_significance *test = &layout->test;
    const int most = (test->families + 1) * (layout->columns + 1);
    tests->column = ARENA_ARRAY(tests->arena, struct column, most);
    tests->apart = ARENA_ARRAY(tests->arena, bool, most);
    for (int i = 0; i < test->families; i++) {
        const struct column *column = &test->family[i];
        const bool apart = i >= test->families - test->apart;
        if (!dimensions_every(&column->of)) add_tested(tests, column, apart);
        for (int c = 0; dimensions_every(&column->of) && c < layout->columns; c++) {
            const struct column *shown = &layout->column[c];
            if (!shown->of.class || dimensions_every(&shown->of) || !column_covers(column, shown))
                continue;
            const struct column one = column_of_class(column, shown->of.class, tests->arena);
            add_tested(tests, &one, apart);
        }
    }
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        if (column->function == COLUMN_MARGIN && !dimensions_every(&column->of) &&
            !column_untested(column, tests->arena))
            add_tested(tests, column, false);
    }
}

struct paired_tests paired_tests_open(struct sampler *sampler)
{
    const struct layout *layout = sampler->grid->layout;
    int cells = layout->lines * layout->coordinates;
    struct paired_tests tests = {
        .sampler = sampler,
        .layout = layout,
        .arena = sampler->arena,
        .comparing = {.sampler = sampler,
                      .resamples = {.arena = sampler->arena, .options = layout->test.options}},
        .hyp = ARENA_ARRAY(sampler->arena, const struct scored_hypotheses *, cells)};
    bool swapped = layout->test.p == COLUMN_SWAPPED;
    for (int i = 0; i < layout->columns; i++)
        swapped |= layout->column[i].function == COLUMN_P_SWAPPED;
    if (!swapped) tests.comparing.resamples.options.trials = 0;
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

struct paired_test *paired_tests_at(const struct paired_tests *tests, int tested,
                                    struct layout_cell cell)
{
    const struct layout *layout = tests->layout;
    return &tests->test[tested * layout->lines * layout->coordinates + layout_index(layout, cell)];
}

struct layout_cell paired_tests_baseline(const struct layout *layout, struct layout_cell cell)
{
    const struct layout_cell *against = &layout->test.against;
    return layout_cell_at(against->line >= 0 ? *against : layout->line[cell.line].baseline,
                          cell.coordinate);
}

double paired_test_p(const struct paired_test *pair, enum column_p p)
{
    const struct significance *result = &pair->result;
    return p == COLUMN_CENTERED  ? result->centered
           : p == COLUMN_SWAPPED ? result->swapped
           : pair->exact         ? result->mcnemar
                                 : result->koehn;
}

/* Returns one side of a comparison: the row of a cell, or the score of its file of hypotheses,
 * which counts as one seed. */
static struct compared_side side_of(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell cell, struct arena *arena)
{
    const int *row = &tests->layout->line[cell.line].row[cell.coordinate];
    if (*row >= 0) return (struct compared_side){.rows = 1, .row = row};
    const struct observations *hyp = paired_tests_hypotheses(tests, column, cell);
    if (!hyp) return (struct compared_side){0};
    struct compared_side side = {.seeds = 1,
                                 .value = ARENA_NEW(arena, double),
                                 .of = ARENA_ARRAY(arena, const struct observations *, 1)};
    side.value[0] = hyp->score;
    side.of[0] = hyp;
    return side;
}

struct paired_test paired_tests_two(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell a, struct layout_cell b)
{
    struct arena scratch = {0};
    struct compared_side side[] = {side_of(tests, column, b, &scratch),
                                   side_of(tests, column, a, &scratch)};
    struct paired_test pair = comparison_of(&tests->comparing, column, side, &scratch);
    if (!pair.compared && !pair.problem && pair.seeds)
        pair.problem = pair.seeds < 2 ? "one seed" : "no value varies between seeds";
    if (pair.compared)
        pair.p = pair.result.decides ? pair.result.p : paired_test_p(&pair, tests->layout->test.p);
    pair.result.known.sample = NULL;
    arena_free(&scratch);
    return pair;
}

struct paired_test paired_tests_cell(struct paired_tests *tests, const struct column *column,
                                     struct layout_cell cell)
{
    const struct layout_cell base = paired_tests_baseline(tests->layout, cell);
    if (column->function == COLUMN_MARGIN) return paired_tests_two(tests, column, cell, cell);
    if (layout_same_cell(tests->layout, base, cell)) return untested;
    return paired_tests_two(tests, column, base, cell);
}

void paired_tests_expect(struct paired_tests *tests, const struct column *column)
{
    if (!column_observations(column)) return;
    for (struct layout_cell at = {0}; layout_next(tests->layout, &at); at.coordinate++) {
        const int row = layout_row(tests->layout, at);
        if (row >= 0)
            comparison_expect(&tests->comparing, column, row);
        else
            resamples_expect(&tests->comparing.resamples,
                             paired_tests_hypotheses(tests, column, at));
    }
}

/* Corrects the p values of one set of comparisons in the cells `first` to `end` - 1, if the grid
 * asks for Holm's correction. The set is that of margins, of the columns apart, or of the family.
 * Returns the number of comparisons. */
static int correct(struct paired_tests *tests, bool margins, bool apart, int first, int end)
{
    const int cells = tests->layout->lines * tests->layout->coordinates,
              most = (end - first) * tests->tested;
    struct paired_test **of = ARENA_ARRAY(tests->arena, struct paired_test *, most);
    double *p = ARENA_ARRAY(tests->arena, double, most);
    int count = 0, compared = 0;
    for (int k = 0; k < tests->tested; k++) {
        const bool margin = tests->column[k].function == COLUMN_MARGIN;
        if (margin != margins || (!margin && tests->apart[k] != apart)) continue;
        for (int i = first; i < end; i++) of[count++] = &tests->test[k * cells + i];
    }
    for (int i = 0; i < count; i++) {
        compared += of[i]->compared;
        p[i] = of[i]->p;
    }
    if (tests->layout->test.holm) significance_holm(p, count);
    for (int i = 0; i < count; i++) of[i]->p = p[i];
    return compared;
}

void paired_tests_run(struct paired_tests *tests)
{
    const struct layout *layout = tests->layout;
    const int cells = layout->lines * layout->coordinates;
    for (int k = 0; k < tests->tested; k++) paired_tests_expect(tests, &tests->column[k]);
    for (int k = 0; k < tests->tested; k++)
        for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++)
            *paired_tests_at(tests, k, at) = layout_repeats(layout, at)
                                                 ? untested
                                                 : paired_tests_cell(tests, &tests->column[k], at);
    tests->comparisons = correct(tests, false, false, 0, cells);
    tests->comparisons_apart = correct(tests, false, true, 0, cells);
    for (int cell = 0; cell < cells; cell++) {
        const int margins = correct(tests, true, false, cell, cell + 1);
        if (margins > tests->margins) tests->margins = margins;
    }
}
