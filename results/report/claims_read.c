/* Reads the key `claims` of a grid, and finds the rows and axes that the claims name. */
#include <string.h>

#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "experiments/grid/axis.h"

/* Returns the index of the row with this name. If several rows of a sweep share the name, returns
 * the row that agrees with row `like` on all axes. If there is no such row, exits with an error, or
 * returns -1 if the command line has changed the rows. */
static int read_row(const struct tree *scalar, const char *key, const struct grid *grid, int like,
                    struct arena *arena)
{
    const char *name = scalar_text(scalar, key);
    int row = grid_row_beside(grid, name, like);
    const char **names = ARENA_ARRAY(arena, const char *, grid->rows + 1);
    for (int i = 0; i < grid->rows; i++) names[i] = grid->row[i].name;
    if (row < 0 && !grid->words.varied)
        word_refuse(scalar->location, key, "there is no row", name, names);
    return row;
}

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

/* Returns a remark on the first item of a list that is the name of no row; "" if there is none. */
static const char *not_named(const struct tree *list, const struct grid *grid, struct arena *arena)
{
    for (int i = 0; list->kind == TREE_LIST && i < list->count; i++) {
        const char *name = list->item[i]->text;
        if (name && !grid_name_meant(grid, name))
            return arena_print(arena, "; \"%s\" is no row", name);
    }
    return "";
}

static void read_rows(const struct tree *compare, const struct grid *grid, int like,
                      struct claim *claim, struct arena *arena)
{
    claim->alone = compare->kind == TREE_LIST && compare->count == 1;
    if (claim->alone && claim->column.function != COLUMN_MARGIN)
        die_at(compare->location,
               "compare: one row is compared with its control; expected two rows, "
               "or a margin, as in metric: margin(probe.Tense)");
    /* The items are parts of a name whose row was removed by the command line. */
    if (compare->kind == TREE_LIST && compare->count > 2 && grid->words.varied) return;
    if (compare->kind != TREE_LIST || (compare->count != 2 && !claim->alone))
        die_at(compare->location,
               "compare: expected two rows, as in [+ Gate, Transformer], or two "
               "values of an axis, {window: [1, 3]}%s",
               not_named(compare, grid, arena));
    int(*pair)[2] = arena_alloc(arena, sizeof *pair);
    for (int side = 0; side < 2; side++)
        (*pair)[side] =
            read_row(compare->item[claim->alone ? 0 : side], "compare", grid, like, arena);
    if ((*pair)[0] < 0 || (*pair)[1] < 0) return;
    if ((*pair)[0] == (*pair)[1] && !claim->alone && !claim->seeds[0].ranges)
        die_at(compare->location,
               "compare: expected two different rows, or the seeds of each side, "
               "as in seeds: [1-6, 7-12]");
    claim->pairs = 1;
    claim->pair = pair;
}

/* Reads a main effect, {window: [1, 3]}. */
static void read_effect(const struct tree *compare, const struct grid *grid, struct claim *claim,
                        struct arena *arena)
{
    const struct tree *values = compare->count == 1 ? compare->item[0] : NULL;
    if (!values || values->kind != TREE_LIST || values->count != 2)
        die_at(compare->location, "compare: expected one axis with two of its values, as in "
                                  "{window: [1, 3]}");
    const char *key = axis_meant(grid, compare->key[0]->text, arena), *value[2];
    const char *const *known = axis_values(grid, key, arena);
    axis_check(grid, compare->key[0]->location, "compare", key, arena);
    for (int i = 0; i < 2; i++) {
        value[i] = tree_text(arena, values->item[i]);
        const bool found = word_known(value[i], known);
        if (!found && grid->words.varied) return;
        if (!found)
            word_refuse(values->item[i]->location, key, "there is no value", value[i], known);
        claim->effect[i] = arena_print(arena, "%s %s", key, value[i]);
    }
    if (!strcmp(value[0], value[1]))
        die_at(values->item[1]->location, "compare: %s: expected two values, not %s twice", key,
               value[0]);
    int(*pair)[2];
    claim->pairs = axis_pairs(grid, key, value, &pair, arena);
    claim->pair = pair;
    if (!claim->pairs && !grid->words.varied)
        die_at(compare->location,
               "compare: no row with %s has a partner with %s that agrees in all other axes",
               claim->effect[0], claim->effect[1]);
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
    const char *text;                                            /* NULL: absent */
    const struct tree *compare, *metric, *row, *against, *seeds; /* NULL: absent */
    int expect;                                                  /* -1: absent */
    int along;                                                   /* -1: absent */
    int undertrained;                                            /* -1: absent */
    double smallest, alpha;
};

#define FIELD(member) offsetof(struct claim_map, member)
static const struct option rows[] = {
    OPTION_TEXT("text", FIELD(text), NULL, OPTION_NO_ID, "claim, in words; required"),
    OPTION_TREE("compare", FIELD(compare), NULL, "rows or an axis",
                "compared sides, see below: [ROW, ROW], [ROW] or {AXIS: [A, B]}; required without "
                "along or against"),
    OPTION_TREE("row", FIELD(row), NULL, "a row",
                "row within which the claim is made; compare then has classes"),
    OPTION_CHOICE("along", FIELD(along), NULL, "layer", OPTION_NO_ID,
                  "variable of a slope within the row, which is tested against 0"),
    OPTION_TREE("against", FIELD(against), NULL, "real",
                "number against which the row's value is tested"),
    OPTION_TREE("metric", FIELD(metric), NULL, "column",
                "column that is compared; default: bleu (sanlab table --help lists columns)"),
    OPTION_CHOICE("expect", FIELD(expect), NULL, "greater|less|equal", OPTION_NO_ID,
                  "relation of the first side to the second; required"),
    OPTION_REAL("smallest", FIELD(smallest), "0", 0, 1e12, OPTION_NO_ID,
                "smallest difference of interest; required by equal"),
    OPTION_TREE("seeds", FIELD(seeds), NULL, "seeds",
                "seeds of each of two rows: [1-6, 7-12]; default: the seeds that both have"),
    OPTION_REAL("alpha", FIELD(alpha), "0.05", 1e-6, 0.5, OPTION_NO_ID,
                "significance level of the claim's test"),
    OPTION_CHOICE(
        "undertrained", FIELD(undertrained), NULL, "allow", OPTION_NO_ID,
        "permission to keep a verdict that more training could change; alone in an item of "
        "the list: for all claims"),
};
static const struct section section = {
    "a claim", "statement of a paper that results can support or contradict", rows, COUNT_OF(rows),
    sizeof(struct claim_map)};

/* Reads groups of classes, [{class: [NOUN, VERB]}, {class: PRON}]. */
static void read_classes(const struct tree *compare, struct claim *claim, struct arena *arena)
{
    static const char *const keys[] = {"class", NULL};
    bool groups = compare->kind == TREE_LIST && compare->count == 2;
    for (int side = 0; groups && side < 2; side++) groups = compare->item[side]->kind == TREE_MAP;
    if (!groups)
        die_at(compare->location, "compare: within a row expected two groups of classes, as in "
                                  "[{class: [NOUN, VERB]}, {class: [CONJ, PRON]}]");
    for (int side = 0; side < 2; side++) {
        const struct tree *group = compare->item[side], *class = tree_get(group, "class");
        tree_only_keys(group, "compare", keys);
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
    const int forms = (read->compare != NULL) + (read->along >= 0) + (read->against != NULL);
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
    if (read->along >= 0 && column->of.number[DIMENSION_LAYER])
        die_at(column->location,
               "metric: expected no layer, because along: layer takes all layers; got layer %d",
               column->of.number[DIMENSION_LAYER]);
    claim->form = read->compare ? CLAIM_CLASSES : read->along >= 0 ? CLAIM_SLOPE : CLAIM_LEVEL;
    if (read->compare) read_classes(read->compare, claim, arena);
    if (read->against) claim->level = scalar_real(read->against, "against", 0, 0);
    int(*pair)[2] = arena_alloc(arena, sizeof *pair);
    (*pair)[0] = (*pair)[1] = read_row(read->row, "row", grid, like, arena);
    claim->pairs = (*pair)[0] >= 0;
    claim->pair = pair;
}

/* Reads a claim. `like` is a row with the coordinates of the claim's rows on the axes of the sweep
 * (read_row). The claim has no pairs if the command line has removed its rows or values. */
static struct claim read_claim(const struct tree *map, const struct grid *grid, int like,
                               struct arena *arena)
{
    struct claim_map read = {.expect = -1, .along = -1, .undertrained = -1};
    section_read_part(&section, map, &read, arena);
    if (!read.row && (read.against || read.along >= 0))
        die_at(map->location, "a claim: row is missing; expected row: NAME with along or against");
    if (!read.text || (!read.compare && !read.row) || read.expect < 0)
        die_at(map->location,
               "a claim: %s is missing; expected text, compare: [row, row] and "
               "expect: greater, less or equal",
               !read.text      ? "text"
               : !read.compare ? "compare"
                               : "expect");
    const struct tree *compare = read.compare;
    struct claim claim = {
        .text = read.text,
        .column = read_metric(read.metric, map, grid, arena),
        .expect = (enum claim_expect)read.expect,
        .smallest = read.smallest,
        .alpha = read.alpha,
        .undertrained = read.undertrained >= 0,
    };
    if (read.seeds) read_seeds(read.seeds, &claim, arena);
    if (read.row)
        read_within(&read, map, grid, like, &claim, arena);
    else if (compare->kind == TREE_MAP)
        read_effect(compare, grid, &claim, arena);
    else
        read_rows(compare, grid, like, &claim, arena);
    const bool two = !claim.form && !claim.alone && !claim.effect[0];
    if (read.seeds && (!two || claim_has_hypotheses(grid, &claim)))
        die_at(read.seeds->location, "seeds: expected compare: [ROW, ROW] of rows that have seeds");
    if (claim.expect == CLAIM_EQUAL && !(claim.smallest > 0))
        die_at(tree_get(map, "expect")->location,
               "expect: equal needs smallest, the difference that would matter, as "
               "in smallest: 0.3");
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

struct claims claims_read(const struct tree *list, const struct grid *grid, struct arena *arena)
{
    struct claims claims = {0};
    if (!list) return claims;
    if (list->kind != TREE_LIST)
        die_at(list->location,
               "claims: expected a list of {text: .., compare: [row, row], expect: ..}");
    struct claim *claim = ARENA_ARRAY(arena, struct claim, list->count * grid->rows + 1);
    int count = 0;
    bool allowed = false;
    for (int i = 0; i < list->count; i++) {
        if (is_allowance(list->item[i], arena)) {
            allowed = true;
            continue;
        }
        const struct tree *map = list->item[i], *compare = tree_get(map, "compare"),
                          *within = tree_get(map, "row");
        if (compare && compare->kind == TREE_LIST) {
            compare = grid_names_join(grid, compare, arena);
            map = tree_with(arena, map, "compare", compare);
        }
        bool swept = false; /* true: a sweep expands a name, and each resulting row has its claim */
        const int names = within ? 1 : compare && compare->kind == TREE_LIST ? compare->count : 0;
        for (int at = 0; at < names * grid->rows; at++) {
            const int r = at % grid->rows;
            const struct grid_row *row = &grid->row[r];
            const char *name = (within ? within : compare->item[at / grid->rows])->text;
            if (!r && swept) break;
            if (!name || !strcmp(row->name, name) || !grid_row_meant(row, name)) continue;
            swept = true;
            claim[count] = read_claim(map, grid, r, arena);
            claim[count].text = arena_print(arena, "%s (%s)", claim[count].text, row->name);
            count += claim[count].pairs > 0;
        }
        if (swept) continue;
        claim[count] = read_claim(map, grid, 0, arena);
        count += claim[count].pairs > 0;
    }
    for (int i = 0; i < count; i++) claim[i].undertrained |= allowed;
    return (struct claims){count, claim};
}

void claims_help(FILE *out)
{
    fputs("claims: a list of {text: .., compare: .., expect: ..}\n", out);
    section_help(&section, OPTION_KEYS, out);
}
