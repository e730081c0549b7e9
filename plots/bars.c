/* Draws a value for each row, with a tic for each row on the horizontal axis. The value is a bar,
 * or a point if its axis does not begin at 0. The kind window also draws a line on the right
 * axis. */
#include <math.h>
#include <string.h>

#include "plots/figure_points.h"

/* Adds the series of a column, with a point for each row. */
static void read_side(struct plot *plot, struct figure_side *side, enum series_style style,
                      const struct column *column)
{
    const struct figure *figure = plot->figure;
    points_series(plot, style, NULL, true);
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i], tic = points_tic(plot, points_line_name(plot, row));
        points_value(plot, side, column, row, tic + 1, NULL);
    }
    if (!side->drawn && dimensions_some(&column->of)) sample_check_names(plot->reader, column);
}

/* Adds a caption, `what`, that lists the rows without a value in the series with index `series`. */
static void note_missing(struct plot *plot, const char *what, int series,
                         const struct column *column)
{
    struct name_list *list = &plot->lacks;
    *list = (struct name_list){.arena = plot->arena};
    for (int i = plot->series[series].first, k = 0; k < plot->figure->rows; i++, k++)
        if (!isfinite(plot->point[i].mean))
            points_lack(plot, points_row_name(plot, plot->point[i].row), plot->point[i].row,
                        column);
    if (list->count) canvas_caption(plot->canvas, "%s: %s.", what, name_list_text(list));
    list->count = 0;
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    struct canvas *canvas = plot->canvas;
    const bool pair = figure->right.name;
    const char *label[] = {*figure->y ? figure->y : points_label_of(plot, &figure->left), NULL};
    const struct column *column[] = {&figure->left, &figure->right};
    plot->tics.lies = 15;
    read_side(plot, &plot->left, SERIES_SOLID, column[0]);
    if (pair) {
        label[1] = *figure->y2 ? figure->y2 : points_label_of(plot, column[1]);
        read_side(plot, &plot->right, SERIES_RIGHT, column[1]);
    }
    const bool both = plot->left.drawn && plot->right.drawn,
               /* If only the right side has values, they are drawn as bars on the left axis. */
        swapped = !plot->left.drawn && plot->right.drawn;
    if (swapped) {
        plot->left = plot->right;
        plot->series[0].style = SERIES_RIGHT;
        plot->series[1].style = SERIES_SOLID;
    }
    if (!both) plot->right.drawn = 0;
    const struct figure_side *left = &plot->left, *right = &plot->right;
    canvas_text(canvas, "label_x", figure->x);
    canvas_text(canvas, "label_y", label[swapped]);
    canvas_text(canvas, "key_left", label[swapped]);
    canvas_text(canvas, "label_y2", both ? label[1] : "");
    canvas_text(canvas, "key_right", both ? label[1] : "");
    canvas_number(canvas, "right", both);
    if (!left->drawn) plot->series_count = 0;
    /* If there is also a line, the axes are scaled so that the line is above the bars. */
    const bool zero =
        !left->drawn || points_left(plot, left->low, left->high, 0.4, both ? 1.3 : 0.2);
    canvas_number(canvas, "from_zero", zero);
    const bool right_zero =
        !both || canvas_axis(canvas, "right", right->low, right->high, 1.6, 0.15);
    points_note_side(plot, left, zero ? "Bars" : "Points", label[swapped]);
    if (both) points_note_side(plot, right, "Line", label[1]);
    if (left->drawn) points_note_seeds(plot);
    if (plot->figure->log_y) canvas_caption(canvas, "The axis is logarithmic.");
    /* If an axis does not begin at 0, a caption must say so, because distances from the bottom
     * would mislead. */
    else if (!zero && !right_zero)
        canvas_caption(canvas, "The axes do not begin at 0.");
    else if (!zero || !right_zero)
        canvas_caption(canvas, "The %saxis does not begin at 0.",
                       !both  ? ""
                       : zero ? "right "
                              : "left ");
    note_missing(plot, "Not drawn", swapped, column[swapped]);
    if (pair && left->drawn)
        note_missing(plot,
                     both ? "Not on the line" : arena_print(plot->arena, "No %s", label[!swapped]),
                     !swapped, column[!swapped]);
}

const struct figure_kind figure_window = {
    .name = "window",
    .template_name = "bars",
    .help =
        "bar (left; point if its axis does not begin at 0) and point of a line (right) for each "
        "row (Xu et al. 2019, figure 2)",
    .left = "bleu",
    .right = "gates.gate",
    .keys = "from to",
    .pair = true,
    .by = DIMENSIONS,
    .fill = fill,
};
const struct figure_kind figure_bars = {
    .name = "bars",
    .help = "bar for each row, or point if the axis does not begin at 0",
    .left = "bleu",
    .keys = "y:log from to",
    .by = DIMENSIONS,
    .fill = fill,
};
