/* Claims about tuned rows. All rows must have the same number of trials. No chosen option may be at
 * the edge of its space, because a better value may be outside. */
#include <string.h>

#include "experiments/grid/tune.h"
#include "results/report/claims.h"
#include "results/table/expected.h"
#include "results/table/tuned.h"

enum { SIDES = 2 };

/* True if some rows of a claim are tuned and others are not, or if their numbers of trials differ;
 * row: the first of either. */
static bool is_mixed(const struct grid *grid, const struct claim *claim,
                     const struct grid_row *row[SIDES], struct arena *arena)
{
    int count;
    const int *rows = claim_rows(claim, &count, arena);
    row[0] = row[1] = NULL;
    for (int i = count - 1; i >= 0; i--) row[!grid->row[rows[i]].tuned] = &grid->row[rows[i]];
    if (row[0] && row[1]) return true;
    for (int i = 0; i < count && row[0]; i++) {
        row[1] = &grid->row[rows[i]];
        if (row[1]->tuned->trials != row[0]->tuned->trials) return true;
    }
    return false;
}

/* Returns "is tuned", "is not" or "has 4 trials", about row `side` of is_mixed. */
static const char *side_text(const struct grid_row *const row[SIDES], int side, struct arena *arena)
{
    if (!row[1]->tuned) return side ? "is not" : "is tuned";
    return arena_print(arena, "has %d trials", row[side]->tuned->trials);
}

void claim_check_tuned(const struct grid *grid, const struct claim *claim, struct arena *arena)
{
    const struct grid_row *row[SIDES];
    if (is_mixed(grid, claim, row, arena) && !claim->untuned)
        die_at(claim->map->location,
               "claims: row \"%s\" %s, but row \"%s\" %s; expected rows with the same number of "
               "trials, or untuned: allow",
               row[0]->name, side_text(row, 0, arena), row[1]->name, side_text(row, 1, arena));
    if (row[1] && !row[1]->tuned && column_has(&claim->column, COLUMN_EXPECTED))
        die_at(claim->column.location.file ? claim->column.location : claim->map->location,
               "claims: row \"%s\" is not tuned, so it has no expected best trial", row[1]->name);
}

/* Notes that a row waits, unless the note says so already. */
static void note_waits(struct sampler *sampler, int row, struct claim_result *result)
{
    const char *text = arena_print(sampler->arena, "%s: %s", sampler->grid->row[row].name,
                                   sample_waits(sampler, row, 0));
    if (!result->note || !strstr(result->note, text))
        claim_note(result, sampler->arena, "%s", text);
}

void claim_tuned(struct sampler *sampler, const struct claim *claim, struct claim_result *result)
{
    const struct grid *grid = sampler->grid;
    const struct grid_row *row[SIDES];
    struct arena *arena = sampler->arena;
    int count;
    const int *rows = claim_rows(claim, &count, arena);
    if (is_mixed(grid, claim, row, arena))
        claim_note(result, arena, "untuned, allowed: %s %s, %s %s", row[0]->name,
                   side_text(row, 0, arena), row[1]->name, side_text(row, 1, arena));
    if (result->tested && count && tuned_searches(&grid->row[*rows]) > 1)
        claim_note(result, arena, "each seed has its own search");
    for (int i = 0; i < count; i++) {
        const struct grid_row *one = &grid->row[rows[i]];
        result->one_search |=
            result->tested && result->test != CLAIM_EXACT && tuned_searches(one) == 1;
        if (one->waits) note_waits(sampler, rows[i], result);
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

const struct tree *claim_budget_column(const struct tree *budget, const struct tree *metric,
                                       const struct grid *grid, struct arena *arena)
{
    const char *word = metric ? metric->text : NULL;
    struct expected_budget found;
    for (int r = 0; r < grid->rows && !word; r++)
        if (grid->row[r].tuned) word = grid->row[r].tuned->metric->name;
    if (!word) die_at(budget->location, "budget: no row is tuned; expected the key tune");
    const char *text = arena_print(arena, "%s, %s", word, scalar_text(budget, "budget"));
    if (tune_metric(word, true) && !expected_budget(text, &found, arena))
        die_at(budget->location,
               "budget: expected trials or hours, as in 4 trials or 2 hours, got "
               "\"%s\"",
               budget->text);
    return tree_new_text(arena, metric ? metric->location : budget->location,
                         arena_print(arena, "expected(%s)", text));
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
        *of = expected_observations(sampler, &claim->column, row);
        if (!*of) {
            complete = false;
            if (sampler->grid->row[row].waits)
                result->verdict = CLAIM_NOT_RUN;
            else
                claim_note(result, arena, "%s: no value at this budget",
                           sampler->grid->row[row].name);
            continue;
        }
        *value = (*of)->score;
        side[k] = (struct compared_side){.seeds = 1, .value = value, .of = of};
        claim_add_stage(result, (*of)->name, (*of)->id, 1u << k, arena);
    }
    result->pairs = complete;
    return complete;
}
