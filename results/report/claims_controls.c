/* Compares the rows of a claim with their best controls (controls.h). A difference between two rows
 * means little if neither is above its controls. */
#include "results/report/claims.h"

#include <math.h>

#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/table/controls.h"

static const char *text_of_row(struct comparing *comparing, const struct claim *claim, int row)
{
    struct sampler *sampler = comparing->sampler;
    struct arena *arena = sampler->arena;
    const struct column *column = &claim->column;
    const struct best_control best = controls_best(sampler, column, row);
    if (!best.name) return NULL;
    const struct claim against = {
        .contrasts = 1,
        .contrast = &(struct claim_contrast){.rows = {1, 1}, .row = {(int[]){row}, (int[]){row}}},
        .expect = CLAIM_GREATER,
        .alpha = claim->alpha,
        .alone = best.view,
        .form = best.view ? CLAIM_ROWS : CLAIM_LEVEL,
        .level = best.mean,
        .column = best.view ? best.margin : *column};
    const struct claim_result above = claim_judge_contrast(comparing, &against, 0);
    if (!isfinite(above.difference)) return NULL;
    const char *number = sample_number(column->measure, above.difference, true, arena);
    if (isfinite(above.low))
        number = arena_print(arena, "%s (%s to %s)", number,
                             sample_number(column->measure, above.low, true, arena),
                             sample_number(column->measure, above.high, true, arena));
    return arena_print(arena, "%s %s over %s", sampler->grid->row[row].name, number, best.name);
}

const char *claim_above_controls(struct comparing *comparing, const struct claim *claim)
{
    const struct column *column = &claim->column;
    const struct column *member = column->function == COLUMN_GROUP ? column->argument : column;
    const struct offer *offer = member && member->kind ? offer_of(member->kind) : NULL;
    if (claim->form || claim->alone || !offer || !offer->views || !member->part ||
        member->function != COLUMN_VALUE || !column->measure || dimensions_some(&member->of))
        return NULL;
    struct arena *arena = comparing->sampler->arena;
    const char *list = NULL;
    int count;
    const int *row = claim_rows(claim, &count, arena);
    for (int i = 0; i < count; i++) {
        const char *one = text_of_row(comparing, claim, row[i]);
        if (one) list = arena_append(arena, list, ", ", one);
    }
    return list;
}
