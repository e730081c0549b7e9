/* Checks the keys of a grid that describe its output (table, learned, claims, figures), before any
 * stage runs. */
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/grid_record.h"
#include "experiments/grid/kind.h"
#include "experiments/plan/plan.h"
#include "results/table/expected.h"
#include "results/table/learned.h"
#include "results/table/summary.h"

/* Returns the kind whose values a column shows, if a row must request the kind; else NULL. A column
 * of a kind that covers the whole grid, such as `speed`, itself requests the kind. */
static const struct stage_kind *kind_to_ask(const struct column *column)
{
    const struct stage_kind *kind = column->kind ? stage_kind_find(column->kind) : NULL;
    return kind && kind->evaluation && !(kind->traits & KIND_PER_GRID) ? kind : NULL;
}

/* True if the table's paper has values of the column. */
static bool is_printed(const struct layout *layout, const struct column *column)
{
    for (int i = 0; i < layout->paper.columns; i++)
        if (!strcmp(layout->paper.column[i].name, column->name)) return true;
    return false;
}

/* Dies if no row requests the stages of a column. A row without a run is accepted for every column,
 * because its values are quoted, or are computed from files of hypotheses. */
static void check_column(void *context, const struct column *column, const char *what)
{
    const struct grid *grid = context;
    const struct stage_kind *kind = kind_to_ask(column);
    expected_check(grid, column);
    if (kind && column->item && !is_printed(grid->layout, column) &&
        !grid_computes(grid, column->kind))
        die_at(column_location(column), "%s %s: no row computes it; expected %s in the grid", what,
               column->name, kind->evaluation->section->name);
}

/* Returns the index of the first claim after `at` that comes from another map. */
static int next_claim(const struct claims *claims, int at)
{
    const struct tree *map = claims->claim[at].map;
    while (at < claims->count && claims->claim[at].map == map) at++;
    return at;
}

/* Returns a row without which a claim has no values, because the row does not compute the claim's
 * column; -1: none. A main effect needs a row on each side, other claims need all of their rows. */
static int find_missing(const struct grid *grid, const struct claim *claim)
{
    for (const struct claim_contrast *one = claim->contrast;
         one < claim->contrast + claim->contrasts; one++)
        for (int side = 0; side < 2; side++) {
            int missing = -1, computed = 0;
            for (int i = 0; i < one->rows[side]; i++)
                if (grid_row_computes(grid, one->row[side][i], column_first(&claim->column)->kind))
                    computed++;
                else
                    missing = one->row[side][i];
            if (missing >= 0 && !(one->unit == COMPARED_SIDES && computed)) return missing;
        }
    return -1;
}

/* Dies if none of the claims that come from one map, [claims], can have values. */
static void check_claim(const struct grid *grid, const struct claim *claim, int claims)
{
    int missing = -1;
    for (int i = 0; kind_to_ask(column_first(&claim->column)) && i < claims; i++)
        if ((missing = find_missing(grid, &claim[i])) < 0) return;
    if (missing >= 0)
        die_at(claim->map->location,
               "claims: row \"%s\" does not compute %s; expected a row that does",
               grid->row[missing].name, claim->column.name);
}

/* Calls `visit` for a column, and for the members of a mean. */
static void visit_one(const struct column *column, const char *what, plan_column_visitor *visit,
                      void *context)
{
    visit(context, column, what);
    const struct column *group = column_has(column, COLUMN_GROUP);
    for (int i = 0; group && i < group->arguments; i++) visit(context, &group->argument[i], what);
}

void plan_each_column(const struct plan *plan, plan_column_visitor *visit, void *context)
{
    const struct layout *layout = plan->grid->layout;
    for (int i = 0; i < layout->columns; i++)
        visit_one(&layout->column[i], "table:", visit, context);
    for (int i = 0; i < plan->figures.count; i++) {
        visit_one(&plan->figures.figure[i].left, "figures:", visit, context);
        visit_one(&plan->figures.figure[i].right, "figures:", visit, context);
    }
    if (plan->grid->learned) visit(context, &plan->grid->learned->column, "learned:");
    for (int i = 0; i < plan->claims.count; i++)
        visit_one(&plan->claims.claim[i].column, "claims:", visit, context);
}

/* Dies if an axis has the name of a column, because filters and table columns accept both. */
static void check_axes(const struct grid *grid, struct arena *arena)
{
    struct column column;
    for (int i = 0; grid->words.axis[i]; i++)
        if (column_find(grid->words.axis[i], &column, NULL, arena))
            die_at(grid->words.axis_location[i],
                   "the axis %s has the name of a table column; expected another name",
                   grid->words.axis[i]);
}

struct table_reading {
    struct grid *grid;
    struct arena *arena;
};

static void read_table(void *context)
{
    const struct table_reading *reading = context;
    layout_read(reading->grid->table, reading->grid, reading->arena);
}

/* Reads the table. Options of the command line may have changed the rows so that the key `by` does
 * not fit them. Then warns, and reads the table without `by`. */
static void table_read(struct grid *grid, struct arena *arena)
{
    struct table_reading reading = {grid, arena};
    char message[MESSAGE_BYTES];
    if (!grid->words.varied || !tree_get(grid->table, "by")) {
        read_table(&reading);
    } else if (!die_caught(read_table, &reading, message)) {
        grid->words.plain = true;
        read_table(&reading);
        warn("%s; the table has a line for each row instead", message);
    }
}

/* ---- claims about several grids ---- */

/* Returns the path of the first file that the texts of two plans have in common; NULL: none. Stages
 * without inputs read the texts. */
static const char *common_file(const struct plan *a, const struct plan *b)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            const struct stage *one = &a->task[i]->stage, *other = &b->task[k]->stage;
            for (int m = 0; m < one->files && !one->inputs && !other->inputs; m++)
                for (int n = 0; n < other->files; n++)
                    if (one->file[m].digest &&
                        word_same(one->file[m].digest, other->file[n].digest))
                        return one->file[m].path;
        }
    return NULL;
}

/* Plans another grid, which has only the claim `map`, without its key `over`. */
static struct plan *plan_over(const struct plan *plan, const struct tree *name,
                              const struct tree *map, struct arena *arena)
{
    const char *path =
        grid_base(arena, plan->grid->path, "over", scalar_text(name, "over"), name->location);
    struct grid *grid = grid_read(arena, path, NULL, 0, NULL);
    struct tree *claims = tree_new(arena, TREE_LIST, map->location);
    tree_add(arena, claims, NULL, tree_copy(arena, tree_without(arena, map, "over")));
    grid->claims = claims;
    grid->figures = NULL;
    die_at_about(arena_print(arena, "over: %s", grid->name));
    struct plan *other = plan_build(arena, grid, plan->runs, NULL);
    die_at_about(NULL);
    if (grid->incomplete) record_recall(plan->runs, grid, arena);
    return other;
}

/* Reads the other grids of the claims that come from one map, [claims]. The plan has its tasks. */
static void read_over(const struct plan *plan, struct claim *claim, int claims, struct arena *arena)
{
    const struct tree *over = claim->over;
    if (over->kind != TREE_LIST || !over->count)
        die_at(over->location, "over: expected a list of other grids, as in [GRID, GRID]");
    const struct plan **known = ARENA_ARRAY(arena, const struct plan *, over->count + 1);
    known[0] = plan;
    struct claim_over *list = ARENA_ARRAY(arena, struct claim_over, claims * over->count);
    for (int i = 0; i < claims; i++) {
        claim[i].grids = over->count;
        claim[i].grid = &list[i * over->count];
    }
    for (int g = 0; g < over->count; g++) {
        const struct tree *name = over->item[g];
        const struct plan *other = known[g + 1] = plan_over(plan, name, claim->map, arena);
        for (int k = 0; k <= g; k++) {
            const char *file = common_file(known[k], other);
            if (file)
                die_at(name->location,
                       "over: %s and %s both read %s, so they are not independent; expected grids "
                       "of different texts",
                       known[k]->grid->name, other->grid->name, file);
        }
        if (other->claims.count != claims)
            die_at(name->location, "over: the claim is about %d rows of %s, and %d of %s", claims,
                   plan->grid->name, other->claims.count, other->grid->name);
        for (int i = 0; i < claims; i++) {
            const struct claim *its = &other->claims.claim[i];
            const struct claim_contrast *one = claim[i].contrast, *same = its->contrast;
            if (strcmp(one->side[0], same->side[0]) || strcmp(one->side[1], same->side[1]) ||
                one->rows[0] != same->rows[0] || one->rows[1] != same->rows[1])
                die_at(name->location,
                       "over: %s does not have the rows of \"%s\" against \"%s\"; expected the "
                       "rows of %s",
                       other->grid->name, one->side[0], one->side[1], plan->grid->name);
            list[i * over->count + g] = (struct claim_over){other->grid, its};
        }
    }
}

void plan_read_over(struct plan *plan, struct arena *arena)
{
    struct claim *claim = ARENA_ARRAY(arena, struct claim, plan->claims.count);
    for (int i = 0; i < plan->claims.count; i++) claim[i] = plan->claims.claim[i];
    for (int i = 0, next; i < plan->claims.count; i = next) {
        next = next_claim(&plan->claims, i);
        if (claim[i].over) read_over(plan, &claim[i], next - i, arena);
    }
    plan->claims.claim = claim;
}

void plan_read_drawn(struct plan *plan, struct grid *grid, struct arena *arena)
{
    check_axes(grid, arena);
    table_read(grid, arena);
    grid->learned = learned_read(grid->learned_map, grid, arena);
    plan->claims = claims_read(grid->claims, grid, arena);
    plan->figures = figure_read(grid->figures, grid, arena);
    plan_each_column(plan, check_column, grid);
    for (int i = 0, next; i < plan->claims.count && !grid->words.varied; i = next) {
        const struct claim *claim = &plan->claims.claim[i];
        next = next_claim(&plan->claims, i);
        check_claim(grid, claim, next - i);
    }
}
