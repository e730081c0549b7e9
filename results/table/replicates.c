/* Seeds are matched by their numbers, so that neither a run that is missing nor a device can pass
 * for a difference of the systems. */
#include "results/table/replicates.h"

#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/family.h"

void replicates_add(struct replicates *replicates, const struct observations *observations,
                    struct arena *arena)
{
    ARENA_MORE(arena, replicates->seed, replicates->count);
    replicates->seed[replicates->count++] = observations;
}

/* The items of all columns of a group; NULL: one has none. */
static const struct observations *seed_of_group(struct sampler *sampler,
                                                const struct column_group *group, int row, int seed)
{
    const struct observations **of =
        ARENA_ARRAY(sampler->arena, const struct observations *, group->count);
    for (int i = 0; i < group->count; i++)
        if (!(of[i] = replicates_seed(sampler, &group->member[i], row, seed))) return NULL;
    return observations_join(of, group->count);
}

const struct observations *replicates_seed(struct sampler *sampler, const struct column *column,
                                           int row, int seed)
{
    const struct summary_seed *from = &sampler->grid->row[row].seed[seed];
    const struct relation_stage *stage = sample_stages(sampler, row)[seed];
    if (column->margin) {
        const struct column own = column_own(column), of_control = column_control(column);
        const struct observations *one = replicates_seed(sampler, &own, row, seed),
                                  *control = replicates_seed(sampler, &of_control, row, seed);
        return one && control ? observations_less(one, control) : NULL;
    }
    if (column->group) return seed_of_group(sampler, column->group, row, seed);
    for (int i = 0; i < from->count; i++)
        if (sample_is_of(column, from, i) && sample_stage_done(&stage[i]))
            return column_observations(column)(sampler->store, column->kind, from->stage[i].id,
                                               column->value, column->of.class);
    return NULL;
}

const char *const replicates_numeric[] = {"device", "products", NULL};

/* A row, and which of its columns. */
struct row_column {
    const struct column *column;
    int row;
};

/* In which of the numerics two seeds of rows differ ("other device: ..."), or NULL. */
static const char *numerics_differ(struct sampler *sampler, struct row_column ours, int seed,
                                   struct row_column theirs, int other_seed)
{
    /* Of as many: the same of both, or those of a margin's control. */
    const struct column_group *group = ours.column->group, *of_theirs = theirs.column->group;
    for (int i = 0; group && i < group->count; i++) {
        const char *differ =
            numerics_differ(sampler, (struct row_column){&group->member[i], ours.row}, seed,
                            (struct row_column){&of_theirs->member[i], theirs.row}, other_seed);
        if (differ) return differ;
    }
    if (group) return NULL;
    const struct summary_seed *a = &sampler->grid->row[ours.row].seed[seed],
                              *b = &sampler->grid->row[theirs.row].seed[other_seed];
    const struct relation_stage *at = sample_stages(sampler, ours.row)[seed],
                                *bt = sample_stages(sampler, theirs.row)[other_seed];
    const bool *a_behind = sample_behind(sampler, ours.column, ours.row, seed),
               *b_behind = sample_behind(sampler, theirs.column, theirs.row, other_seed);
    const int a_count = sample_depends(ours.column, a), b_count = sample_depends(theirs.column, b);
    for (int i = 0; i < a_count; i++) {
        const struct offer *offer = offer_of(a->stage[i].kind);
        if (!offer || !offer->numeric || !a_behind[i]) continue;
        for (int k = 0; k < b_count; k++) {
            if (strcmp(offer->kind, b->stage[k].kind) || !b_behind[k]) continue;
            for (int n = 0; replicates_numeric[n]; n++) {
                const char *key = replicates_numeric[n];
                const char *one = relation_environment(sampler->relation, at[i].number, key),
                           *other = relation_environment(sampler->relation, bt[k].number, key);
                if (!one || !other || strcmp(one, other) == 0) continue;
                return arena_print(sampler->arena, "other %s: %s, not %s", key, one, other);
            }
        }
    }
    return NULL;
}

bool replicates_are_one(const struct replicates *replicates, int pairs)
{
    for (int i = pairs; i < replicates->count; i++)
        if (replicates->seed[i] != replicates->seed[i % pairs]) return false;
    return replicates->count > 0;
}

static void drop_copies(struct replicates *side)
{
    if (replicates_are_one(side, 1)) side->count = 1;
}

/* The seeds that both have, added to both. */
static const char *add_both(struct sampler *sampler, struct row_column a, struct row_column b,
                            struct replicates *ours, struct replicates *theirs)
{
    const struct summary_row *rows = sampler->grid->row;
    for (int i = 0; i < rows[a.row].count; i++) {
        const struct observations *one = replicates_seed(sampler, a.column, a.row, i);
        for (int k = 0; one && k < rows[b.row].count; k++) {
            if (rows[a.row].seed[i].seed != rows[b.row].seed[k].seed) continue;
            const struct observations *other = replicates_seed(sampler, b.column, b.row, k);
            if (!other) continue;
            const char *problem = numerics_differ(sampler, a, i, b, k);
            if (problem) return problem;
            replicates_add(ours, one, sampler->arena);
            replicates_add(theirs, other, sampler->arena);
        }
    }
    drop_copies(ours);
    drop_copies(theirs);
    return NULL;
}

const char *replicates_rows(struct sampler *sampler, const struct column *column, int row,
                            int other_row, struct replicates *ours, struct replicates *theirs)
{
    return add_both(sampler, (struct row_column){column, row},
                    (struct row_column){column, other_row}, ours, theirs);
}

const char *replicates_apart(struct sampler *sampler, const struct column *column,
                             const struct replicates_seeds of[2], struct replicates side[2])
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < of[k].count; i++) {
            const struct observations *one =
                replicates_seed(sampler, column, of[k].row, of[k].seed[i]);
            const char *problem =
                numerics_differ(sampler, (struct row_column){column, of[k].row}, of[k].seed[i],
                                (struct row_column){column, of[0].row}, of[0].seed[0]);
            if (problem) return problem;
            if (one) replicates_add(&side[k], one, sampler->arena);
        }
    return NULL;
}

const char *replicates_margin(struct sampler *sampler, const struct column *margin, int row,
                              struct replicates *ours, struct replicates *theirs)
{
    const struct column own = column_own(margin), control = column_control(margin);
    return add_both(sampler, (struct row_column){&own, row}, (struct row_column){&control, row},
                    ours, theirs);
}

/* The values of the seeds that both have. */
static const char *both_values(struct sampler *sampler, struct row_column a, struct row_column b,
                               struct replicates_values *values)
{
    const struct sample *one = family_sample(sampler, a.column, a.row),
                        *other = family_sample(sampler, b.column, b.row);
    double *ours = ARENA_ARRAY(sampler->arena, double, one->total),
           *theirs = ARENA_ARRAY(sampler->arena, double, one->total);
    *values = (struct replicates_values){0, ours, theirs};
    for (int i = 0; i < one->total; i++)
        for (int k = 0; k < other->total; k++) {
            if (one->seed[i].seed != other->seed[k].seed) continue;
            if (!isfinite(one->value[i] - other->value[k])) continue;
            const char *problem = numerics_differ(sampler, a, i, b, k);
            if (problem) return problem;
            ours[values->seeds] = one->value[i];
            theirs[values->seeds++] = other->value[k];
        }
    if (values->seeds && !sample_same_signature(one, other)) return "another signature";
    if (sample_is_one(one) || sample_is_one(other)) values->seeds = values->seeds > 0;
    return NULL;
}

const char *replicates_values(struct sampler *sampler, const struct column *column, int row,
                              int other_row, struct replicates_values *values)
{
    const struct column own = column_own(column), control = column_control(column);
    if (!column->margin || row != other_row)
        return both_values(sampler, (struct row_column){column, row},
                           (struct row_column){column, other_row}, values);
    return both_values(sampler, (struct row_column){&own, row},
                       (struct row_column){&control, other_row}, values);
}

bool replicates_are_paired(const struct summary_grid *grid, int row, int other_row)
{
    const struct summary_row *a = &grid->row[row], *b = &grid->row[other_row];
    bool some = false;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            const char *ours = sample_training(&a->seed[i]), *theirs = sample_training(&b->seed[k]);
            if (a->seed[i].seed != b->seed[k].seed) continue;
            if (!ours || !theirs || strcmp(ours, theirs) != 0) return false;
            some = true;
        }
    return some;
}

/* Why items are not those of `first`, or NULL. */
static const char *items_differ(const struct observations *one, const struct observations *first,
                                struct arena *arena)
{
    if (one->items != first->items)
        return arena_print(arena, "%d %s, not %d", one->items, one->statistic.items, first->items);
    for (int i = 0; one->label && first->label && i < one->items; i++) {
        if (one->line[i] != first->line[i]) return "other items";
        if (strcmp(one->label[i].stratum, first->label[i].stratum)) return "items of other strata";
    }
    return NULL;
}

const char *replicates_problems(const struct replicates *a, const struct replicates *b,
                                struct arena *arena)
{
    const char *list = NULL;
    for (int i = 0; i < a->count + b->count; i++) {
        const char *one = (i < a->count ? a->seed[i] : b->seed[i - a->count])->problem;
        if (one && !(list && strstr(list, one))) list = cell_append(list, "; ", one, arena);
    }
    return list;
}

const char *replicates_check(const struct replicates *replicates, const struct observations *first,
                             struct arena *arena)
{
    for (int i = 0; i < replicates->count; i++) {
        const struct observations *one = replicates->seed[i];
        const char *problem = one->label ? items_differ(one, first, arena) : NULL;
        if (problem) return problem;
        if (strcmp(one->signature, first->signature)) return "another signature";
        if (one->sets != replicates->seed[0]->sets)
            return arena_print(arena, "seeds with unequal sets of %s",
                               one->text ? "hypotheses" : "items");
    }
    return NULL;
}

struct significance_system replicates_system(const struct replicates *replicates,
                                             struct arena *arena)
{
    int sets = replicates->seed[0]->sets;
    const void **item = ARENA_ARRAY(arena, const void *, sets * replicates->count);
    for (int i = 0; i < replicates->count; i++)
        for (int k = 0; k < sets; k++) item[i * sets + k] = replicates->seed[i]->item[k];
    return (struct significance_system){replicates->count, sets, item, NULL};
}
