/* Makes a table in four steps: samples, comparisons, cells, notes. Notes are last, because they
 * depend on the cells. */
#include "results/table/summary.h"

#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "results/store/offer.h"
#include "results/store/status.h"
#include "results/table/table_maker.h"

/* Returns the sample of a file of hypotheses: its score by the metric of a column. */
static struct sample sample_hypotheses(struct table_maker *maker, const struct column *column,
                                       struct layout_cell cell)
{
    struct sample sample = {0};
    const struct observations *hyp = paired_tests_hypotheses(&maker->tests, column, cell);
    if (!hyp) return sample;
    sample = (struct sample){.total = 1,
                             .value = ARENA_NEW(maker->arena, double),
                             .why = ARENA_ARRAY(maker->arena, const char *, 1),
                             .signature = hyp->problem ? NULL : hyp->signature};
    sample.value[0] = hyp->problem ? (double)NAN : hyp->score;
    sample_settle(&maker->sampler, &sample);
    const char *path = maker->layout->line[cell.line].hyp[cell.coordinate].path;
    if (hyp->problem)
        sample.why[0] = !strcmp(hyp->problem, HYPOTHESES_NOT_YET) ? STATUS_NEW
                        : file_exists(path)                       ? STATUS_FAILED
                                                                  : STATUS_MISSING;
    return sample;
}

static void take_samples(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    maker->sample = ARENA_ARRAY(maker->arena, struct sample,
                                layout->lines * layout->coordinates * layout->columns);
    for (int c = 0; c < layout->columns; c++) {
        const struct column *column = &layout->column[c];
        int found = 0;
        if (!column_is_measured(column)) continue;
        for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
            struct sample *sample = table_maker_sample(maker, at, c);
            const int row = layout_row(layout, at);
            *sample = row < 0 ? sample_hypotheses(maker, column, at)
                              : sample_row(&maker->sampler, column, row);
            found += sample->count;
        }
        if (!found) sample_check_names(&maker->sampler, column);
    }
    for (int p = 0; p < layout->paper.columns; p++)
        sample_check_names(&maker->sampler, &layout->paper.column[p]);
    for (int i = 0; i < layout->test.families; i++) /* the table may print p without its values */
        if (layout->test.family[i].of.class && *layout->test.family[i].of.class)
            sample_check_names(&maker->sampler, &layout->test.family[i]);
}

/* Removes the lines without a row that the command line selects (grid->only). */
static void keep_only(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct sheet *sheet = maker->sheet;
    const int rows = sheet->rows;
    bool *keep = ARENA_ARRAY(maker->arena, bool, rows);
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++)
        keep[at.line] |= layout_row(layout, at) >= 0 && maker->grid->only[layout_row(layout, at)];
    sheet_keep(sheet, keep);
    sheet_caption(maker->arena, sheet, "%d of %d lines are shown; tests cover all.", sheet->rows,
                  rows);
}

void table_maker_open(struct table_maker *maker, struct store *store, const struct grid *grid,
                      struct arena *arena)
{
    grid = sample_expand(store, grid, arena);
    *maker = (struct table_maker){.grid = grid,
                                  .layout = grid->layout,
                                  .arena = arena,
                                  .sampler = sampler_open(store, grid, arena)};
    maker->tests = paired_tests_open(&maker->sampler);
}

struct sheet *summary_table(struct store *store, const struct grid *grid, struct arena *arena)
{
    struct table_maker maker;
    table_maker_open(&maker, store, grid, arena);
    const struct layout *layout = maker.layout;
    take_samples(&maker);
    maker.bold = ARENA_ARRAY(arena, bool, layout->columns);
    if (layout->test.wanted) paired_tests_run(&maker.tests);
    summary_fill(&maker);
    summary_notes(&maker);
    if (maker.grid->only) keep_only(&maker);
    return layout->transpose ? sheet_turn(arena, maker.sheet, layout->names) : maker.sheet;
}
