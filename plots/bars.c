/* Draws a value for each row, with a tic for each row on the horizontal axis. The value is a bar,
 * or a point if its axis does not begin at 0. The kind window also draws a line on the right
 * axis. */
#include "plots/figure_points.h"

/* Adds the series of a column, with a point for each row. */
static void read_side(struct plot *plot, struct figure_side *side, enum series_style style,
                      const struct column *column, const char *label)
{
    const struct figure *figure = plot->figure;
    side->label = *label ? label : points_label_of(plot, column);
    points_series(plot, style, NULL, true);
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i], tic = points_tic(plot, points_line_name(plot, row)),
                  drawn = side->drawn;
        points_value(plot, side, column, row, tic + 1, NULL);
        const char *name = points_row_name(plot, row);
        if (figure->right.name) name = arena_print(plot->arena, "%s of %s", side->label, name);
        if (side->drawn == drawn) points_lack(plot, name, row, column);
    }
    if (!side->drawn && dimensions_some(&column->of)) sample_check_names(plot->reader, column);
}

void bars_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    struct canvas *canvas = plot->canvas;
    plot->tics.lies = 15;
    read_side(plot, &plot->left, SERIES_SOLID, &figure->left, figure->y);
    if (figure->right.name) read_side(plot, &plot->right, SERIES_RIGHT, &figure->right, figure->y2);
    if (!plot->left.drawn && plot->right.drawn) { /* the right side alone is drawn as bars */
        plot->left = plot->right;
        plot->right.drawn = 0;
        plot->series[0].style = SERIES_RIGHT;
        plot->series[1].style = SERIES_SOLID;
    }
    const struct figure_side *left = &plot->left, *right = &plot->right;
    const bool both = left->drawn && right->drawn;
    const char *label[] = {left->label, both ? right->label : ""};
    if (!both) plot->right.drawn = 0;
    canvas_text(canvas, "label_x", figure->x);
    canvas_text(canvas, "label_y", label[0]);
    canvas_text(canvas, "key_left", label[0]);
    canvas_text(canvas, "label_y2", label[1]);
    canvas_text(canvas, "key_right", label[1]);
    canvas_number(canvas, "right", both);
    if (!left->drawn) plot->series_count = 0;
    /* If there is also a line, the axes are scaled so that the line is above the bars. */
    const bool zero =
        !left->drawn || points_left(plot, left->low, left->high, 0.4, both ? 1.3 : 0.2);
    canvas_number(canvas, "from_zero", zero);
    plot->what = zero ? "Bars" : "Points, on an axis that does not begin at 0";
    if (both) canvas_axis(canvas, "right", right->low, right->high, 1.6, 0.15);
}
