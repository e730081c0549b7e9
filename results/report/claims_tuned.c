/* Claims about tuned rows. Both sides must be tuned. No chosen option may be at the edge of its
 * space, because a better value may be outside. */
#include "experiments/grid/tune.h"
#include "results/report/claims.h"
#include "results/table/tuned.h"

enum { SIDES = 2 };

/* Returns the first row of a claim whose rows are tuned (or not tuned); -1: none. */
static int find_row(const struct grid *grid, const struct claim *claim, bool tuned)
{
    for (int i = 0; i < claim->contrasts; i++)
        for (int k = 0; k < SIDES; k++)
            for (int r = 0; r < claim->contrast[i].rows[k]; r++) {
                const int row = claim->contrast[i].row[k][r];
                if ((grid->row[row].tuned != NULL) == tuned) return row;
            }
    return -1;
}

void claim_check_tuned(const struct grid *grid, const struct claim *claim)
{
    const int tuned = find_row(grid, claim, true), other = find_row(grid, claim, false);
    if (tuned >= 0 && other >= 0 && !claim->untuned)
        die_at(claim->map->location,
               "claims: row \"%s\" is tuned, but row \"%s\" is not; expected rows that are both "
               "tuned, or untuned: allow",
               grid->row[tuned].name, grid->row[other].name);
}

/* Returns the first chosen option of a row at the edge of its space; NULL: none. */
static const char *edge_of(const struct grid_row *row)
{
    for (int k = 0; row->tuned && k < row->tuned->keys; k++)
        if (tuned_is_edge(row, row->tuned->key[k].path)) return row->tuned->key[k].path;
    return NULL;
}

void claim_tuned(struct sampler *sampler, const struct claim *claim, struct claim_result *result)
{
    const struct grid *grid = sampler->grid;
    const bool judged = result->verdict == CLAIM_SUPPORTED ||
                        result->verdict == CLAIM_CONTRADICTED ||
                        result->verdict == CLAIM_INCONCLUSIVE;
    const int tuned = find_row(grid, claim, true), other = find_row(grid, claim, false);
    if (tuned >= 0 && other >= 0)
        claim_note(result, sampler->arena, "untuned, allowed: %s is tuned, %s is not",
                   grid->row[tuned].name, grid->row[other].name);
    for (int i = 0; i < claim->contrasts; i++)
        for (int k = 0; k < SIDES; k++)
            for (int r = 0; r < claim->contrast[i].rows[k]; r++) {
                const struct grid_row *row = &grid->row[claim->contrast[i].row[k][r]];
                const char *key = edge_of(row);
                if (!key) continue;
                claim_note(result, sampler->arena, "%s of %s is at the edge of its space: %s", key,
                           row->name, tuned_option(grid, row, key, sampler->arena));
                if (judged) result->verdict = CLAIM_EDGE;
                return;
            }
}
