/* Draws a metric by an axis of the grid's sweep. A line connects the means of rows that differ only
 * on this axis. A row that is not on the axis is a horizontal line, dotted or dashed. In a
 * trajectory, the axis is one of checkpoints at(..), and each seed is a gray line. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "experiments/grid/axis.h"
#include "plots/figure_points.h"

/* Returns the name of a coordinate's tic: the number of at(..), or the coordinate itself. */
static const char *tic_name(struct plot *plot, const char *value)
{
    struct checkpoint_at at;
    if (!checkpoint_at_read(&at, value, plot->figure->axis)) return value;
    return arena_print(plot->arena, "%.*g", at.by_step ? 10 : number_digits(at.value, 1), at.value);
}

/* Sets the tics: the coordinates of the figure's rows on the axis, in the order of the grid, or
 * sorted if they are numbers. */
static void read_places(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const char *const *value = axis_values(plot->reader->grid, figure->axis, plot->arena);
    struct tics *tics = &plot->tics;
    for (; *value; value++) {
        bool used = false;
        for (int i = 0; i < figure->rows; i++) {
            const struct grid_row *row = &plot->reader->grid->row[figure->row[i]];
            for (int p = 0; p <= row->more; p++) {
                const struct grid_coordinate *on = grid_row_coordinate(row, p, figure->axis);
                used |= on && !strcmp(on->value, *value);
            }
        }
        if (used) ARENA_ADD(plot->arena, tics->name, tics->count, tic_name(plot, *value));
    }
    points_scale(plot);
}

static bool is_trajectory(const struct plot *plot)
{
    return !(plot->figure->kind->traits & FIGURE_INTERVALS);
}

/* True if a seed does not reach at(..). The mean of the other seeds is not drawn, because these
 * seeds are a selection. */
static bool is_selection(const struct plot *plot, const struct sample *value)
{
    return is_trajectory(plot) && sample_unreached(value) >= 0;
}

/* Adds the point of a row at a place. A row that is not on the axis becomes a horizontal line. The
 * name of the series is the row's name without its coordinate on the axis. */
static void put_point(struct plot *plot, int r, int place)
{
    const struct grid_row *row = &plot->reader->grid->row[r];
    const struct column *column = &plot->figure->left;
    const struct grid_coordinate *on = grid_row_coordinate(row, place, plot->figure->axis);
    const char *rest = frames_rest(plot->figure, plot->reader->grid, r, place, on, plot->arena);
    if (!on && place) return;
    const struct sample value = points_read(plot, &plot->left, column, r);
    struct point point = {.series = -1,
                          .row = r,
                          .frame = frames_of(plot->figure, plot->reader->grid, r, place),
                          .x = on ? plot->tics.x[points_tic(plot, tic_name(plot, on->value))] : 0,
                          .group = rest,
                          .place = on ? on->value : NULL,
                          .name = column->name,
                          .column = column,
                          .value = value,
                          .mean = value.mean};
    points_bar(&point, column, on && !is_trajectory(plot) ? value_reach(&value) : (double)NAN);
    if (isfinite(point.low)) plot->left.bars = POINTS_INTERVAL;
    if (isfinite(value.mean) && !is_selection(plot, &value)) {
        const bool baseline = value_is_baseline(plot->reader, r);
        point.series = points_series_of(plot, on ? SERIES_DOTTED : SERIES_LEVEL, point.group);
        if (on && !baseline) plot->series[point.series].style = SERIES_SOLID;
    }
    if (is_selection(plot, &value)) points_lack(plot, points_row_name(plot, r), r, column);
    points_add(plot, &plot->left, point);
    for (int s = 0; on && isfinite(value.mean) && s < value.total; s++) {
        points_reach(&plot->left, value.value[s]);
        if (!is_trajectory(plot)) continue;
        point.name = NULL; /* data.tsv has the seed already */
        point.series =
            points_series_of(plot, SERIES_AGAINST, arena_print(plot->arena, "%s\n%d", rest, s));
        point.mean = value.value[s];
        point.value = (struct sample){0};
        points_add(plot, &plot->left, point);
    }
}

void lines_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    struct checkpoint_at at = {0};
    const char *const *value = axis_values(plot->reader->grid, figure->axis, plot->arena);
    const bool crossing = checkpoint_at_read(&at, *value, figure->axis);
    points_label(plot,
                 !crossing    ? column_last_word(figure->axis)
                 : at.by_step ? "Optimizer steps"
                              : "Dev loss",
                 points_label_of(plot, &figure->left));
    canvas_number(plot->canvas, "falls", crossing && !at.by_step);
    read_places(plot);
    if (dimensions_some(&figure->left.of)) plot->checked = figure->left;
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i], first = plot->points;
        for (int p = 0; p <= plot->reader->grid->row[row].more; p++) put_point(plot, row, p);
        if (!isfinite(plot->point[first].mean) && !is_selection(plot, &plot->point[first].value))
            points_lack(plot, points_row_name(plot, row), row, &figure->left);
    }
    for (int l = 0; l < plot->series_count; l++) /* seeds are not in the legend */
        if (plot->series[l].style == SERIES_AGAINST) plot->series[l].name = NULL;
}

/* Exits with an error unless all values of the axis are at(dev_loss = ..), or all at(step = ..). */
void lines_check_crossings(const struct figure *figure, const struct grid *grid,
                           struct arena *arena)
{
    struct checkpoint_at first, at;
    const char *const *value = axis_values(grid, figure->axis, arena);
    for (int i = 0; value[i]; i++)
        if (!checkpoint_at_read(i ? &at : &first, value[i], figure->axis) ||
            (i && at.by_step != first.by_step))
            die_at(figure->at_left,
                   "figures.axis: a trajectory needs an axis of checkpoints, all at(dev_loss = ..) "
                   "or all at(step = ..); \"%s\" has %s",
                   figure->axis, value[i]);
}
