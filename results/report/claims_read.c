/* Reads the key `claims` of a grid, and finds the rows and axes that the claims name. */
#include <string.h>

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "experiments/grid/axis.h"

#define ALONG_LAYER "layer" /* a slope within a row */

static struct column read_metric(const struct tree *metric, const struct tree *claim,
                                 const struct grid *grid, struct arena *arena)
{
    struct column column;
    if (!metric) {
        CHECK(column_find(COLUMN_MAIN, &column, NULL, arena), "no column " COLUMN_MAIN);
        return column;
    }
    if (metric->kind == TREE_LIST)
        die_at(claim->location, "metric: expected the name of a column, such as bleu");
    column = column_read(metric, arena);
    if (!column_is_measured(&column) || column.function == COLUMN_DELTA)
        die_at(metric->location,
               "metric: \"%s\" is not a value of a row; expected a column of values, such as bleu "
               "or dev_loss",
               column.name);
    const struct column *axis = column_has(&column, COLUMN_AXIS);
    if (axis)
        die_at(metric->location,
               "metric: \"%s\" is a mean over several rows; expected compare: {%s: [A, B]} for a "
               "claim about the axis",
               column.name, axis->word);
    layout_find_group(&column, grid->layout, &grid->words, arena);
    layout_check_column(&column, grid, arena);
    layout_find_view(&column, grid, arena);
    column_refuse_every(&column, metric,
                        "metric: class: all makes a column for each class; expected one class (a "
                        "class of this name needs quotes)");
    return column;
}

/* Adds a comparison, unless the command line has removed its rows. */
static void add_contrast(struct claim *claim, struct claim_contrast contrast, struct arena *arena)
{
    struct claim_contrast *list = ARENA_ARRAY(arena, struct claim_contrast, claim->contrasts + 1);
    if (!contrast.rows[0]) return;
    for (int i = 0; i < claim->contrasts; i++) list[i] = claim->contrast[i];
    list[claim->contrasts++] = contrast;
    claim->contrast = list;
}

/* Adds a row that is compared with its control, or within which values are compared. */
static void add_alone(struct claim *claim, const struct tree *scalar, const char *key,
                      const struct grid *grid, int like, struct arena *arena)
{
    int *row = ARENA_ARRAY(arena, int, 1);
    *row = claim_row(scalar, key, grid, like, arena);
    if (*row >= 0)
        add_contrast(claim, (struct claim_contrast){.rows = {1, 1}, .row = {row, row}}, arena);
}

static void read_rows(const struct tree *compare, const struct grid *grid, int like,
                      struct claim *claim, struct arena *arena)
{
    claim->alone = compare->kind == TREE_LIST && compare->count == 1;
    if (claim->alone && claim->column.function != COLUMN_MARGIN)
        die_at(compare->location,
               "compare: one row is compared with its control; expected two rows, "
               "or a margin, as in metric: margin(probe.Tense)");
    if (claim->alone)
        add_alone(claim, compare->item[0], "compare", grid, like, arena);
    else
        add_contrast(claim, claim_contrast_read(compare, grid, like, arena), arena);
    const struct claim_contrast *only = claim->contrast;
    if (claim->contrasts && !only->weight[0] && !only->side[0] && !claim->alone &&
        *only->row[0] == *only->row[1] && !claim->seeds[0].ranges)
        die_at(compare->location,
               "compare: expected two different rows, or the seeds of each side, "
               "as in seeds: [1-6, 7-12]");
}

/* Reads the seeds of a side, as in [1-6, 7-12]. */
static struct claim_seeds read_side(const struct tree *side, struct arena *arena)
{
    const bool list = side->kind == TREE_LIST;
    const int count = list ? side->count : 1;
    struct int_range *range = ARENA_ARRAY(arena, struct int_range, count);
    struct claim_seeds seeds = {.ranges = count, .range = range};
    if (!count)
        die_at(side->location, "seeds: the list is empty; expected seeds, as in [1-6, 7-12]");
    for (int i = 0; i < count; i++) {
        const struct tree *item = list ? side->item[i] : side;
        range[i] = int_range_read(item, "seeds", arena);
        seeds.text = arena_append(arena, seeds.text, ", ", item->text);
    }
    return seeds;
}

static void read_seeds(const struct tree *seeds, struct claim *claim, struct arena *arena)
{
    if (seeds->kind != TREE_LIST || seeds->count != 2)
        die_at(seeds->location, "seeds: expected the seeds of each row, as in [1-6, 7-12]");
    for (int side = 0; side < 2; side++) claim->seeds[side] = read_side(seeds->item[side], arena);
    for (int i = 0; i < claim->seeds[1].ranges; i++) {
        const struct int_range *range = &claim->seeds[1].range[i];
        for (int k = 0; k < claim->seeds[0].ranges; k++) {
            const struct int_range *other = &claim->seeds[0].range[k];
            const int first = range->first > other->first ? range->first : other->first;
            if (first <= range->last && first <= other->last)
                die_at(seeds->item[1]->location,
                       "seeds: %d is on both sides; expected different seeds", first);
        }
    }
}

/* The values of the keys of a claim. */
struct claim_map {
    const char *text; /* NULL: absent */
    const struct tree *compare, *in_all, *metric, *row, *against, *seeds, *over, *budget,
        *layers;                              /* NULL: absent */
    const char *along;                        /* NULL: absent */
    int expect, scale, undertrained, untuned; /* -1: absent */
    double smallest, alpha;
};

#define FIELD(member) offsetof(struct claim_map, member)
static const struct option keys[] = {
    OPTION_TEXT("text", FIELD(text), NULL, OPTION_NO_ID, "claim, in words; required"),
    OPTION_TREE("compare", FIELD(compare), NULL, "rows or an axis",
                "compared sides, see below: [ROW, ROW], [[A, B], [C, D]], [ROW] or {AXIS: [A, B]}; "
                "required without in_all, along or against"),
    OPTION_TREE("in_all", FIELD(in_all), NULL, "comparisons",
                "list of comparisons as in compare, which must all hold"),
    OPTION_TREE("row", FIELD(row), NULL, "a row",
                "row within which the claim is made; compare then has classes"),
    OPTION_TEXT(
        "along", FIELD(along), NULL, OPTION_NO_ID,
        "variable of a slope of the row, which is tested against 0: layer, or an axis; with "
        "compare: [ROW, ROW] the axis of the area between both"),
    OPTION_CHOICE("scale", FIELD(scale), NULL, "number|log|rank", OPTION_NO_ID,
                  "scale of the axis of along: its values, their logarithm to base 2, or their "
                  "order; default: number"),
    OPTION_TREE("layers", FIELD(layers), NULL, "layers",
                "layers of the slope, such as 2-6, with along: layer; default: all"),
    OPTION_TREE("against", FIELD(against), NULL, "real",
                "number against which the row's value is tested"),
    OPTION_TREE("metric", FIELD(metric), NULL, "column",
                "column that is compared; default: bleu (sanlab table --help lists columns)"),
    OPTION_CHOICE("expect", FIELD(expect), NULL, "greater|less|equal|rising|falling", OPTION_NO_ID,
                  "relation of the first side to the second, or of each value of an axis to the "
                  "previous one; required"),
    OPTION_REAL("smallest", FIELD(smallest), "0", 0, 1e12, OPTION_NO_ID,
                "smallest difference of interest; required by equal"),
    OPTION_TREE("seeds", FIELD(seeds), NULL, "seeds",
                "seeds of each of two rows: [1-6, 7-12]; default: the seeds that both have"),
    OPTION_TREE("over", FIELD(over), NULL, "grids",
                "other grids about which the same claim is made; the grids are then the unit"),
    OPTION_REAL("alpha", FIELD(alpha), "0.05", 1e-6, 0.5, OPTION_NO_ID,
                "significance level of the claim's test"),
    OPTION_TREE(
        "budget", FIELD(budget), NULL, "budget",
        "budget of tuned rows, 4 trials or 2 hours; compares the expected best trials by the "
        "metric of tune"),
    OPTION_CHOICE("untuned", FIELD(untuned), NULL, "allow", OPTION_NO_ID,
                  "permission to compare a tuned row with a row that is not tuned"),
    OPTION_CHOICE(
        "undertrained", FIELD(undertrained), NULL, "allow", OPTION_NO_ID,
        "permission to keep a verdict that more training could change; alone in an item of "
        "the list: for all claims"),
};
static const struct section section = {
    "a claim", "statement of a paper that results can support or contradict", keys, COUNT_OF(keys),
    sizeof(struct claim_map)};

/* Reads groups of classes, [{class: [NOUN, VERB]}, {class: PRON}]. */
static void read_classes(const struct tree *compare, struct claim *claim, struct arena *arena)
{
    static const char *const words[] = {"class", NULL};
    bool groups = compare->kind == TREE_LIST && compare->count == 2;
    for (int side = 0; groups && side < 2; side++) groups = compare->item[side]->kind == TREE_MAP;
    if (!groups)
        die_at(compare->location, "compare: within a row expected two groups of classes, as in "
                                  "[{class: [NOUN, VERB]}, {class: [CONJ, PRON]}]");
    for (int side = 0; side < 2; side++) {
        const struct tree *group = compare->item[side], *class = tree_get(group, "class");
        tree_only_keys(group, "compare", words);
        if (class) claim->class[side] = scalar_texts(class, "class", arena);
        if (!claim->class[side].count)
            die_at(group->location, "compare: expected class: [NOUN, ..]");
    }
    for (int i = 0; i < claim->class[0].count; i++)
        for (int k = 0; k < claim->class[1].count; k++)
            if (!strcmp(claim->class[0].text[i], claim->class[1].text[k]))
                die_at(claim->class[1].location[k],
                       "class: %s is on both sides; expected different classes",
                       claim->class[1].text[k]);
}

/* Reads a claim within one row. */
static void read_within(const struct claim_map *read, const struct tree *map,
                        const struct grid *grid, int like, struct claim *claim, struct arena *arena)
{
    const int forms = (read->compare != NULL) + (read->along != NULL) + (read->against != NULL);
    const struct column *column = &claim->column;
    if (forms != 1)
        die_at(map->location,
               "a claim within a row: expected one of compare: [{class: ..}, {class: "
               "..}], along: layer and against: NUMBER");
    if (column->of.class)
        die_at(column->location, "metric: expected no class, because a claim within a row takes "
                                 "classes from compare: [{class: ..}, {class: ..}]");
    if (column->function != COLUMN_VALUE)
        die_at(map->location,
               "metric: expected a value of a stage, such as gates.gate, for a claim within a row");
    if (read->along && column->of.number[DIMENSION_LAYER])
        die_at(column->location,
               "metric: expected no layer, because along: layer takes all layers; got layer %d",
               column->of.number[DIMENSION_LAYER]);
    claim->form = read->compare ? CLAIM_CLASSES : read->along ? CLAIM_SLOPE : CLAIM_LEVEL;
    if (read->compare) read_classes(read->compare, claim, arena);
    if (read->layers) {
        claim->layers = int_range_read(read->layers, "layers", arena);
        if (claim->layers.first < 1 || claim->layers.first == claim->layers.last)
            die_at(read->layers->location,
                   "layers: \"%s\": expected at least two layers from 1, as in 2-6",
                   read->layers->text);
    }
    if (read->against) claim->level = scalar_real(read->against, "against", 0, 0);
    add_alone(claim, read->row, "row", grid, like, arena);
}

/* Lists the names of rows in a comparison. */
static void list_names(const struct tree *tree, const struct tree ***name, int *names,
                       struct arena *arena)
{
    if (tree->kind == TREE_SCALAR) ARENA_ADD(arena, *name, *names, tree);
    for (int i = 0; tree->kind == TREE_LIST && i < tree->count; i++)
        list_names(tree->item[i], name, names, arena);
}

/* Returns the rows to which a sweep expands the first swept name of a comparison. Without such a
 * name, returns 0 and one row, row 0. */
static int swept_rows(const struct tree *compare, const struct grid *grid, int *row,
                      struct arena *arena)
{
    const struct tree **name = NULL;
    int names = 0, rows = 0;
    if (compare) list_names(compare, &name, &names, arena);
    for (int i = 0; i < names && !rows; i++)
        for (int r = 0; r < grid->rows; r++)
            if (strcmp(grid->row[r].name, name[i]->text) != 0 &&
                grid_row_meant(&grid->row[r], name[i]->text))
                row[rows++] = r;
    if (!rows) *row = 0;
    return rows;
}

/* Returns a comparison whose lists have joined names. */
static const struct tree *joined(const struct tree *compare, const struct grid *grid,
                                 struct arena *arena)
{
    if (!compare || compare->kind != TREE_LIST) return compare;
    struct tree *list = tree_new(arena, TREE_LIST, compare->location);
    for (int i = 0; i < compare->count; i++)
        tree_add(arena, list, NULL, tree_copy(arena, joined(compare->item[i], grid, arena)));
    return grid_names_join(grid, list, arena);
}

/* Reads a list of comparisons that must all hold. A swept name adds a comparison for each row. */
static void read_in_all(const struct tree *list, const struct grid *grid, struct claim *claim,
                        struct arena *arena)
{
    int *row = ARENA_ARRAY(arena, int, grid->rows + 1);
    for (int i = 0; i < list->count; i++) {
        const struct tree *compare = list->item[i];
        if (list->kind != TREE_LIST || (compare->kind != TREE_LIST && compare->kind != TREE_MAP))
            break;
        const int rows = swept_rows(compare, grid, row, arena);
        for (int r = 0; r < (rows ? rows : 1); r++)
            add_contrast(claim, claim_contrast_read(compare, grid, row[r], arena), arena);
    }
    if (list->kind != TREE_LIST || (!claim->contrasts && !grid->words.varied))
        die_at(
            list->location,
            "in_all: expected a list of comparisons, as in [[A, B], [C, D]], each as in compare");
}

/* Reads the comparisons of a claim about several rows along an axis. */
static void read_along(const struct claim_map *read, const struct tree *map,
                       const struct grid *grid, int like, struct claim *claim, struct arena *arena)
{
    const bool steps = read->expect >= CLAIM_STEPS;
    if (read->compare || read->in_all || read->against)
        die_at(map->location,
               "along: %s is compared with 0; expected no compare, in_all or against", read->along);
    claim->contrasts = claim_contrasts_along(
        map, grid, like, read->scale < 0 ? CLAIM_NUMBER : (enum claim_scale)read->scale, steps,
        &claim->contrast, arena);
}

/* Dies if keys are missing or do not go together. */
static void check_keys(const struct claim_map *read, const struct tree *map)
{
    const bool axis = read->along && strcmp(read->along, ALONG_LAYER) != 0;
    if (!read->row && (read->against || (read->along && !read->compare)))
        die_at(map->location, "a claim: row is missing; expected row: NAME with along or against");
    if (!read->text || (!read->compare && !read->row && !read->in_all) || read->expect < 0)
        die_at(map->location,
               "a claim: %s is missing; expected text, compare: [row, row] and "
               "expect: greater, less or equal",
               !read->text                       ? "text"
               : !read->compare && !read->in_all ? "compare"
                                                 : "expect");
    if (read->in_all && (read->compare || read->row))
        die_at(tree_get(map, "in_all")->location, "in_all: expected no compare and no row");
    if (read->scale >= 0 && !axis)
        die_at(tree_get(map, "scale")->location, "scale: expected along: AXIS");
    if (read->layers && (!read->row || !read->along || axis))
        die_at(read->layers->location, "layers: expected row: NAME and along: layer");
    if (read->expect >= CLAIM_STEPS && !(axis && read->row))
        die_at(tree_get(map, "expect")->location,
               "expect: %s compares the values of an axis; expected along: AXIS",
               tree_get(map, "expect")->text);
    if (read->expect == CLAIM_EQUAL && !(read->smallest > 0))
        die_at(tree_get(map, "expect")->location,
               "expect: equal needs smallest, the difference that would matter, as "
               "in smallest: 0.3");
}

/* Reads a claim. `like` is a row with the coordinates of the claim's rows on the axes of the sweep
 * (claim_row). The claim has no comparisons if the command line has removed its rows or
 * values. */
static struct claim read_claim(const struct tree *map, const struct grid *grid, int like,
                               struct arena *arena)
{
    struct claim_map read = {.expect = -1, .scale = -1, .undertrained = -1, .untuned = -1};
    section_read_part(&section, map, &read, arena);
    check_keys(&read, map);
    if (read.budget) read.metric = claim_budget_column(read.budget, read.metric, grid, arena);
    struct claim claim = {
        .text = read.text,
        .column = read_metric(read.metric, map, grid, arena),
        .expect = (enum claim_expect)(read.expect % CLAIM_STEPS),
        .smallest = read.smallest,
        .alpha = read.alpha,
        .undertrained = read.undertrained >= 0,
        .untuned = read.untuned >= 0,
        .map = map,
        .over = read.over,
    };
    if (read.seeds) read_seeds(read.seeds, &claim, arena);
    if (read.row && read.along && strcmp(read.along, ALONG_LAYER) != 0)
        read_along(&read, map, grid, like, &claim, arena);
    else if (read.along && read.compare && !read.row)
        add_contrast(&claim,
                     claim_contrast_area(
                         map, grid, like,
                         read.scale < 0 ? CLAIM_NUMBER : (enum claim_scale)read.scale, arena),
                     arena);
    else if (read.row)
        read_within(&read, map, grid, like, &claim, arena);
    else if (read.in_all)
        read_in_all(read.in_all, grid, &claim, arena);
    else
        read_rows(read.compare, grid, like, &claim, arena);
    if (read.seeds && claim.contrasts && !claim_has_two(&claim))
        die_at(read.seeds->location, "seeds: expected compare: [ROW, ROW] of rows that have seeds");
    if (read.budget && claim.contrasts && !claim_has_two(&claim))
        die_at(read.budget->location, "budget: expected compare: [ROW, ROW]");
    claim_check_tuned(grid, &claim, arena);
    return claim;
}

/* True for {undertrained: allow}, an item that applies to all claims. */
static bool is_allowance(const struct tree *item, struct arena *arena)
{
    struct claim_map read = {.undertrained = -1};
    if (item->kind != TREE_MAP || item->count != 1 || !tree_get(item, "undertrained")) return false;
    section_read_part(&section, item, &read, arena);
    return true;
}

/* True if a row of a sweep is the first of its points along an axis, or not on the axis. */
static bool is_first(const struct tree *along, const struct grid *grid, int row,
                     struct arena *arena)
{
    int *point = ARENA_ARRAY(arena, int, grid->rows);
    const char *key = along->text ? axis_meant(grid, along->text, arena) : NULL;
    return !key || !axis_points(grid, key, row, point) || *point == row;
}

struct claims claims_read(const struct tree *list, const struct grid *grid, struct arena *arena)
{
    struct claims claims = {0};
    if (!list) return claims;
    if (list->kind != TREE_LIST)
        die_at(list->location,
               "claims: expected a list of {text: .., compare: [row, row], expect: ..}");
    static const char *const lists[] = {"compare", "in_all"};
    struct claim *claim = ARENA_ARRAY(arena, struct claim, list->count * grid->rows + 1);
    int *row = ARENA_ARRAY(arena, int, grid->rows + 1);
    int count = 0, left_out = 0;
    bool allowed = false;
    for (int i = 0; i < list->count; i++) {
        if (is_allowance(list->item[i], arena)) {
            allowed = true;
            continue;
        }
        const struct tree *map = list->item[i];
        for (size_t k = 0; k < COUNT_OF(lists); k++)
            if (tree_get(map, lists[k]))
                map = tree_with(arena, map, lists[k], joined(tree_get(map, lists[k]), grid, arena));
        const struct tree *within = tree_get(map, "row"), *along = tree_get(map, "along");
        const int before = count,
                  rows = swept_rows(within ? within : tree_get(map, "compare"), grid, row, arena);
        for (int r = 0; r < (rows ? rows : 1); r++) {
            if (rows && along && !is_first(along, grid, row[r], arena)) continue;
            claim[count] = read_claim(map, grid, row[r], arena);
            if (rows)
                claim[count].text =
                    arena_print(arena, "%s (%s)", claim[count].text, grid->row[row[r]].name);
            count += claim[count].contrasts > 0;
        }
        left_out += count == before;
    }
    for (int i = 0; i < count; i++) claim[i].undertrained |= allowed;
    return (struct claims){count, claim, left_out};
}

void claims_help(FILE *out)
{
    fputs("claims: a list of {text: .., compare: .., expect: ..}\n", out);
    section_help(&section, OPTION_KEYS, out);
}
