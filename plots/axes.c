/* Axes of a figure: tics, labels, limits, and logarithmic scales. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/location.h"
#include "plots/figure_points.h"
#include "results/sheet/number_format.h"

int points_tic(struct plot *plot, const char *name)
{
    struct tics *tics = &plot->tics;
    for (int tic = 0; tic < tics->count; tic++)
        if (!strcmp(tics->name[tic], name)) return tic;
    ARENA_ADD(plot->arena, tics->name, tics->count, name);
    return tics->count - 1;
}

void points_scale(struct plot *plot)
{
    struct tics *tics = &plot->tics;
    const int count = tics->count;
    tics->numeric = true;
    tics->x = ARENA_ARRAY(plot->arena, double, count + 1);
    for (int i = 0; i < count; i++) tics->numeric &= real_parse(tics->name[i], &tics->x[i]);
    if (tics->numeric && count)
        qsort(tics->name, (size_t)count, sizeof *tics->name, number_compare);
    for (int i = 0; i < count; i++) tics->x[i] = tics->numeric ? number_read(tics->name[i]) : i + 1;
}

void points_refuse_at(struct plot *plot, struct location at, const char *text)
{
    plot->canvas->refused =
        arena_print(plot->arena, "%s:%d:%d: figures.%s", at.file, at.line, at.column, text);
}

/* Refuses the figure because the row or axis `of` has a value that is not above 0 on a logarithmic
 * axis. */
static void refuse_log(struct plot *plot, struct location at, const char *axis, const char *value,
                       const char *of)
{
    points_refuse_at(
        plot, at,
        arena_print(plot->arena, "%s: log: expected numbers above 0; %s has %s", axis, of, value));
}

void points_log_x(struct plot *plot)
{
    const struct tics *tics = &plot->tics;
    const struct location at = plot->figure->at_x;
    for (int i = 0; i < tics->count; i++)
        if (!tics->numeric || tics->x[i] <= 0) refuse_log(plot, at, "x", tics->name[i], "the axis");
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        if (point->series >= 0 && point->x <= 0 &&
            plot->series[point->series].style != SERIES_LEVEL)
            refuse_log(plot, at, "x", canvas_place(plot->canvas, point->x),
                       points_row_name(plot, point->row));
    }
    canvas_number(plot->canvas, "log_x", 1);
}

void points_tics(struct plot *plot)
{
    const struct tics *tics = &plot->tics;
    canvas_names(plot->canvas, "name", tics->name, tics->x, tics->count, CANVAS_NAME);
    canvas_number(plot->canvas, "tics", tics->count);
    canvas_number(plot->canvas, "scaled", tics->numeric);
    canvas_number(plot->canvas, "lies", tics->lies);
    canvas_number(plot->canvas, "room", plot->right.drawn ? 25 : 34);
}

void points_label(struct plot *plot, const char *x, const char *y)
{
    const struct figure *figure = plot->figure;
    plot->left.label = *figure->y ? figure->y : y;
    canvas_text(plot->canvas, "label_x", *figure->x ? figure->x : x);
    canvas_text(plot->canvas, "label_y", plot->left.label);
}

bool points_given(struct plot *plot, double *low, double *high)
{
    const struct figure *figure = plot->figure;
    if (figure->from >= figure->to) return false;
    if (*low < figure->from || *high > figure->to)
        canvas_caption(plot->canvas, "The axis is cut at %s and %s; some values are outside.",
                       number_short(plot->arena, figure->from),
                       number_short(plot->arena, figure->to));
    *low = figure->from;
    *high = figure->to;
    return true;
}

bool points_left(struct plot *plot, double low, double high, double below, double above)
{
    if (points_given(plot, &low, &high)) below = above = 0;
    if (!plot->figure->log_y) return canvas_axis(plot->canvas, "left", low, high, below, above);
    double least = INFINITY, bar = INFINITY;
    bool cut = false;
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        if (point->series < 0 || plot->series[point->series].style == SERIES_RIGHT) continue;
        if (point->mean <= 0)
            refuse_log(plot, plot->figure->at_y, "y", canvas_place(plot->canvas, point->mean),
                       points_row_name(plot, point->row));
        if (point->mean < least) least = point->mean;
        if (point->low < bar) bar = point->low;
    }
    if (plot->canvas->refused || !isfinite(least)) return false;
    if (bar < least) least = fmax(bar, least / 2);
    if (plot->figure->from < plot->figure->to) least = low;
    least = canvas_log(plot->canvas, "left", least, high);
    for (int i = 0; i < plot->points; i++) {
        if (!(plot->point[i].low < least)) continue;
        plot->point[i].low = least;
        cut = true;
    }
    if (cut) canvas_caption(plot->canvas, "Bars that end at the frame reach further down.");
    canvas_number(plot->canvas, "log_y", 1);
    return false;
}

void points_axis(struct plot *plot)
{
    const struct figure_words words = figure_words(&plot->figure->left);
    struct figure_side all = plot->left;
    double above = 0.08;
    const bool limits = !column_has(&plot->figure->left, COLUMN_MARGIN) && words.low < words.high,
               given = points_given(plot, &all.low, &all.high);
    const double low = given ? all.low : words.low, high = given ? all.high : words.high,
                 middle = given ? plot->figure->dotted : words.middle;
    const bool across = (limits || given) && low < middle && middle < high;
    if (across && !given) points_reach(&all, middle);
    /* The axis has no free space above the greatest possible value. */
    if (limits && all.high >= high - 0.07 * (high - low)) above = 0;
    canvas_number(plot->canvas, "dotted", across);
    canvas_number(plot->canvas, "middle", middle);
    points_left(plot, all.low, all.high, 0.08, above);
    /* A bar that ends at the least or greatest possible value must be drawn inside of the frame. */
    canvas_number(plot->canvas, "bar_at_low", limits && !given && all.low <= low);
    canvas_number(plot->canvas, "bar_at_high", limits && !given && all.high >= high);
}
