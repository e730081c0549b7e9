/* A claim about a row whose hypotheses come from a file: they are scored and tested as in the
 * table, where the file is one system and has no seeds. */
#include <string.h>

#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "results/store/status.h"
#include "results/table/paired_tests.h"

enum { SIDES = 2 };

static bool has_file(const struct summary_row *row)
{
    return row->entry && tree_get(row->entry, "hyp");
}

bool claim_has_hypotheses(const struct summary_grid *grid, const struct claim *claim)
{
    return !claim->form && !claim->alone && !claim->effect[0] && claim->pairs == 1 &&
           (has_file(&grid->row[claim->pair[0][0]]) || has_file(&grid->row[claim->pair[0][1]]));
}

/* The line of a row, and the factor at which a row that runs stands; false: it has no line. */
static bool find_cell(const struct summary_grid *grid, int row, struct layout_cell *cell)
{
    const struct layout *layout = grid->layout;
    const bool file = has_file(&grid->row[row]);
    for (cell->line = 0; cell->line < layout->lines; cell->line++)
        for (cell->factor = 0; cell->factor < layout->factors; cell->factor++) {
            const struct layout_line *line = &layout->line[cell->line];
            if (file ? line->entry == grid->row[row].entry && line->hyp[cell->factor].path
                     : line->row[cell->factor] == row)
                return true;
        }
    return false;
}

/* Why a side has no observations of the column; NULL: it has. */
static const char *take_side(struct paired_tests *tests, const struct column *column, int row,
                             struct layout_cell cell, struct replicates *side)
{
    struct sampler *sampler = tests->sampler;
    const struct summary_row *from = &sampler->grid->row[row];
    if (has_file(from)) {
        const struct observations *hyp =
            paired_tests_hypotheses(tests, column, cell.line, cell.factor);
        if (!hyp) return "a file of hypotheses has BLEU, chrF and TER";
        if (!hyp->problem) replicates_add(side, hyp, tests->arena);
        return hyp->problem;
    }
    for (int i = 0; i < from->count; i++) {
        const struct observations *one = replicates_seed(sampler, column, row, i);
        if (one) replicates_add(side, one, tests->arena);
    }
    const struct sample sample = sample_row(sampler, column, row);
    const char *why = side->count ? NULL : sample_why(sampler, &sample);
    return side->count ? replicates_problems(side, &(struct replicates){0}, tests->arena)
           : why       ? why
                       : STATUS_NEW;
}

/* The values of a side, and their resamples. */
static struct difference_side known_side(struct resamples *resamples, const struct replicates *side)
{
    double *value = ARENA_ARRAY(resamples->arena, double, side->count);
    for (int i = 0; i < side->count; i++) value[i] = side->seed[i]->score;
    return (struct difference_side){side->count, value, resamples_mean(resamples, side)};
}

bool claim_hypotheses(struct sampler *sampler, struct resamples *resamples,
                      const struct claim *claim, struct claim_result *result,
                      struct difference_known *known)
{
    struct arena *arena = sampler->arena;
    struct paired_tests tests = paired_tests_open(sampler);
    struct layout_cell cell[SIDES];
    struct replicates side[SIDES] = {{0}};
    const char *problem = NULL;
    const int *row = claim->pair[0];
    for (int i = 0; i < SIDES && !problem; i++)
        if (!find_cell(sampler->grid, row[i], &cell[i])) problem = "it has no line in the table";
    for (int i = 0; i < SIDES && !problem; i++) /* take the file at the other side's heading */
        if (has_file(&sampler->grid->row[row[i]]) && !has_file(&sampler->grid->row[row[!i]]))
            cell[i].factor = cell[!i].factor;
    for (int i = 0; i < SIDES; i++) {
        const char *name = sampler->grid->row[row[i]].name;
        const char *why =
            problem ? problem : take_side(&tests, &claim->column, row[i], cell[i], &side[i]);
        if (why)
            result->note =
                cell_append(result->note, "; ", arena_print(arena, "%s: %s", name, why), arena);
        result->pairs = !result->note;
        for (int k = 0; k < side[i].count; k++) {
            ARENA_MORE(arena, result->stage, result->stages);
            result->stage[result->stages++] = side[i].seed[k]->name;
        }
    }
    result->verdict = result->note ? CLAIM_NOT_RUN : CLAIM_UNTESTED;
    if (result->note) return false;
    const struct observations *first = side[1].seed[0];
    for (int i = 0; i < SIDES && !problem; i++) problem = replicates_check(&side[i], first, arena);
    result->note = problem;
    if (problem) return false;
    for (int i = 0; i < SIDES; i++)
        for (int k = 0; k < side[i].count; k++) resamples_expect(resamples, side[i].seed[k]);
    const struct difference_design design = {.single = first->statistic.single,
                                             .items = first->items,
                                             .strata = first->strata.count,
                                             .samples = resamples->options.samples};
    const struct difference_side a = known_side(resamples, &side[0]),
                                 b = known_side(resamples, &side[1]);
    result->signature = first->signature;
    result->items = first->statistic.items;
    *known = difference_of(&a, &b, &design, arena);
    result->seeds = known->seeds;
    return true;
}
