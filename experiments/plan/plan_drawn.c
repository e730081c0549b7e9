/* Checks the keys of a grid that describe its output (table, learned, claims, figures), before any
 * stage runs. */
#include <string.h>

#include "experiments/grid/kind.h"
#include "experiments/plan/plan.h"
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
    bool asks = !kind || !column->location.file || is_printed(grid->layout, column);
    for (int r = 0; r < grid->rows && !asks; r++) {
        const struct grid_resolved *resolved = grid->row[r].resolved;
        asks = !resolved || grid_asks(grid, resolved, kind);
    }
    if (!asks)
        die_at(column->location, "%s %s: no row computes it; expected %s in the grid", what,
               column->name, kind->evaluation->section->name);
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
        visit(context, &plan->figures.figure[i].left, "figures:");
        visit(context, &plan->figures.figure[i].right, "figures:");
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

void plan_read_drawn(struct plan *plan, struct grid *grid, struct arena *arena)
{
    check_axes(grid, arena);
    table_read(grid, arena);
    grid->learned = learned_read(grid->learned_map, grid, arena);
    plan->claims = claims_read(grid->claims, grid, arena);
    plan->figures = figure_read(grid->figures, grid, arena);
    if (!grid->words.taken) plan_each_column(plan, check_column, grid);
}
