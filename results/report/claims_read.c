/* Reads the key `claims` of a grid, and finds the rows and axes that the claims name. */
#include <string.h>

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "experiments/grid/axis.h"

enum { SIDES = 2 };
#define ALONG_LAYER "layer" /* a slope within a row */

/* The values of the keys of a claim. */
struct claim_map {
    const char *text; /* NULL: absent */
    const struct tree *compare, *in_all, *metric, *row, *against, *seeds, *over, *budget,
        *layers;                       /* NULL: absent */
    const char *along;                 /* NULL: absent */
    int expect, undertrained, untuned; /* -1: absent */
    int scale;                         /* enum claim_scale */
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
    OPTION_CHOICE("undertrained", FIELD(undertrained), NULL, "allow", OPTION_NO_ID,
                  "permission to keep a verdict that more training could change"),
};
static const struct section section = {
    "a claim", "statement of a paper that results can support or contradict", keys, COUNT_OF(keys),
    sizeof(struct claim_map)};

static struct column read_metric(const struct tree *metric, const struct grid *grid,
                                 struct arena *arena)
{
    struct column column;
    if (!metric) {
        CHECK(column_find(COLUMN_MAIN, &column, NULL, arena), "no column " COLUMN_MAIN);
        return column;
    }
    column = column_read(metric, arena);
    if (!column_is_measured(&column) || column.function == COLUMN_DELTA ||
        column_has(&column, COLUMN_AXIS))
        die_at(metric->location,
               "metric: \"%s\" is not a value of a row; expected a column of values, such as bleu "
               "or dev_loss",
               column.name);
    layout_find_group(&column, grid->layout, arena);
    layout_check_column(&column, grid, arena);
    layout_find_view(&column, grid, arena);
    column_refuse_every(&column, metric,
                        "metric: class: all makes a column for each class; expected one class (a "
                        "class of this name needs quotes)");
    return column;
}

/* Reads the seeds of each side, [1-6, 7-12]. */
static void read_seeds(const struct tree *seeds, struct claim *claim, struct arena *arena)
{
    struct int_range *range = ARENA_ARRAY(arena, struct int_range, SIDES);
    if (seeds->kind != TREE_LIST || seeds->count != SIDES)
        die_at(seeds->location, "seeds: expected the seeds of each row, as in [1-6, 7-12]");
    for (int k = 0; k < SIDES; k++) range[k] = int_range_read(seeds->item[k], "seeds", arena);
    if (range[0].first <= range[1].last && range[1].first <= range[0].last)
        die_at(seeds->item[1]->location, "seeds: %d is on both sides; expected different seeds",
               range[0].first > range[1].first ? range[0].first : range[1].first);
    claim->seeds = range;
    for (int k = 0; k < SIDES && claim->contrasts; k++)
        claim->contrast->side[k] =
            arena_print(arena, "%s (seeds %s)", claim->contrast->side[k], seeds->item[k]->text);
}

/* ---- forms of claims ---- */

/* Adds a row that is compared with its control, or within which values are compared. Its name
 * follows the text `first`. */
static void add_alone(struct claim *claim, const struct tree *name, const char *key,
                      const struct grid *grid, int like, const char *first, const char *second,
                      struct arena *arena)
{
    const int row = claim_row(name, key, grid, like, arena);
    if (row < 0) return;
    claim_add_two(claim, row, row, grid, arena);
    claim->contrast->side[0] = arena_print(arena, "%s%s", first, grid->row[row].name);
    claim->contrast->side[1] = second;
}

static void read_compare(const struct tree *compare, const struct grid *grid, int like,
                         struct claim *claim, struct arena *arena)
{
    claim->alone = compare->kind == TREE_LIST && compare->count == 1;
    if (claim->alone && claim->column.function != COLUMN_MARGIN)
        die_at(compare->location,
               "compare: one row is compared with its control; expected two rows, "
               "or a margin, as in metric: margin(probe.Tense)");
    if (claim->alone)
        add_alone(claim, compare->item[0], "compare", grid, like, "", "its control", arena);
    else
        claim_add_compare(claim, compare, grid, like, arena);
    if (claim->contrasts && claim_has_two(claim) && !tree_get(claim->map, "seeds") &&
        *claim->contrast->row[0] == *claim->contrast->row[1])
        die_at(compare->location,
               "compare: expected two different rows, or the seeds of each side, "
               "as in seeds: [1-6, 7-12]");
}

/* Reads groups of classes, [{class: [NOUN, VERB]}, {class: PRON}]. */
static void read_classes(const struct tree *compare, struct claim *claim, struct arena *arena)
{
    static const char *const words[] = {"class", NULL};
    if (compare->kind != TREE_LIST || compare->count != SIDES)
        die_at(compare->location, "compare: within a row expected two groups of classes, as in "
                                  "[{class: [NOUN, VERB]}, {class: [CONJ, PRON]}]");
    for (int k = 0; k < SIDES; k++) {
        tree_only_keys(compare->item[k], "compare", words);
        const struct tree *class = tree_get(compare->item[k], "class");
        if (class) claim->class[k] = scalar_texts(class, "class", arena);
        if (!claim->class[k].count)
            die_at(compare->item[k]->location, "compare: expected class: [NOUN, ..]");
    }
    const struct texts *other = &claim->class[1];
    for (int i = 0; i < other->count; i++)
        if (texts_have(&claim->class[0], other -> text[i]))
            die_at(other->location[i], "class: %s is on both sides; expected different classes",
                   other->text[i]);
}

/* Reads a claim within one row. */
static void read_within(const struct claim_map *read, const struct grid *grid, int like,
                        struct claim *claim, struct arena *arena)
{
    const struct column *column = &claim->column;
    const char *first = "", *second = "0";
    if (column->function != COLUMN_VALUE || column->of.class ||
        (read->along && column->of.number[DIMENSION_LAYER]))
        die_at(claim->map->location,
               "metric: %s: a claim within a row expected a value of a stage without class%s, such "
               "as gates.gate",
               column->name, read->along ? " and layer" : "");
    if (read->compare) {
        claim->form = CLAIM_CLASSES;
        read_classes(read->compare, claim, arena);
        first = arena_print(arena, "%s in ",
                            arena_join(arena, claim->class[0].text, claim->class[0].count, ", "));
        second = arena_join(arena, claim->class[1].text, claim->class[1].count, ", ");
    } else if (read->along) {
        claim->form = CLAIM_SLOPE;
        if (read->layers) claim->layers = int_range_read(read->layers, "layers", arena);
        if (read->layers && (claim->layers.first < 1 || claim->layers.first == claim->layers.last))
            die_at(read->layers->location,
                   "layers: \"%s\": expected at least two layers from 1, as in 2-6",
                   read->layers->text);
        first = arena_print(arena, "the slope by layer%s%s of ", read->layers ? " " : "",
                            read->layers ? read->layers->text : "");
    } else {
        claim->form = CLAIM_LEVEL;
        claim->level = scalar_real(read->against, "against", 0, 0);
        second = number_short(arena, claim->level);
    }
    add_alone(claim, read->row, "row", grid, like, first, second, arena);
}

/* Lists the rows to which a sweep expands the first swept name of a comparison. Returns their
 * number; 0: no name is swept. */
static int swept_rows(const struct tree *compare, const struct grid *grid, int *row)
{
    int rows = 0;
    for (int r = 0; compare->kind == TREE_SCALAR && r < grid->rows; r++)
        if (strcmp(grid->row[r].name, compare->text) != 0 &&
            grid_row_meant(&grid->row[r], compare->text))
            row[rows++] = r;
    for (int i = 0; compare->kind == TREE_LIST && i < compare->count && !rows; i++)
        rows = swept_rows(compare->item[i], grid, row);
    return rows;
}

/* Returns a comparison whose lists have joined names. */
static const struct tree *joined(const struct tree *compare, const struct grid *grid,
                                 struct arena *arena)
{
    if (compare->kind != TREE_LIST) return compare;
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
    bool good = list->kind == TREE_LIST;
    for (int i = 0; good && i < list->count; i++) {
        const struct tree *compare = list->item[i];
        const int rows = swept_rows(compare, grid, row);
        good = compare->kind != TREE_SCALAR;
        for (int r = 0; good && r < (rows ? rows : 1); r++)
            claim_add_compare(claim, compare, grid, rows ? row[r] : 0, arena);
    }
    if (!good || (!claim->contrasts && !grid->words.varied))
        die_at(
            list->location,
            "in_all: expected a list of comparisons, as in [[A, B], [C, D]], each as in compare");
}

/* Reads the compared sides. Dies unless the keys are those of one form. */
static void read_form(const struct claim_map *read, const struct grid *grid, int like,
                      struct claim *claim, struct arena *arena)
{
    const struct tree *map = claim->map;
    const bool layer = read->row && read->along && !strcmp(read->along, ALONG_LAYER),
               axis = read->along && !layer;
    const int forms = (read->compare != NULL) + (read->in_all != NULL) + (read->against != NULL);
    if (!read->text || read->expect < 0)
        die_at(map->location, "a claim: %s is missing", read->text ? "expect" : "text");
    if (read->row ? read->in_all || forms + (read->along != NULL) != 1
                  : read->against || forms != 1 || (read->along && !read->compare))
        die_at(map->location, "a claim: expected one of compare, compare with along, in_all, and "
                              "row with compare, along or against");
    const struct {
        const char *key, *expected;
        bool wrong;
    } rules[] = {
        {"scale", "along: AXIS", !axis},
        {"layers", "row: NAME and along: layer", !layer},
        {"expect", "greater, less or equal; rising and falling need row: NAME and along: AXIS",
         read->expect >= CLAIM_STEPS && !(axis && read->row)},
        {"expect", "smallest, the difference that would matter, as in smallest: 0.3",
         read->expect == CLAIM_EQUAL && !(read->smallest > 0)},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (rules[i].wrong && tree_get(map, rules[i].key))
            die_at(tree_get(map, rules[i].key)->location, "%s: expected %s", rules[i].key,
                   rules[i].expected);
    if (axis)
        claim_add_along(claim, grid, like, (enum claim_scale)read->scale,
                        read->expect >= CLAIM_STEPS, arena);
    else if (read->row)
        read_within(read, grid, like, claim, arena);
    else if (read->in_all)
        read_in_all(read->in_all, grid, claim, arena);
    else
        read_compare(read->compare, grid, like, claim, arena);
}

/* Reads a claim. `like` is a row with the coordinates of the claim's rows on the axes of the sweep
 * (claim_row). The claim has no comparisons if the command line has removed its rows or
 * values. */
static struct claim read_claim(const struct tree *map, const struct grid *grid, int like,
                               struct arena *arena)
{
    struct claim_map read = {.expect = -1, .undertrained = -1, .untuned = -1};
    section_read_part(&section, map, &read, arena);
    if (read.budget) read.metric = claim_budget_column(read.budget, read.metric, grid, arena);
    struct claim claim = {
        .text = read.text,
        .column = read_metric(read.metric, grid, arena),
        .expect = (enum claim_expect)(read.expect % CLAIM_STEPS),
        .smallest = read.smallest,
        .alpha = read.alpha,
        .undertrained = read.undertrained >= 0,
        .untuned = read.untuned >= 0,
        .map = map,
        .over = read.over,
    };
    read_form(&read, grid, like, &claim, arena);
    const struct tree *two = read.seeds ? read.seeds : read.budget;
    if (two && claim.contrasts && !claim_has_two(&claim))
        die_at(two->location, "%s: expected compare: [ROW, ROW] of rows that have seeds",
               read.seeds ? "seeds" : "budget");
    if (read.over && claim.contrasts > 1)
        die_at(read.over->location, "over: the claim has %d comparisons; expected one",
               claim.contrasts);
    if (read.seeds) read_seeds(read.seeds, &claim, arena);
    claim_check_tuned(grid, &claim, arena);
    return claim;
}

/* Marks the points of a row on the axis `key`; NULL: none. */
static void mark_along(const struct tree *key, const struct grid *grid, int row, bool *along,
                       struct arena *arena)
{
    int *point = ARENA_ARRAY(arena, int, grid->rows);
    const int points = key ? axis_points(grid, axis_meant(grid, key->text, arena), row, point) : 0;
    for (int i = 0; i < points; i++) along[point[i]] = true;
}

struct claims claims_read(const struct tree *list, const struct grid *grid, struct arena *arena)
{
    static const char *const lists[] = {"compare", "in_all"};
    struct claims claims = {0};
    if (!list) return claims;
    if (list->kind != TREE_LIST)
        die_at(list->location,
               "claims: expected a list of {text: .., compare: [row, row], expect: ..}");
    int *row = ARENA_ARRAY(arena, int, grid->rows + 1);
    for (int i = 0; i < list->count; i++) {
        SCOPED(heap_free) bool *along = heap_alloc((size_t)grid->rows + 1);
        const struct tree *map = list->item[i];
        for (size_t k = 0; k < COUNT_OF(lists); k++)
            if (tree_get(map, lists[k]))
                map = tree_with(arena, map, lists[k], joined(tree_get(map, lists[k]), grid, arena));
        const struct tree *names = tree_get(map, tree_get(map, "row") ? "row" : "compare");
        const int before = claims.count, rows = names ? swept_rows(names, grid, row) : 0;
        for (int r = 0; r < (rows ? rows : 1); r++) {
            if (rows && along[row[r]]) continue; /* points share their claim along an axis */
            struct claim claim = read_claim(map, grid, rows ? row[r] : 0, arena);
            if (!claim.contrasts) continue;
            if (rows && !claim.form) mark_along(tree_get(map, "along"), grid, row[r], along, arena);
            if (rows)
                claim.text = arena_print(arena, "%s (%s)", claim.text, grid->row[row[r]].name);
            ARENA_ADD(arena, claims.claim, claims.count, claim);
        }
        claims.left_out += claims.count == before;
    }
    return claims;
}

void claims_help(FILE *out)
{
    fputs("claims: a list of {text: .., compare: .., expect: ..}\n", out);
    section_help(&section, OPTION_KEYS, out);
}
