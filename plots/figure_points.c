/* Collects the points of a figure from the values of its rows, and writes data.tsv. Points are kept
 * until the figure is complete, because series without any value are removed. */
#include "plots/figure_points.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/location.h"
#include "results/store/kept_file.h"
#include "results/sheet/number_format.h"

/* ---- lines and points ---- */

const char *points_line_name(const struct plot *plot, int row)
{
    return frames_rest(plot->figure, plot->reader->grid, row, 0, NULL, plot->arena);
}

int points_series(struct plot *plot, enum series_style style, const char *name, bool kept)
{
    ARENA_MORE(plot->arena, plot->series, plot->series_count);
    plot->series[plot->series_count] = (struct series){name, style, kept, 0, plot->points};
    return plot->series_count++;
}

int points_series_of(struct plot *plot, enum series_style style, const char *name)
{
    for (int l = 0; l < plot->series_count; l++)
        if (!strcmp(plot->series[l].name, name)) return l;
    return points_series(plot, style, name, false);
}

struct point points_plain(const struct plot *plot, int row, const char *name)
{
    return (struct point){.series = plot->series_count - 1,
                          .row = row,
                          .frame = plot->frame,
                          .name = name,
                          .low = (double)NAN,
                          .high = (double)NAN};
}

void points_reach(struct figure_side *side, double at)
{
    if (!isfinite(at)) return;
    side->low = side->reaches ? fmin(side->low, at) : at;
    side->high = side->reaches ? fmax(side->high, at) : at;
    side->reaches = true;
}

void points_add(struct plot *plot, struct figure_side *side, struct point point)
{
    ARENA_ADD(plot->arena, plot->point, plot->points, point);
    points_reach(side, point.mean);
    points_reach(side, point.low);
    points_reach(side, point.high);
}

void points_at(struct plot *plot, struct point point, double x, double mean)
{
    point.x = x;
    point.mean = mean;
    if (!point.place) point.place = canvas_place(plot->canvas, x);
    points_add(plot, &plot->left, point);
}

struct sample points_read(struct plot *plot, struct figure_side *side, const struct column *column,
                          int row)
{
    const struct sample value = value_read(plot->reader, column, row);
    const char *signature = value.signature;
    if (plot->figure->columns > 1)
        signature = sample_signature(signature, column, false, plot->arena);
    if (signature) {
        side->mixed |= side->signature && strcmp(side->signature, signature) != 0;
        side->signature = signature;
    }
    if (!isfinite(value.mean)) return value;
    side->least = side->drawn && side->least < value.count ? side->least : value.count;
    side->most = value.count > side->most ? value.count : side->most;
    side->drawn++;
    if (value.over) side->over = value.over;
    return value;
}

static bool has_limits(const struct figure_words *words)
{
    return words->low < words->high;
}

const char *points_number(const struct plot *plot, const struct column *column, const char *end)
{
    const struct measure *measure = column->kind ? column_offered(column) : NULL;
    return measure ? offer_number(column->kind, measure->name, end, plot->arena) : NULL;
}

void points_bar(struct point *point, const struct column *column, double half)
{
    const struct figure_words words = figure_words(column);
    point->low = point->mean - half;
    point->high = point->mean + half;
    if (!isfinite(half) || !has_limits(&words) || column_has(column, COLUMN_MARGIN)) return;
    point->low = fmax(point->low, words.low);
    point->high = fmin(point->high, words.high);
}

struct sample points_value(struct plot *plot, struct figure_side *side, const struct column *column,
                           int row, double x, const char *place)
{
    const struct figure_kind *kind = plot->figure->kind;
    const struct measure *measure = column_offered(column);
    struct sample value = points_read(plot, side, column, row);
    struct column *kept = ARENA_NEW(plot->arena, struct column);
    *kept = *column;
    const char *of_one = points_number(plot, column, "_sd");
    const char *bars =
        value.over ? arena_print(plot->arena, "standard deviation over %s", value.over) : "";
    if (kind->traits & FIGURE_INTERVALS) bars = POINTS_INTERVAL;
    if (kind->traits & FIGURE_VIEWS && of_one) {
        value.deviation = value_root(plot->reader, column, row, of_one);
        const struct figure_words words = figure_words(column);
        bars = arena_print(plot->arena, "standard deviation of single %s",
                           measure->counted ? measure->counted : "values");
        if (has_limits(&words))
            bars = arena_print(plot->arena, "%s, cut at %s", bars,
                               number_short(plot->arena, words.low));
        if (has_limits(&words) && isfinite(words.high))
            bars =
                arena_print(plot->arena, "%s and %s", bars, number_short(plot->arena, words.high));
    }
    if (kind->by == DIMENSION_CLASS && measure && !value.over) {
        value.deviation = value_root(plot->reader, column, row,
                                     of_one ? points_number(plot, column, "_se") : NULL);
        bars = arena_print(plot->arena, "standard error by bootstrap over %s",
                           measure->items ? measure->items : "items");
    }
    struct point point = points_plain(plot, row, column->name);
    point.x = x;
    point.place = place;
    point.column = kept;
    point.value = value;
    point.mean = value.mean;
    points_bar(&point, column,
               kind->traits & FIGURE_INTERVALS ? value_reach(&value) : value.deviation);
    if (isfinite(point.low)) side->bars = bars;
    points_add(plot, side, point);
    return value;
}

void points_curve(struct plot *plot, struct figure_side *side, int row, const struct column *column,
                  const struct value_curve *curve, double all)
{
    struct point point = points_plain(plot, row, column->name);
    point.column = column;
    for (int k = 0; k < curve->steps; k++) {
        point.x = all > 0 ? 100 * curve->step[k] / all : curve->step[k];
        point.place = all > 0 ? canvas_place(plot->canvas, point.x)
                              : arena_print(plot->arena, "%.15g", point.x);
        point.mean = curve->value[k];
        point.low =
            fmax(0, point.mean - curve->deviation[k]); /* at least 0, because metrics of curves are
                                                          never negative */
        if (!isfinite(curve->deviation[k])) point.low = (double)NAN;
        point.high = point.mean + curve->deviation[k];
        points_add(plot, side, point);
    }
}

const char *points_file(const struct plot *plot, const char *id, const char *name,
                        const char **problem)
{
    if (*problem) return NULL;
    return kept_file(plot->reader->store, plot->figure->left.kind, id, name, problem, plot->arena);
}

void points_refuse(struct plot *plot, int row, const char *problem)
{
    if (problem)
        plot->canvas->refused =
            arena_print(plot->arena, "%s: %s", points_row_name(plot, row), problem);
}

bool points_has(const struct plot *plot, int series)
{
    bool has = plot->series[series].kept;
    for (int i = plot->series[series].first; i < plot->points && !has; i++)
        has = plot->point[i].series == series && isfinite(plot->point[i].mean);
    return has;
}

const struct point *points_last(const struct plot *plot, int series)
{
    const struct point *last = NULL;
    for (int i = 0; i < plot->points; i++)
        if (plot->point[i].series == series && isfinite(plot->point[i].mean))
            last = &plot->point[i];
    return last;
}

struct sample points_metric(const struct plot *plot, const struct point *point, const char *metric)
{
    const struct column column =
        value_filter(point->column, (struct dimensions){0}, metric, plot->arena);
    return value_read(plot->reader, &column, point->row);
}

int points_other(struct plot *plot, enum series_style style, int series, const char *metric,
                 const char *name)
{
    const int points = plot->points;
    int known = 0;
    plot->series[points_series(plot, style, name, true)].of = series;
    for (int i = plot->series[series].first; i < points; i++) {
        struct point point = plot->point[i];
        if (point.series != series) continue;
        point.value = points_metric(plot, &point, metric);
        point.series = plot->series_count - 1;
        point.mean = point.value.mean;
        point.low = point.high = (double)NAN;
        if (style == SERIES_AGAINST) point.frame = FRAMES_ALL;
        point.name = arena_print(
            plot->arena, "%s.%s%s", column_first(point.column)->kind, metric,
            style == SERIES_BEFORE ? dimensions_text(&point.column->of, plot->arena) : "");
        if (!isfinite(point.mean)) point.name = NULL;
        known += isfinite(point.mean);
        points_add(plot, &plot->left, point);
    }
    return known;
}

void points_before(struct plot *plot)
{
    const char *start = points_number(plot, &plot->figure->left, "_start");
    const int series_count = plot->series_count, points = plot->points;
    int known = 0;
    if (!start || plot->figure->left.part || column_has(&plot->figure->left, COLUMN_MARGIN)) return;
    for (int l = 0; l < series_count; l++)
        known += points_other(plot, SERIES_BEFORE, l, start, "Before training");
    if (known) canvas_caption(plot->canvas, "Hollow: of the parameters that training began with.");
    if (!known) plot->series_count = series_count, plot->points = points;
}

/* ---- data.tsv ---- */

void points_record(struct plot *plot)
{
    const bool single = plot->figure->kind->traits & FIGURE_SINGLE;
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        const struct sample *of = &point->value;
        const char *row = points_row_name(plot, point->row), *group = point->group, *seed = NULL;
        if (!point->name) continue;
        if (!group && point->series >= 0) group = plot->series[point->series].name;
        for (int s = 0; s < (of->value ? of->total : 1); s++) {
            const double one = of->value ? of->value[s] : (double)NAN;
            if (of->seed) seed = arena_print(plot->arena, "%lld", (long long)of->seed[s].seed);
            canvas_record(plot->canvas,
                          (const char *[]){row, group ? group : row,
                                           point->axis ? point->axis : plot->axis, point->place,
                                           point->name, seed},
                          (double[]){single ? point->mean : one, single ? one : point->mean,
                                     point->low, point->high});
        }
    }
}
