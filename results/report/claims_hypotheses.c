/* Finds the values of a claim about a row whose hypotheses come from a file. The file is scored and
 * tested as in the table, as one system without seeds. */
#include <string.h>

#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "results/store/status.h"
#include "results/table/sample_cache.h"
#include "results/table/paired_tests.h"

enum { SIDES = 2 };

static bool has_file(const struct grid_row *row)
{
    return tree_get(row->entry, "hyp");
}

bool claim_has_two(const struct claim *claim)
{
    const struct claim_contrast *only = claim->contrast;
    return !claim->form && !claim->alone && claim->contrasts == 1 && only->unit == COMPARED_ROWS &&
           only->rows[0] == 1 && only->rows[1] == 1;
}

bool claim_has_hypotheses(const struct grid *grid, const struct claim *claim)
{
    const struct claim_contrast *only = claim->contrast;
    return claim_has_two(claim) &&
           (has_file(&grid->row[*only->row[0]]) || has_file(&grid->row[*only->row[1]]));
}

/* Finds the cell of a row in the table, by line and coordinate. A row with a file has its first
 * cell with hypotheses. Returns false if the row has no line. */
static bool find_cell(const struct grid *grid, int row, struct layout_cell *cell)
{
    const struct layout *layout = grid->layout;
    const bool file = has_file(&grid->row[row]);
    for (*cell = (struct layout_cell){0}; layout_next(layout, cell); cell->coordinate++) {
        const struct layout_line *line = &layout->line[cell->line];
        if (file ? line->entry == grid->row[row].entry && line->hyp[cell->coordinate].path
                 : layout_row(layout, *cell) == row)
            return true;
    }
    return false;
}

/* Fills a side. Returns the reason why the side has no values; NULL if it has values. */
static const char *take_side(struct paired_tests *tests, const struct claim *claim, const int *row,
                             struct layout_cell cell, struct compared_side *side)
{
    struct sampler *sampler = tests->sampler;
    const struct column *column = &claim->column;
    if (!has_file(&sampler->grid->row[*row])) {
        const struct sample *sample = sample_cached(sampler, column, *row);
        *side = (struct compared_side){.rows = 1, .row = row};
        const char *why = sample->count ? NULL : sample_why(sampler, sample);
        return sample->count || why ? why : STATUS_NEW;
    }
    *side = paired_tests_side(tests, column, cell, sampler->arena);
    return side->seeds ? side->of[0]->problem : "a file of hypotheses has only BLEU, chrF and TER";
}

bool claim_hypotheses(struct sampler *sampler, const struct claim *claim,
                      struct claim_result *result, struct compared_side side[2])
{
    struct arena *arena = sampler->arena;
    struct paired_tests tests = paired_tests_open(sampler);
    struct layout_cell cell[SIDES];
    const char *problem = NULL;
    const int *const *row = claim->contrast->row;
    for (int i = 0; i < SIDES && !problem; i++)
        if (!find_cell(sampler->grid, *row[i], &cell[i])) problem = "it has no line in the table";
    for (int i = 0; i < SIDES && !problem; i++) /* take the file at the coordinate of the other
                                                   side */
        if (has_file(&sampler->grid->row[*row[i]]) && !has_file(&sampler->grid->row[*row[!i]]))
            cell[i].coordinate = cell[!i].coordinate;
    for (int i = 0; i < SIDES; i++) {
        const char *name = sampler->grid->row[*row[i]].name;
        const char *why = problem ? problem : take_side(&tests, claim, row[i], cell[i], &side[i]);
        if (why) claim_note(result, arena, "%s: %s", name, why);
        if (side[i].of)
            claim_add_stage(result, side[i].of[0]->name, side[i].of[0]->id, 1u << i, arena);
    }
    result->pairs = !result->note;
    if (result->note) result->verdict = CLAIM_NOT_RUN;
    return !result->note;
}
