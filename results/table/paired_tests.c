/* A cell and its baseline are two sets of replicates, of a row's seeds or of a file of hypotheses.
 * Holm's family is all comparisons of the table, since each of their marks would be reported; its
 * margins of a row, which answer another question, are one of their own. */
#include "results/table/paired_tests.h"

#include <math.h>

#include "results/table/family.h"

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
        .resamples = {.arena = sampler->arena, .options = layout->test.options},
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

/* What a side of a cell has: its row's seeds, or its file of hypotheses. */
static struct replicates side_of(struct paired_tests *tests, const struct column *column, int line,
                                 int factor)
{
    const int row = tests->layout->line[line].row[factor];
    const int seeds = row < 0 ? 0 : tests->sampler->grid->row[row].count;
    struct replicates side = {0};
    const struct observations *one = NULL;
    for (int i = 0; i < seeds; i++)
        if ((one = replicates_seed(tests->sampler, column, row, i)))
            replicates_add(&side, one, tests->arena);
    if (row < 0) one = paired_tests_hypotheses(tests, column, line, factor);
    if (row < 0 && one) replicates_add(&side, one, tests->arena);
    return side;
}

/* Both sides, of two rows the seeds that both have; returns why they cannot be compared, or
 * NULL. */
static const char *find_sides(struct paired_tests *tests, const struct column *column,
                              struct layout_cell a, struct layout_cell b, struct replicates *ours,
                              struct replicates *theirs)
{
    const struct layout_line *line = tests->layout->line;
    const int row = line[b.line].row[b.factor], base_row = line[a.line].row[a.factor];
    if (row >= 0 && base_row >= 0)
        return replicates_rows(tests->sampler, column, row, base_row, ours, theirs);
    *ours = side_of(tests, column, b.line, b.factor);
    *theirs = side_of(tests, column, a.line, a.factor);
    return NULL;
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

/* The two rows of a comparison, of a margin twice the same; -1: a file of hypotheses. */
struct pair_rows {
    int ours, theirs;
    bool paired; /* both are the same trainings */
};

static struct pair_rows pair_of(const struct paired_tests *tests, int ours, int theirs)
{
    const bool rows = ours >= 0 && theirs >= 0;
    return (struct pair_rows){
        ours, theirs,
        rows && (ours == theirs || replicates_are_paired(tests->sampler->grid, ours, theirs))};
}

/* The options of one comparison: which rows its variance between seeds is pooled with. Those of the
 * same trainings are paired and so have their own; margins, which are paired too, are a family. */
static struct significance_options options_of(const struct paired_tests *tests,
                                              const struct column *column, struct pair_rows pair)
{
    struct significance_options options = tests->layout->test.options;
    options.paired = pair.paired;
    if (pair.ours < 0 || pair.theirs < 0 || (pair.paired && pair.ours != pair.theirs))
        return options;
    options.other = family_others(tests->sampler, column, pair.ours, pair.theirs, &options.others);
    return options;
}

static int pooled_rows(const struct significance_options *options)
{
    return options->others ? options->others + (options->paired ? 1 : 2) : 0;
}

static struct paired_test compare(struct paired_tests *tests, const struct column *column,
                                  const struct replicates *ours, const struct replicates *theirs,
                                  struct pair_rows rows, bool randomize)
{
    const struct layout_test *test = &tests->layout->test;
    struct significance_options options = options_of(tests, column, rows);
    struct paired_test pair = {.p = (double)NAN};
    if (!ours->count || !theirs->count) return pair;
    const struct observations *first = theirs->seed[0];
    pair.problem = replicates_problems(ours, theirs, tests->arena);
    if (!pair.problem) pair.problem = replicates_check(theirs, first, tests->arena);
    if (!pair.problem) pair.problem = replicates_check(ours, first, tests->arena);
    if (pair.problem) return pair;
    if (!randomize) options.trials = 0;
    struct significance_system base = replicates_system(theirs, tests->arena),
                               other = replicates_system(ours, tests->arena);
    base.sample = resamples_mean(&tests->resamples, theirs);
    other.sample = resamples_mean(&tests->resamples, ours);
    pair.result = significance_compare(&first->statistic, first->strata, &options, &base, &other);
    pair.items = first->statistic.items;
    pair.seeds = ours->count < theirs->count ? ours->count : theirs->count;
    pair.pooled = pair.result.decides ? pooled_rows(&options) : 0;
    pair.compared = true;
    pair.paired = rows.paired;
    const struct measure *measure = column->measure;
    pair.exact = measure && measure->right_or_wrong && !isnan(pair.result.mcnemar);
    pair.p = p_of_marks(&pair, test->p);
    return pair;
}

/* Over seeds alone: there are no items. */
static struct paired_test compare_values(struct paired_tests *tests, const struct column *column,
                                         struct pair_rows rows)
{
    struct paired_test pair = {.p = (double)NAN};
    struct replicates_values values;
    if (rows.ours < 0 || rows.theirs < 0) return pair;
    pair.problem = replicates_values(tests->sampler, column, rows.ours, rows.theirs, &values);
    if (pair.problem || !values.seeds) return pair;
    const struct significance_options options = options_of(tests, column, rows);
    pair.result =
        significance_values(&options, values.theirs, values.seeds, values.ours, values.seeds);
    pair.compared = pair.result.decides;
    if (!pair.compared) pair.problem = values.seeds < 2 ? "one seed" : "no seed varies";
    pair.seeds = values.seeds;
    pair.pooled = pooled_rows(&options);
    pair.paired = rows.paired;
    pair.p = pair.result.p;
    return pair;
}

/* A cell of a margin, whose sides are the value and its control. */
static struct paired_test margin_test(struct paired_tests *tests, const struct column *column,
                                      int line, int factor, bool randomize)
{
    const int row = tests->layout->line[line].row[factor];
    struct replicates ours = {0}, theirs = {0};
    if (row < 0) return (struct paired_test){.p = (double)NAN};
    const struct pair_rows rows = pair_of(tests, row, row);
    if (!column_observations(column)) return compare_values(tests, column, rows);
    const char *problem = replicates_margin(tests->sampler, column, row, &ours, &theirs);
    if (problem) return (struct paired_test){.p = (double)NAN, .problem = problem};
    return compare(tests, column, &ours, &theirs, rows, randomize);
}

struct paired_test paired_tests_two(struct paired_tests *tests, const struct column *column,
                                    struct layout_cell a, struct layout_cell b, bool randomize)
{
    struct replicates ours = {0}, theirs = {0};
    const struct layout_line *line = tests->layout->line;
    const struct pair_rows rows =
        pair_of(tests, line[b.line].row[b.factor], line[a.line].row[a.factor]);
    if (!column_observations(column)) return compare_values(tests, column, rows);
    const char *problem = find_sides(tests, column, a, b, &ours, &theirs);
    if (problem) return (struct paired_test){.p = (double)NAN, .problem = problem};
    return compare(tests, column, &ours, &theirs, rows, randomize);
}

struct paired_test paired_tests_cell(struct paired_tests *tests, const struct column *column,
                                     int line, int factor, bool randomize)
{
    const struct layout_cell base = paired_tests_baseline(tests->layout, line, factor),
                             cell = {line, factor};
    if (column->margin) return margin_test(tests, column, line, factor, randomize);
    if (layout_same_cell(tests->layout, base, cell)) return (struct paired_test){.p = (double)NAN};
    return paired_tests_two(tests, column, base, cell, randomize);
}

void paired_tests_expect(struct paired_tests *tests, const struct column *column)
{
    const struct layout *layout = tests->layout;
    if (!column_observations(column)) return;
    for (int i = 0; i < layout->lines * layout->factors; i++) {
        const struct column own = column_own(column), control = column_control(column);
        for (int part = 0; part <= column->margin; part++) {
            const struct replicates side =
                side_of(tests, part ? &control : &own, i / layout->factors, i % layout->factors);
            for (int k = 0; k < side.count; k++) resamples_expect(&tests->resamples, side.seed[k]);
        }
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
