/* Draws a heat map: a gray cell for each combination of coordinates on two axes. An axis is an axis
 * of the sweep, a dimension of the value (layer, class), or the rows. */
#include <math.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "plots/figure_points.h"

/* Returns a text about two rows that would be in the same cell; NULL: there are none. */
static const char *cells_clash(const struct figure *figure, const struct grid *grid,
                               struct arena *arena)
{
    struct hash_table *first = hash_table_new(arena, (size_t)figure->rows); /* cell -> row */
    struct frame_cell cell;
    for (int i = 0; i < figure->rows; i++)
        for (int r = figure->row[i], p = 0; p <= grid->row[r].more; p++) {
            if (!frames_cell(figure, grid, r, p, &cell, arena)) continue;
            const char *at = arena_print(arena, "%d\n%s\n%s", cell.frame, cell.at[0], cell.at[1]);
            const int64_t other = *hash_table_at(first, at, strlen(at), r);
            if (other != r)
                return arena_print(arena,
                                   "rows: \"%s\" and \"%s\" are in the same cell; expected a frame "
                                   "for each, or one row, as rows: [\"%s\"]",
                                   grid->row[other].name, grid->row[r].name, grid->row[r].name);
        }
    return NULL;
}

void heat_check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    if (!strcmp(figure->axis, figure->down))
        die_at(figure->at_left, "figures: both axes of a heat figure are \"%s\"", figure->axis);
    for (int d = DIMENSION_LAYER; d < DIMENSIONS; d++)
        if (figure_is_along(figure, d)) figure_check_by(&figure->left, d, arena);
    const char *clash = grid->words.varied ? NULL : cells_clash(figure, grid, arena);
    if (clash) die_at(figure->at_left, "figures.%s", clash);
}

static void put_cell(struct plot *plot, const struct frame_cell *place, struct dimensions of)
{
    const struct figure *figure = plot->figure;
    const char *axis[] = {figure->axis, figure->down}, *at[] = {place->at[0], place->at[1]};
    const struct column column = value_filter(&figure->left, of, NULL, plot->arena);
    for (int k = 0; k < 2; k++) {
        if (!figure_dimension(axis[k])) continue;
        at[k] = strcmp(axis[k], dimension_names[DIMENSION_CLASS])
                    ? arena_print(plot->arena, "%d", of.number[DIMENSION_LAYER])
                    : of.class;
        if (!at[k]) return;
    }
    const int tic = points_tic(plot, at[0]) + 1,
              series = points_series_of(plot, SERIES_SOLID, at[1]);
    plot->frame = place->frame;
    points_value(plot, &plot->left, &column, place->row, tic, at[0]);
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
    struct frame_cell place;
    for (int p = 0; p <= plot->reader->grid->row[row].more; p++) {
        if (!frames_cell(figure, plot->reader->grid, row, p, &place, plot->arena)) continue;
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

static void put_scale(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < plot->points; i++) {
        low = fmin(low, plot->point[i].mean);
        high = fmax(high, plot->point[i].mean);
    }
    const double beyond = points_given(plot, &low, &high) || low < high ? 0 : 0.5;
    canvas_axis(plot->canvas, "scale", low, high, beyond, beyond);
    canvas_number(plot->canvas, "digits", figure->left.measure->decimals);
    plot->left.label = *figure->y2 ? figure->y2 : points_label_of(plot, &figure->left);
    canvas_text(plot->canvas, "label_scale", plot->left.label);
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
    points_label(plot, label_of(figure->axis), label_of(figure->down));
    plot->lineless = true;
    const char *clash = cells_clash(figure, plot->reader->grid, plot->arena);
    if (clash) points_refuse_at(plot, figure->at_left, clash);
    for (int i = 0; i < figure->rows; i++) put_row(plot, figure->row[i]);
    if (!plot->left.drawn) plot->series_count = plot->points = plot->tics.count = 0;
    if (!plot->series_count) return;
    canvas_number(plot->canvas, "cells", 1);
    put_scale(plot);
}
