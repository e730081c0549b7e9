/* Compares two sides. Seeds are matched by their numbers, so that a missing run does not look like
 * a difference of the systems. Values from different devices are not compared. */
#include "results/table/comparison.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/controls.h"
#include "results/table/sample_cache.h"

enum { SIDES = 2 };

/* State of a comparison of two sides. */
struct matching {
    struct comparing *comparing;
    struct sampler *sampler;
    struct arena *arena;
    struct column column[SIDES];
    struct compared_side *side;      /* [SIDES] */
    const struct sample **of[SIDES]; /* [rows] */
};

/* ---- observations ---- */

/* Returns the observations of the first stage of a seed, or of a side, that has the value. */
static const struct observations *seed_items(struct sampler *sampler, const struct column *column,
                                             const struct grid_seed *from,
                                             const struct value_cache_stage *stage)
{
    for (int i = 0; i < from->count; i++)
        if (sample_is_of(column, from, i) && sample_stage_done(&stage[i]))
            return observations_read(sampler->store, sampler->cache, column->kind,
                                     from->stage[i].id, column->value, column->of.class,
                                     column_observations(column));
    return NULL;
}

const struct observations *comparison_seed(struct sampler *sampler, const struct column *column,
                                           int row, int seed)
{
    const struct grid_seed *from = &sampler->grid->row[row].seed[seed];
    const struct value_cache_stage *stage = sample_stages(sampler, row)[seed];
    if (column->function == COLUMN_GROUP) {
        const struct column group = controls_members(sampler, column);
        const int count = group.arguments;
        const struct observations **of =
            ARENA_ARRAY(sampler->arena, const struct observations *, count + 1);
        for (int i = 0; i < count; i++)
            if (!(of[i] = comparison_seed(sampler, &group.argument[i], row, seed))) return NULL;
        return count ? observations_join(of, count) : NULL;
    }
    const bool margin = column->function == COLUMN_MARGIN;
    const struct observations *of[SIDES];
    struct sample_sides sides;
    double weight[SIDES] = {1, -1};
    if (!margin && !sample_split(sampler, column, from, stage, &sides))
        return seed_items(sampler, column, from, stage);
    for (int k = 0; k < SIDES; k++) {
        const struct column side = margin ? column_argument(column, k) : *column;
        of[k] = margin ? comparison_seed(sampler, &side, row, seed)
                       : seed_items(sampler, &side, &sides.seed[k], sides.stage[k]);
        if (!margin) weight[k] = k ? sides.crossing.weight : 1 - sides.crossing.weight;
    }
    const bool both = of[0] && of[1] && (margin || sides.crossing.reached);
    return both ? observations_sum(of, weight) : NULL;
}

const char *comparison_problem(const struct observations *one, const struct observations *like,
                               struct arena *arena)
{
    if (!one->text && one->items != like->items)
        return arena_print(arena, "%d %s, not %d", one->items, one->statistic.items, like->items);
    for (int i = 0; one->label && like->label && i < one->items; i++) {
        if (one->line[i] != like->line[i]) return "other items";
        if (strcmp(one->label[i].stratum, like->label[i].stratum)) return "items of other strata";
    }
    return strcmp(one->signature, like->signature) ? "another signature" : NULL;
}

void comparison_expect(struct comparing *comparing, const struct column *column, int row)
{
    const bool margin = column->function == COLUMN_MARGIN;
    if (!column_observations(column)) return;
    for (int k = 0; k < (margin ? SIDES : 1); k++) {
        const struct column side = margin ? column_argument(column, k) : *column;
        for (int i = 0; i < comparing->sampler->grid->row[row].count; i++)
            resamples_expect(&comparing->resamples,
                             comparison_seed(comparing->sampler, &side, row, i));
    }
}

/* ---- numerics ---- */

const char *const comparison_numeric[] = {"device", "products", NULL};

/* Returns how the stages of two seeds differ in device or products, "other device: ..."; NULL: they
 * do not differ. */
static const char *numerics_differ(struct sampler *sampler, const struct column column[SIDES],
                                   const int row[SIDES], const int seed[SIDES])
{
    const struct column reduced[] = {controls_members(sampler, &column[0]),
                                     controls_members(sampler, &column[1])};
    const struct column *group[] = {column_has(&reduced[0], COLUMN_GROUP),
                                    column_has(&reduced[1], COLUMN_GROUP)};
    for (int i = 0; group[0] && i < group[0]->arguments; i++) {
        /* Both groups have equally many columns: they are the same group, or one has the controls
         * of the other. */
        const struct column member[] = {group[0]->argument[i], group[1]->argument[i]};
        const char *differ = numerics_differ(sampler, member, row, seed);
        if (differ) return differ;
    }
    if (group[0]) return NULL;
    const struct grid_seed *from[SIDES];
    const struct value_cache_stage *stage[SIDES];
    const bool *needed[SIDES];
    for (int k = 0; k < SIDES; k++) {
        from[k] = &sampler->grid->row[row[k]].seed[seed[k]];
        stage[k] = sample_stages(sampler, row[k])[seed[k]];
        needed[k] = sample_inputs(sampler, &column[k], row[k], seed[k]);
    }
    for (int i = 0; i < from[0]->count; i++) {
        const struct offer *offer = offer_of(from[0]->stage[i].kind);
        if (!offer_is_numeric(offer) || !needed[0][i]) continue;
        for (int k = 0; k < from[1]->count; k++) {
            if (strcmp(offer->kind, from[1]->stage[k].kind) || !needed[1][k]) continue;
            for (const char *const *key = comparison_numeric; *key; key++) {
                const char *one = value_cache_environment(sampler->cache, stage[0][i].number, *key),
                           *other =
                               value_cache_environment(sampler->cache, stage[1][k].number, *key);
                if (one && other && strcmp(one, other) != 0)
                    return arena_print(sampler->arena, "other %s: %s, not %s", *key, one, other);
            }
        }
    }
    return NULL;
}

/* Prefixes a problem with the name of its row if the side has several rows, as in a main effect. */
static const char *in_row(const struct matching *matching, const struct compared_side *side, int r,
                          const char *problem)
{
    if (!problem || side->rows < 2) return problem;
    return arena_print(matching->sampler->arena, "%s: %s",
                       matching->sampler->grid->row[side->row[r]].name, problem);
}

/* Compares device and products between the two sides, for each seed: row r of the first side with
 * row r of the second side. If the sides have ranges of seeds, compares every seed with the first
 * seed of side 0. */
static const char *check_numerics(const struct matching *matching)
{
    const struct compared_side *side = matching->side;
    const bool named = side[0].ranges;
    const int rows = side[0].rows > side[1].rows ? side[0].rows : side[1].rows,
              seeds = side[0].seeds + (named ? side[1].seeds : 0);
    const char *problem = NULL;
    for (int i = 0; i < seeds * rows && side[0].rows && side[1].rows && !problem; i++) {
        const int k = i / rows >= side[0].seeds, r = i % rows % side[k].rows,
                  s = i / rows - (k ? side[0].seeds : 0), other = named ? 0 : 1,
                  its = i % rows % side[other].rows;
        const struct column both[] = {matching->column[k], matching->column[other]};
        problem = in_row(
            matching, &side[k], r,
            numerics_differ(matching->sampler, both, (int[]){side[k].row[r], side[other].row[its]},
                            (int[]){side[k].at[s * side[k].rows + r],
                                    side[other].at[(named ? 0 : s) * side[other].rows + its]}));
    }
    return problem;
}

/* ---- seeds ---- */

/* Returns the index of the seed with this number in a sample; -1: it is absent or has no value. */
static int find_seed(const struct sample *sample, int64_t seed)
{
    for (int i = 0; i < sample->total; i++)
        if (sample->seed[i].seed == seed && isfinite(sample->value[i])) return i;
    return -1;
}

static bool is_named(const struct compared_side *side, int64_t seed)
{
    bool named = !side->ranges;
    for (int i = 0; i < side->ranges; i++)
        named |= seed >= side->range[i].first && seed <= side->range[i].last;
    return named;
}

/* Adds a seed to side k if all rows of the side have a value for it. If `common` is true, the rows
 * of both sides must have a value. */
static void take_seed(struct matching *matching, int k, int64_t seed, bool common)
{
    struct compared_side *side = &matching->side[k];
    if (!is_named(side, seed)) return;
    for (int other = 0; other < SIDES; other++)
        for (int r = 0; r < matching->side[other].rows && (other == k || common); r++)
            if (find_seed(matching->of[other][r], seed) < 0) return;
    for (int r = 0; r < side->rows; r++) {
        const int at = find_seed(matching->of[k][r], seed);
        const double value = matching->of[k][r]->value[at];
        side->at[side->seeds * side->rows + r] = at;
        side->value[side->seeds] += side->weight ? side->weight[r] * value : value / side->rows;
    }
    side->seeds++;
}

/* Takes the seeds of each side in the order of its first row. Common seeds have the same order on
 * both sides. */
static void take_seeds(struct matching *matching)
{
    const bool common = matching->side[0].rows && matching->side[1].rows && !matching->side->ranges;
    for (int k = 0; k < SIDES; k++) {
        struct compared_side *side = &matching->side[k];
        if (!side->rows) continue;
        matching->of[k] = ARENA_ARRAY(matching->arena, const struct sample *, side->rows);
        for (int r = 0; r < side->rows; r++)
            matching->of[k][r] =
                sample_cached(matching->sampler, &matching->column[k], side->row[r]);
        side->at = ARENA_ARRAY(matching->arena, int, matching->of[k][0]->total * side->rows + 1);
        side->value = ARENA_ARRAY(matching->arena, double, matching->of[k][0]->total + 1);
    }
    for (int k = 0; k < SIDES; k++) {
        const struct sample *first = matching->side[k].rows ? *matching->of[common ? 0 : k] : NULL;
        for (int i = 0; first && i < first->total; i++)
            take_seed(matching, k, first->seed[i].seed, common);
    }
}

/* ---- items ---- */

/* Returns the number of rows; a side that the caller gives counts as one row. */
static int rows_of(const struct compared_side *side)
{
    return side->rows ? side->rows : 1;
}

static int observed(const struct compared_side *side)
{
    return side->of ? side->seeds * rows_of(side) : 0;
}

static void take_items(const struct matching *matching, int k)
{
    struct compared_side *side = &matching->side[k];
    if (!side->rows) return;
    side->of = ARENA_ARRAY(matching->arena, const struct observations *, side->seeds * side->rows);
    for (int i = 0; i < side->seeds * side->rows; i++)
        side->of[i] = comparison_seed(matching->sampler, &matching->column[k],
                                      side->row[i % side->rows], side->at[i]);
}

/* Returns the reason why the items of both sides cannot be compared; NULL: comparable. */
static const char *check_items(const struct matching *matching)
{
    struct arena *arena = matching->comparing->resamples.arena;
    const struct compared_side *side = matching->side, *base = &side[side[1].of ? 1 : 0];
    const char *problem = NULL;
    for (int k = 0; k < SIDES; k++)
        for (int i = 0; i < observed(&side[k]) && !problem; i++) {
            if (!side[k].of[i]) return "there are no per-item values to resample";
            problem = in_row(matching, &side[k], i % rows_of(&side[k]), side[k].of[i]->problem);
        }
    for (int k = SIDES - 1; k >= 0; k--)
        for (int i = 0; i < observed(&side[k]) && !problem; i++) {
            const int r = i % rows_of(&side[k]);
            const struct observations *one = side[k].of[i], *like = base->of[r % rows_of(base)];
            problem = comparison_problem(one, like, arena);
            if (!problem && one->sets != side[k].of[r]->sets)
                problem = arena_print(arena, "seeds with unequal sets of %s",
                                      one->text ? "hypotheses" : "items");
            problem = in_row(matching, &side[k], r, problem);
        }
    return problem;
}

/* Reduces a side to one seed if all seeds of each row have the same stage. An example is vectors of
 * another program. Equal values would show no variance, although trainings do vary. */
static void drop_copies(const struct matching *matching, int k)
{
    struct compared_side *side = &matching->side[k];
    bool one = side->rows > 0;
    for (int i = side->rows; i < observed(side) && one; i++)
        one = side->of[i] == side->of[i % side->rows];
    for (int r = 0; r < side->rows && !side->of; r++) one &= sample_is_one(matching->of[k][r]);
    if (one && side->seeds) side->seeds = 1;
}

/* ---- the test ---- */

/* Returns the values of a side with their resamples, and sets its items. Several rows or weighted
 * sets have no items, only resamples. If only the other side has items, all resamples are equal. */
static struct difference_side known_side(const struct matching *matching, int k,
                                         struct significance_items *items)
{
    struct resamples *resamples = &matching->comparing->resamples;
    const struct compared_side *side = &matching->side[k];
    struct difference_side known = {.seeds = side->seeds, .value = side->value};
    const int count = observed(side), samples = resamples->options.samples;
    if (!count && matching->side[!k].of) {
        double *sample = ARENA_ARRAY(matching->arena, double, samples);
        for (int i = 0; i < samples * side->seeds; i++)
            sample[i / side->seeds] += side->value[i % side->seeds] / side->seeds;
        known.sample = sample;
    }
    if (!count) return known;
    known.sample = resamples_mean(resamples, side->of, side->seeds, rows_of(side), side->weight,
                                  matching->arena);
    if (side->rows > 1 || side->of[0]->weight) return known;
    const int sets = side->of[0]->sets;
    const void **item = ARENA_ARRAY(matching->arena, const void *, count *sets);
    for (int i = 0; i < count * sets; i++) item[i] = side->of[i / sets]->item[i % sets];
    items->item[k] = item;
    items->runs[k] = count * sets;
    return known;
}

/* Rows of both sides with the same trainings. */
struct compared_rows {
    int row;        /* the first of them */
    bool of[SIDES]; /* sides that have such a row */
    int rows;       /* number of its rows */
    double weight;  /* of the first row, with its sign */
    double *value;  /* [seeds] of a single row: its values; else the weighted sum of its rows */
};

/* Groups the rows of both sides by their trainings. Sides with ranges of seeds have different
 * trainings. Returns the number of units. */
static int units_of(const struct matching *matching, struct compared_rows *unit)
{
    const struct compared_side *side = matching->side;
    int units = 0;
    for (int i = 0; i < side[0].rows + side[1].rows; i++) {
        const int k = i >= side[0].rows, r = i - (k ? side[0].rows : 0), row = side[k].row[r];
        int at = 0;
        while (at < units && (side->ranges ||
                              (unit[at].row != row &&
                               !comparison_is_paired(matching->sampler->grid, unit[at].row, row))))
            at++;
        struct compared_rows *one = &unit[at];
        const double weight = (k ? -1 : 1) * (side[k].weight ? side[k].weight[r] : 1);
        if (at == units) {
            *one = (struct compared_rows){.row = row, .weight = weight};
            one->value = ARENA_ARRAY(matching->arena, double, side[k].seeds + 1);
            units++;
        }
        for (int s = 0; s < side[k].seeds; s++) {
            const double value = matching->of[k][r]->value[side[k].at[s * side[k].rows + r]];
            if (one->rows == 1) one->value[s] *= one->weight;
            one->value[s] += one->rows ? weight * value : value;
        }
        one->of[k] = true;
        one->rows++;
    }
    return units;
}

/* Decides between which values the variance over seeds is computed. The test is paired by seed if
 * both sides have the same trainings, as the two sides of a margin always have. */
static void choose_units(const struct matching *matching, const struct column *column,
                         struct difference_design *design)
{
    const struct compared_side *side = matching->side;
    const int rows = side[0].rows + side[1].rows;
    if (!side[0].rows && !side[1].rows) return;
    struct compared_rows *unit = ARENA_ARRAY(matching->arena, struct compared_rows, rows);
    const int units = side[0].rows && side[1].rows ? units_of(matching, unit) : 0;
    design->paired = units && !side[0].ranges && side[0].seeds == side[1].seeds;
    bool alone = units && (side->unit == COMPARED_ROWS || rows == SIDES);
    for (int i = 0; i < units; i++) {
        design->paired &= side->unit == COMPARED_SEEDS || (unit[i].of[0] && unit[i].of[1]);
        alone &= unit[i].rows == 1;
    }
    /* If two rows have the same trainings, the test uses the variance of their differences. This
     * variance is not pooled with other rows. */
    if ((alone && !design->paired) || (rows == SIDES && side[0].row[0] == side[1].row[0])) {
        int *row = ARENA_ARRAY(matching->arena, int, rows);
        for (int i = 0; i < units; i++) row[i] = unit[i].row;
        design->other = sample_cache_others(matching->sampler, column, row, units, &design->others);
    }
    if (design->paired || rows == SIDES || side->unit != COMPARED_ROWS) return;
    if (side[0].seeds < 2 || side[1].seeds < 2) return;
    struct pooled_row *own = ARENA_ARRAY(matching->arena, struct pooled_row, units);
    for (int i = 0; i < units; i++) {
        own[i] = pooled_row(unit[i].value, side[!unit[i].of[0]].seeds);
        if (unit[i].rows == 1) own[i].weight = unit[i].weight;
    }
    design->own = own;
    design->owns = units;
}

static void test(struct matching *matching, const struct column *column, struct paired_test *test)
{
    const struct compared_side *side = matching->side, *base = &side[side[1].of ? 1 : 0];
    const struct significance_options options = matching->comparing->resamples.options;
    struct difference_design design = {.paired = matching->comparing->paired,
                                       .samples = options.samples};
    struct significance_items items = {0};
    const struct observations *first = base->of ? base->of[0] : NULL;
    choose_units(matching, column, &design);
    for (int k = 0; k < SIDES;
         k++) /* rows of a main effect may have different items: `first` has the fewest */
        for (int i = 0; i < observed(&side[k]); i++) {
            const struct observations *one = side[k].of[i];
            if (one->items - one->strata.count < first->items - first->strata.count) first = one;
        }
    if (first) {
        items.statistic = &first->statistic;
        items.strata = first->strata;
        design.single = first->statistic.single;
        design.items = strata_items(first->strata);
        design.strata = first->strata.count;
    }
    const struct difference_side ours = known_side(matching, 0, &items),
                                 theirs = known_side(matching, 1, &items);
    const struct difference_known known = difference_of(&ours, &theirs, &design, matching->arena);
    test->result = significance_of(&known, first ? &items : NULL, &options);
    test->paired = design.paired;
    test->items = first ? first->statistic.items : NULL;
    test->compared = first || test->result.decides;
    if (design.others && test->result.decides)
        test->pooled =
            design.others + (side[0].row[0] == side[1].row[0] ? 1 : side[0].rows + side[1].rows);
    const struct measure *measure = column ? column_offered(column) : NULL;
    test->exact = measure && measure->traits & RIGHT_OR_WRONG && !isnan(test->result.mcnemar);
}

struct paired_test comparison_of(struct comparing *comparing, const struct column *column,
                                 struct compared_side side[2], struct arena *arena)
{
    struct matching matching = {
        .comparing = comparing, .sampler = comparing->sampler, .arena = arena, .side = side};
    struct paired_test found = {.result = significance_none, .p = (double)NAN};
    const bool alone = column && column->function == COLUMN_MARGIN && side[0].rows == 1 &&
                       side[1].rows == 1 && side[0].row[0] == side[1].row[0] && !side[0].ranges;
    for (int k = 0; k < SIDES && column; k++)
        matching.column[k] = alone ? column_argument(column, k) : *column;
    take_seeds(&matching);
    if (!side[0].seeds || !side[1].seeds) return found;
    found.problem = check_numerics(&matching);
    for (int r = 0; r < side[0].rows + side[1].rows && side[0].rows && side[1].rows; r++)
        if (!sample_same_signature(matching.of[0][r % side[0].rows],
                                   matching.of[1][r % side[1].rows]) &&
            !found.problem)
            found.problem = "another signature";
    for (int k = 0; k < SIDES && column && column_observations(column) && !found.problem; k++)
        take_items(&matching, k);
    if (!found.problem) found.problem = check_items(&matching);
    for (int k = 0; k < SIDES; k++) drop_copies(&matching, k);
    found.seeds = side[0].seeds < side[1].seeds ? side[0].seeds : side[1].seeds;
    if (!found.problem) test(&matching, column, &found);
    return found;
}

bool comparison_is_paired(const struct grid *grid, int row, int other_row)
{
    const struct grid_row *a = &grid->row[row], *b = &grid->row[other_row];
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
