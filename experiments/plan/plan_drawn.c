/* The keys of a grid that say what is made of its results are read by those who make it, and here
 * before anything runs. */
#include <string.h>

#include "experiments/grid/kind.h"
#include "experiments/plan/plan.h"
#include "results/table/learned.h"
#include "results/table/summary.h"

/* The kind of stages that a column shows, if rows must ask for them (`speed` is asked for by its
 * column); or NULL. */
static const struct stage_kind *kind_to_ask(const struct column *column)
{
    for (const struct stage_kind *const *kind = stage_kinds; *kind && column->kind; kind++)
        if (!strcmp((*kind)->name, column->kind) && (*kind)->evaluation &&
            !((*kind)->traits & KIND_PER_GRID))
            return *kind;
    return NULL;
}

/* Whether a paper has values of it. */
static bool is_printed(const struct layout *layout, const struct column *column)
{
    for (int i = 0; i < layout->paper.columns; i++)
        if (!strcmp(layout->paper.column[i].name, column->name)) return true;
    return false;
}

/* Rows without a run may have values of any kind: quoted ones, or those of hypotheses. */
static void check_column(const struct grid *grid, const struct column *column, const char *what)
{
    const struct stage_kind *kind = kind_to_ask(column);
    bool asks = !kind || !column->place.file || is_printed(grid->layout, column);
    for (int r = 0; r < grid->rows && !asks; r++) {
        const struct grid_point *point = grid_row_point(grid, r);
        asks = !point || grid_asks(grid, point, kind);
    }
    if (!asks)
        die_at(column->place, "%s %s: no row computes it; expected %s in the grid", what,
               column->name, kind->evaluation->section->name);
}

/* Dies where a table, figure or claim names a column whose stages no row asks for. */
static void check_columns(const struct plan *plan)
{
    const struct grid *grid = plan->grid;
    const struct layout *layout = grid->layout;
    for (int c = 0; c < layout->columns; c++) {
        const struct column_group *group = layout->column[c].group;
        check_column(grid, &layout->column[c], "table:");
        for (int i = 0; group && i < group->count; i++)
            check_column(grid, &group->member[i], "table:");
    }
    for (int f = 0; f < plan->figures.count; f++) {
        check_column(grid, &plan->figures.figure[f].left, "figures:");
        check_column(grid, &plan->figures.figure[f].right, "figures:");
    }
    if (grid->learned) check_column(grid, &grid->learned->column, "learned:");
    for (int c = 0; c < plan->claims.count; c++)
        check_column(grid, &plan->claims.claim[c].column, "claims:");
}

/* Dies where an axis has the name of a column: a filter and the table's columns know both. */
static void check_axes(const struct grid *grid, struct arena *arena)
{
    const char *nearest;
    struct column column;
    for (int i = 0; grid->words.axis[i]; i++)
        if (column_find(grid->words.axis[i], &column, &nearest, arena))
            die_at(grid->words.axis_place[i],
                   "the axis %s is a column of tables; expected another name", grid->words.axis[i]);
}

void plan_read_drawn(struct plan *plan, struct grid *grid, struct arena *arena)
{
    check_axes(grid, arena);
    summary_read(grid->table, grid, arena);
    grid->learned = learned_read(grid->learned_map, grid, arena);
    plan->claims = claims_read(grid->claims, grid, arena);
    plan->figures = figure_read(grid->figures, grid, arena);
    if (!grid->words.taken) check_columns(plan);
}
