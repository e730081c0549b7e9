/* Compares the rows of a claim with their controls. Controls are views, such as the encoder before
 * training, and values that need no encoder (BASELINE). A difference between two rows means little
 * if neither is above its controls. */
#include "results/report/claims.h"

#include <math.h>

#include "results/sheet/number_format.h"
#include "results/store/offer.h"

/* The best control of a row so far. */
struct best_control {
    const char *name; /* NULL: none */
    double mean;
    struct claim against; /* compares the row with the control */
};

/* Returns a claim that a row is above its control. */
static struct claim above_of(const struct claim *claim, const struct column *column)
{
    return (struct claim){
        .contrasts = 1, .expect = CLAIM_GREATER, .alpha = claim->alpha, .column = *column};
}

/* Looks at a control of the column that is a view, such as start and bag. */
static void look_at_view(struct best_control *best, struct sampler *sampler,
                         const struct claim *claim, int row, const char *view)
{
    struct arena *arena = sampler->arena;
    struct column margin;
    const char *text = arena_print(arena, "margin(%s, %s)", claim->column.name, view);
    if (!column_find(text, &margin, NULL, arena)) return;
    margin.name = text;
    layout_find_group(&margin, sampler->grid->layout, &sampler->grid->words, arena);
    const struct column control = column_argument(&margin, 1);
    const struct sample sample = sample_row(sampler, &control, row);
    if (!sample.count || (best->name && sample.mean <= best->mean)) return;
    *best = (struct best_control){view, sample.mean, above_of(claim, &margin)};
    best->against.alone = true;
}

/* Looks at a value that needs no encoder, such as the accuracy of the most frequent label. */
static void look_at_value(struct best_control *best, struct sampler *sampler,
                          const struct claim *claim, int row, const struct measure *measure)
{
    struct column column = claim->column;
    column.value = measure->name;
    column.measure = measure;
    const struct sample sample = sample_row(sampler, &column, row);
    if (!sample.count || (best->name && sample.mean <= best->mean)) return;
    *best = (struct best_control){measure->name, sample.mean, above_of(claim, &claim->column)};
    best->against.form = CLAIM_LEVEL;
    best->against.level = sample.mean;
}

static const char *text_of_row(struct comparing *comparing, const struct claim *claim, int row,
                               const struct offer *offer)
{
    struct sampler *sampler = comparing->sampler;
    struct arena *arena = sampler->arena;
    struct best_control best = {.name = NULL};
    const struct column *column = &claim->column;
    for (const char *const *view = offer->views + 1; *view; view++)
        look_at_view(&best, sampler, claim, row, *view);
    for (const struct measure *one = offer_measures(offer);
         one->name && column->function == COLUMN_VALUE; one++)
        if (one->traits & BASELINE) look_at_value(&best, sampler, claim, row, one);
    if (!best.name) return NULL;
    best.against.contrast =
        &(struct claim_contrast){.rows = {1, 1}, .row = {(int[]){row}, (int[]){row}}};
    const struct claim_result above = claim_judge_contrast(comparing, &best.against, 0);
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
    const struct grid *grid = comparing->sampler->grid;
    struct arena *arena = comparing->sampler->arena;
    bool *said = ARENA_ARRAY(arena, bool, grid->rows);
    const char *list = NULL;
    for (int i = 0; i < 2 * claim->contrasts; i++) {
        const struct claim_contrast *contrast = &claim->contrast[i / 2];
        for (int r = 0; r < contrast->rows[i % 2]; r++) {
            const int row = contrast->row[i % 2][r];
            const char *one =
                row < 0 || said[row] ? NULL : text_of_row(comparing, claim, row, offer);
            if (one) list = arena_append(arena, list, ", ", one);
            if (row >= 0) said[row] = true;
        }
    }
    return list;
}
