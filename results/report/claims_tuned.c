/* Claims about tuned rows. All rows must have the same number of trials. No chosen option may be at
 * the edge of its space, because a better value may be outside. */
#include <string.h>

#include "experiments/grid/tune.h"
#include "results/report/claims.h"
#include "results/table/expected.h"
#include "results/table/tuned.h"

enum { SIDES = 2 };

/* Returns "row "A" has 4 trials, but row "B" has 0" if the rows of a claim have different numbers
 * of trials; else NULL. The first row is tuned. */
static const char *mixed_text(const struct grid *grid, const struct claim *claim,
                              struct arena *arena)
{
    int count, trials = 0, first = -1;
    const int *rows = claim_rows(claim, &count, arena);
    for (int i = 0; i < count && first < 0; i++)
        if (grid->row[rows[i]].tuned) first = rows[i];
    if (first >= 0) trials = grid->row[first].tuned->trials;
    for (int i = 0; i < count; i++) {
        const struct grid_row *other = &grid->row[rows[i]];
        const int its = other->tuned ? other->tuned->trials : 0;
        if (its != trials)
            return arena_print(arena, "row \"%s\" has %d trials, but row \"%s\" has %d",
                               grid->row[first].name, trials, other->name, its);
    }
    return NULL;
}

void claim_check_tuned(const struct grid *grid, const struct claim *claim, struct arena *arena)
{
    int count;
    const int *rows = claim_rows(claim, &count, arena);
    const char *mixed = mixed_text(grid, claim, arena);
    if (mixed && !claim->untuned)
        die_at(claim->map->location,
               "claims: %s; expected rows with the same number of trials, or untuned: allow",
               mixed);
    for (int i = 0; i < count && column_has(&claim->column, COLUMN_EXPECTED); i++)
        if (!grid->row[rows[i]].tuned)
            die_at(claim->column.item ? column_location(&claim->column) : claim->map->location,
                   "claims: row \"%s\" is not tuned, so it has no expected best trial",
                   grid->row[rows[i]].name);
}

void claim_tuned(struct sampler *sampler, const struct claim *claim, struct claim_result *result)
{
    const struct grid *grid = sampler->grid;
    struct arena *arena = sampler->arena;
    int count;
    const int *rows = claim_rows(claim, &count, arena);
    const char *mixed = mixed_text(grid, claim, arena);
    if (mixed) claim_note(result, arena, "untuned, allowed: %s", mixed);
    if (result->tested && count && tuned_searches(&grid->row[*rows]) > 1)
        claim_note(result, arena, "each seed has its own search");
    for (int i = 0; i < count; i++) {
        const struct grid_row *one = &grid->row[rows[i]];
        result->one_search |=
            result->tested && result->test != CLAIM_EXACT && tuned_searches(one) == 1;
        for (int k = 0; one->tuned && k < one->tuned->keys; k++) {
            const char *key = one->tuned->key[k].path;
            bool edge = false;
            for (int s = 0; s < one->tuned->searches && !one->waits; s++)
                edge |= draw_is_edge(&one->tuned->key[k], tuned_value(one->tuned, s, k));
            if (!edge) continue;
            claim_note(result, arena, "%s of %s is at the edge of its space: %s", key, one->name,
                       tuned_option(sampler, rows[i], key));
            if (result->verdict <= CLAIM_INCONCLUSIVE) result->verdict = CLAIM_EDGE;
        }
    }
}

/* ---- budgets ---- */

const struct tree *claim_budget_column(const struct tree *budget, const struct tree *metric,
                                       const struct grid *grid, struct arena *arena)
{
    const char *word = metric ? metric->text : NULL;
    for (int r = 0; r < grid->rows && !word; r++)
        if (grid->row[r].tuned) word = grid->row[r].tuned->metric->name;
    if (!word) die_at(budget->location, "budget: no row is tuned; expected the key tune");
    return tree_new_text(
        arena, metric ? metric->location : budget->location,
        arena_print(arena, "expected(%s, %s)", word, scalar_text(budget, "budget")));
}

bool claim_has_budget(const struct grid *grid, const struct claim *claim)
{
    const struct claim_contrast *only = claim->contrast;
    return claim->column.function == COLUMN_EXPECTED && claim_has_two(claim) &&
           tuned_searches(&grid->row[*only->row[0]]) == 1 &&
           tuned_searches(&grid->row[*only->row[1]]) == 1;
}

bool claim_budget(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct compared_side side[2])
{
    struct arena *arena = sampler->arena;
    bool complete = true;
    for (int k = 0; k < SIDES; k++) {
        const int row = *claim->contrast->row[k];
        const struct observations **of = ARENA_ARRAY(arena, const struct observations *, 1);
        double *value = ARENA_ARRAY(arena, double, 1);
        complete &= (*of = expected_observations(sampler, &claim->column, row)) != NULL;
        if (*of) {
            *value = (*of)->score;
            side[k] = (struct compared_side){.seeds = 1, .value = value, .of = of};
            claim_add_stage(result, k, (*of)->id, arena);
        } else {
            const struct grid_row *its = &sampler->grid->row[row];
            if (its->waits) result->verdict = CLAIM_NOT_RUN;
            claim_note(result, arena, "%s: %s", its->name,
                       its->waits ? sample_waits(sampler, row, 0) : "no value at this budget");
        }
    }
    return complete;
}
