/* Draws a heat map: a gray cell for each combination of coordinates on two axes. An axis is an axis
 * of the sweep, a dimension of the value (layer, class), or the rows. */
#include <math.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "plots/figure_points.h"

/* The coordinates of a cell. layer is 0 and class NULL if they are not an axis. */
struct heat_cell {
    int row, place, layer;
    const char *class;
};

/* Returns the coordinate of a cell on an axis; NULL if its row is not on the axis. other: the
 * second axis of the figure */
static const char *coordinate(const struct figure *figure, const struct grid *grid,
                              const struct heat_cell *cell, const char *axis, const char *other,
                              struct arena *arena)
{
    const struct grid_row *row = &grid->row[cell->row];
    const struct grid_coordinate *on = grid_row_coordinate(row, cell->place, axis);
    if (!strcmp(axis, dimension_names[DIMENSION_LAYER]))
        return arena_print(arena, "%d", cell->layer);
    if (!strcmp(axis, dimension_names[DIMENSION_CLASS])) return cell->class;
    if (!strcmp(axis, FIGURE_ROW))
        return frames_rest(figure, grid, cell->row, cell->place,
                           grid_row_coordinate(row, cell->place, other), arena);
    return on ? on->value : NULL;
}

/* Returns the key of a further axis on which two rows differ; FIGURE_ROW: there is none. */
static const char *axis_between(const struct figure *figure, const struct grid_row *row,
                                const struct grid_row *other)
{
    const char *const known[] = {figure->axis, figure->down, NULL};
    for (int i = 0; i < row->coordinates; i++) {
        const struct grid_coordinate *its = grid_row_coordinate(other, 0, row->coordinate[i].key);
        if (its && strcmp(its->value, row->coordinate[i].value) != 0 &&
            !word_known(its->key, known))
            return its->key;
    }
    return FIGURE_ROW;
}

/* True if a row can have values, and so has cells. */
static bool has_cells(const struct figure *figure, const struct grid *grid, int row)
{
    return grid_row_computes(grid, row, column_first(&figure->left)->kind);
}

/* Returns a text about two rows that would be in the same cell; NULL: there are none. */
static const char *find_clash(const struct figure *figure, const struct grid *grid,
                              struct arena *arena)
{
    struct hash_table *rows = hash_table_new(arena, 64); /* maps the text of a cell to its row */
    for (int i = 0; i < figure->rows; i++) {
        const int r = figure->row[i];
        if (!has_cells(figure, grid, r)) continue;
        for (int p = 0; p <= grid->row[r].more; p++) {
            const struct heat_cell cell = {r, p, 0, ""};
            const char *x = coordinate(figure, grid, &cell, figure->axis, figure->down, arena),
                       *y = coordinate(figure, grid, &cell, figure->down, figure->axis, arena);
            if (!x || !y) continue;
            const char *at = arena_print(arena, "%d\n%s\n%s", frames_of(figure, grid, r, p), x, y);
            const struct grid_row *other = &grid->row[*hash_table_at(rows, at, strlen(at), r)];
            if (other != &grid->row[r])
                return arena_print(arena,
                                   "rows: \"%s\" and \"%s\" are in the same cell; expected frame: "
                                   "%s, or one row, as rows: [\"%s\"]",
                                   other->name, grid->row[r].name,
                                   axis_between(figure, &grid->row[r], other), grid->row[r].name);
        }
    }
    return NULL;
}

static void check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    if (!strcmp(figure->axis, figure->down))
        die_at(figure->at_left, "figures: both axes of a heat figure are \"%s\"", figure->axis);
    for (int d = DIMENSION_LAYER; d < DIMENSIONS; d++)
        if (figure_is_along(figure, d)) figure_check_by(&figure->left, d);
    const char *clash = grid->words.varied ? NULL : find_clash(figure, grid, arena);
    if (clash) die_at(figure->at_left, "figures.%s", clash);
}

static void put_cell(struct plot *plot, const struct heat_cell *cell)
{
    const struct figure *figure = plot->figure;
    const struct grid *grid = plot->reader->grid;
    struct arena *arena = plot->arena;
    const char *x = coordinate(figure, grid, cell, figure->axis, figure->down, arena),
               *y = coordinate(figure, grid, cell, figure->down, figure->axis, arena);
    const struct dimensions at = {.number[DIMENSION_LAYER] = cell->layer, .class = cell->class};
    const struct column column = value_filter(&figure->left, at, NULL, arena);
    if (!x || !y) return;
    const int tic = points_tic(plot, x) + 1, series = points_series_of(plot, SERIES_SOLID, y);
    plot->frame = frames_of(figure, grid, cell->row, cell->place);
    points_value(plot, &plot->left, &column, cell->row, tic, x);
    plot->point[plot->points - 1].series = series;
}

/* Adds the cells of a row, at all of its places. */
static void put_row(struct plot *plot, int row)
{
    const struct figure *figure = plot->figure;
    const struct grid *grid = plot->reader->grid;
    const int drawn = plot->left.drawn, points = plot->points;
    const bool by_layer = figure_is_along(figure, DIMENSION_LAYER);
    struct column column = figure->left;
    const char **class = NULL;
    int classes = 0, layers = 0;
    if (figure_is_along(figure, DIMENSION_CLASS)) {
        classes = sample_classes(plot->reader, &column, &class);
        if (classes && by_layer)
            column = value_filter(&column, (struct dimensions){.class = *class}, NULL, plot->arena);
    }
    if (by_layer) layers = value_layers(plot->reader, &column, row);
    for (int p = 0; p <= grid->row[row].more && has_cells(figure, grid, row); p++)
        for (int l = by_layer; l <= layers; l++)
            for (int c = 0; c < (classes ? classes : 1); c++)
                put_cell(plot, &(struct heat_cell){row, p, l, classes ? class[c] : NULL});
    if (plot->points == points && by_layer <= layers && has_cells(figure, grid, row))
        name_list_add(&plot->lacks,
                      arena_print(plot->arena, "%s (not on the axes)", points_row_name(plot, row)));
    else if (plot->left.drawn == drawn)
        points_lack(plot, points_row_name(plot, row), row, &figure->left);
}

/* Returns the number of frames with cells. Frames without cells are not drawn. */
static int drawn_frames(const struct plot *plot)
{
    int frames = 0;
    for (int f = 1; f <= plot->figure->frames; f++) {
        int i = 0;
        while (i < plot->points && plot->point[i].frame && plot->point[i].frame != f) i++;
        frames += i < plot->points;
    }
    return frames ? frames : 1;
}

static void put_scale(struct plot *plot, const char *label)
{
    double low = INFINITY, high = -INFINITY;
    const int frames = drawn_frames(plot);
    int missing = frames * plot->series_count * plot->tics.count;
    for (int i = 0; i < plot->points; i++) {
        const double mean = plot->point[i].mean;
        if (isfinite(mean)) missing -= plot->point[i].frame ? 1 : frames;
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    const double beyond = points_given(plot, &low, &high) || low < high ? 0 : 0.5;
    canvas_axis(plot->canvas, "scale", low, high, beyond, beyond);
    canvas_number(plot->canvas, "digits", plot->figure->left.measure->decimals);
    canvas_text(plot->canvas, "label_scale", label);
    canvas_caption(plot->canvas, "Cells: %s%s.", label,
                   plot->left.most > 1 ? ", means over seeds" : "");
    if (missing) canvas_caption(plot->canvas, "–: no value.");
    points_note_signature(plot, &plot->left, label);
}

static const char *label_of(const struct plot *plot, const char *axis)
{
    const char *layers = figure_words(&plot->figure->left).layers;
    if (!strcmp(axis, dimension_names[DIMENSION_LAYER])) return layers ? layers : "Layer";
    return figure_dimension(axis) || !strcmp(axis, FIGURE_ROW) ? "" : column_last_word(axis);
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const char *label = *figure->y2 ? figure->y2 : points_label_of(plot, &figure->left);
    points_label(plot, label_of(plot, figure->axis), label_of(plot, figure->down));
    plot->axis = figure->axis;
    plot->lineless = true;
    const char *clash = find_clash(figure, plot->reader->grid, plot->arena);
    if (clash) points_refuse_at(plot, figure->at_left, clash);
    for (int i = 0; i < figure->rows; i++) put_row(plot, figure->row[i]);
    if (!plot->left.drawn) plot->series_count = plot->points = plot->tics.count = 0;
    if (!plot->series_count) return;
    canvas_number(plot->canvas, "cells", 1);
    put_scale(plot, label);
}

const struct figure_kind figure_heat = {
    .name = "heat",
    .help =
        "value as gray cells of two axes, axis and down: axes of the sweep, layer, class or row",
    .left = "bleu",
    .keys = "axis down from to",
    .cells = true,
    .by = DIMENSIONS,
    .check = check,
    .fill = fill,
};
