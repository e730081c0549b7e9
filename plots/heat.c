/* Draws a heat map: a gray cell for each combination of coordinates on two axes. An axis is an axis
 * of the sweep, a dimension of the value (layer, class), or the rows. */
#include <math.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "plots/figure_points.h"

/* ---- cells of rows ---- */

/* A place of a row in a heat map. */
struct cell_place {
    int row, frame;
    const char *x, *y; /* coordinates on `axis` and `down`; "" if the axis is layer or class */
};

/* Returns the coordinate of a row at a place on an axis; NULL if the row is not on the axis. For a
 * dimension, returns "". other: the second axis of the figure */
static const char *row_coordinate(const struct figure *figure, const struct grid *grid, int row,
                                  int place, const char *axis, const char *other,
                                  struct arena *arena)
{
    const struct grid_row *of = &grid->row[row];
    const struct grid_coordinate *on = grid_row_coordinate(of, place, axis);
    if (figure_dimension(axis)) return "";
    if (!strcmp(axis, FIGURE_ROW))
        return frames_rest(figure, grid, row, place, grid_row_coordinate(of, place, other), arena);
    return on ? on->value : NULL;
}

/* Finds the cell of a row at a place. Returns false if the row does not compute the value, or is
 * not on both axes. */
static bool find_cell(const struct figure *figure, const struct grid *grid, int row, int place,
                      struct cell_place *cell, struct arena *arena)
{
    *cell = (struct cell_place){
        row, frames_of(figure, grid, row, place),
        row_coordinate(figure, grid, row, place, figure->axis, figure->down, arena),
        row_coordinate(figure, grid, row, place, figure->down, figure->axis, arena)};
    return cell->x && cell->y && grid_row_computes(grid, row, column_first(&figure->left)->kind);
}

/* Returns a text about two rows that would be in the same cell; NULL: there are none. */
static const char *cells_clash(const struct figure *figure, const struct grid *grid,
                               struct arena *arena)
{
    struct hash_table *first = hash_table_new(arena, (size_t)figure->rows); /* cell -> row */
    struct cell_place cell;
    for (int i = 0; i < figure->rows; i++)
        for (int r = figure->row[i], p = 0; p <= grid->row[r].more; p++) {
            if (!find_cell(figure, grid, r, p, &cell, arena)) continue;
            const char *at = arena_print(arena, "%d\n%s\n%s", cell.frame, cell.x, cell.y);
            const int64_t other = *hash_table_at(first, at, strlen(at), r);
            if (other != r)
                return arena_print(arena,
                                   "rows: \"%s\" and \"%s\" are in the same cell; expected a frame "
                                   "for each, or one row, as rows: [\"%s\"]",
                                   grid->row[other].name, grid->row[r].name, grid->row[r].name);
        }
    return NULL;
}

/* ---- the figure ---- */

void heat_check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    if (!strcmp(figure->axis, figure->down))
        die_at(figure->at_left, "figures: both axes of a heat figure are \"%s\"", figure->axis);
    for (int d = DIMENSION_LAYER; d < DIMENSIONS; d++)
        if (figure_is_along(figure, d)) figure_check_by(&figure->left, d, arena);
    const char *clash = grid->words.varied ? NULL : cells_clash(figure, grid, arena);
    if (clash) die_at(figure->at_left, "figures.%s", clash);
}

/* Returns the coordinate of a cell on an axis. `text` is that of its row. */
static const char *coordinate(const struct plot *plot, const char *axis, const char *text,
                              const struct dimensions *at)
{
    if (!strcmp(axis, dimension_names[DIMENSION_LAYER]))
        return arena_print(plot->arena, "%d", at->number[DIMENSION_LAYER]);
    return !strcmp(axis, dimension_names[DIMENSION_CLASS]) ? at->class : text;
}

static void put_cell(struct plot *plot, const struct cell_place *place, struct dimensions at)
{
    const struct figure *figure = plot->figure;
    const char *x = coordinate(plot, figure->axis, place->x, &at),
               *y = coordinate(plot, figure->down, place->y, &at);
    const struct column column = value_filter(&figure->left, at, NULL, plot->arena);
    if (!x || !y) return;
    const int tic = points_tic(plot, x) + 1, series = points_series_of(plot, SERIES_SOLID, y);
    plot->frame = place->frame;
    points_value(plot, &plot->left, &column, place->row, tic, x);
    plot->point[plot->points - 1].series = series;
}

/* Adds the cells of a row, at all of its places. */
static void put_row(struct plot *plot, int row)
{
    const struct figure *figure = plot->figure;
    const int drawn = plot->left.drawn;
    const bool by_layer = figure_is_along(figure, DIMENSION_LAYER);
    struct column column = figure->left;
    const char *none = NULL, **class = &none;
    int classes = 1, layers = 0, of_row = 0;
    if (figure_is_along(figure, DIMENSION_CLASS)) {
        classes = sample_classes(plot->reader, &column, &class);
        if (classes && by_layer)
            column = value_filter(&column, (struct dimensions){.class = *class}, NULL, plot->arena);
    }
    if (by_layer) layers = value_layers(plot->reader, &column, row);
    struct cell_place place;
    for (int p = 0; p <= plot->reader->grid->row[row].more; p++) {
        if (!find_cell(figure, plot->reader->grid, row, p, &place, plot->arena)) continue;
        of_row++;
        for (int l = by_layer; l <= layers; l++)
            for (int c = 0; c < classes; c++)
                put_cell(plot, &place,
                         (struct dimensions){.number[DIMENSION_LAYER] = l, .class = class[c]});
    }
    if (!of_row && grid_row_computes(plot->reader->grid, row, column_first(&figure->left)->kind))
        name_list_add(&plot->lacks,
                      arena_print(plot->arena, "%s (not on the axes)", points_row_name(plot, row)));
    else if (plot->left.drawn == drawn)
        points_lack(plot, points_row_name(plot, row), row, &figure->left);
}

static void put_scale(struct plot *plot, const char *label)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < plot->points; i++) {
        low = fmin(low, plot->point[i].mean);
        high = fmax(high, plot->point[i].mean);
    }
    const double beyond = points_given(plot, &low, &high) || low < high ? 0 : 0.5;
    canvas_axis(plot->canvas, "scale", low, high, beyond, beyond);
    canvas_number(plot->canvas, "digits", plot->figure->left.measure->decimals);
    canvas_text(plot->canvas, "label_scale", label);
    plot->left.label = label;
    plot->left.bars = NULL;
    plot->what = "Cells";
}

static const char *label_of(const char *axis)
{
    if (!strcmp(axis, dimension_names[DIMENSION_LAYER])) return FIGURE_LAYERS;
    return figure_dimension(axis) || !strcmp(axis, FIGURE_ROW) ? "" : column_last_word(axis);
}

void heat_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const char *label = *figure->y2 ? figure->y2 : points_label_of(plot, &figure->left);
    points_label(plot, label_of(figure->axis), label_of(figure->down));
    plot->lineless = true;
    const char *clash = cells_clash(figure, plot->reader->grid, plot->arena);
    if (clash) points_refuse_at(plot, figure->at_left, clash);
    for (int i = 0; i < figure->rows; i++) put_row(plot, figure->row[i]);
    if (!plot->left.drawn) plot->series_count = plot->points = plot->tics.count = 0;
    if (!plot->series_count) return;
    canvas_number(plot->canvas, "cells", 1);
    put_scale(plot, label);
}
