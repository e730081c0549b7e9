/* Points of a figure. They are kept until the figure is complete, because lines without any value
 * are removed, and the numbers of the legend depend on the remaining lines. */
#include "plots/points.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "results/store/kept_file.h"
#include "results/sheet/number.h"

/* ---- lines and points ---- */

int points_line(struct plot *plot, enum line_style style, const char *name, bool kept)
{
    ARENA_MORE(plot->arena, plot->line, plot->lines);
    plot->line[plot->lines] = (struct line){name, style, kept, plot->points};
    return plot->lines++;
}

struct point points_plain(const struct plot *plot, int row, const char *name)
{
    return (struct point){
        .line = plot->lines - 1, .row = row, .name = name, .low = (double)NAN, .high = (double)NAN};
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
    if (side->bare) return;
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

struct value_of_row points_read(struct plot *plot, struct figure_side *side,
                                const struct column *column, int row)
{
    const struct value_of_row value = value_read(plot->reader, column, row);
    const char *signature = value.of.signature;
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
    const struct measure *measure = column_offered(column);
    return measure ? offer_number(column->kind, measure->name, end, plot->arena) : NULL;
}

struct value_of_row points_value(struct plot *plot, struct figure_side *side,
                                 const struct column *column, int row, double x, const char *place)
{
    const struct figure_kind *kind = plot->figure->kind;
    const struct measure *measure = column_offered(column);
    struct value_of_row value = points_read(plot, side, column, row);
    struct column *kept = ARENA_NEW(plot->arena, struct column);
    *kept = *column;
    const char *of_one = points_number(plot, column, "_sd");
    if (kind->views && of_one) value.deviation = value_root(plot->reader, column, row, of_one);
    if (kind->by == DIMENSION_CLASS && measure && !value.over) {
        value.deviation = value_root(plot->reader, column, row,
                                     of_one ? points_number(plot, column, "_se") : NULL);
        side->errors |= isfinite(value.deviation);
    }
    const struct figure_words words = figure_words(column);
    const double half = kind->intervals ? value_reach(&value) : value.deviation;
    double low = value.mean - half, high = value.mean + half;
    if (isfinite(low) && kind->by != DIMENSIONS && has_limits(&words) &&
        !column_has(column, COLUMN_MARGIN)) {
        low = fmax(low, words.low);
        high = fmin(high, words.high);
    }
    struct point point = points_plain(plot, row, column->name);
    point.x = x;
    point.place = place;
    point.column = kept;
    point.value = value;
    point.mean = value.mean;
    point.low = low;
    point.high = high;
    points_add(plot, side, point);
    return value;
}

void points_curve(struct plot *plot, struct figure_side *side, int row, const struct column *column,
                  const struct value_curve *curve, double all)
{
    struct point point = points_plain(plot, row, column->name);
    point.column = column;
    for (int k = 0; k < curve->steps; k++) {
        const double at = all > 0 ? 100 * curve->step[k] / all : curve->step[k];
        point.x = all > 0 ? log10(at) : at;
        point.place =
            all > 0 ? canvas_place(plot->canvas, at) : arena_print(plot->arena, "%.15g", at);
        point.mean = curve->value[k];
        point.low = point.mean - curve->deviation[k];
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

static bool has_value(const struct plot *plot, int line)
{
    bool has = plot->line[line].kept;
    for (int i = plot->line[line].first; i < plot->points && !has; i++)
        has = plot->point[i].line == line && isfinite(plot->point[i].mean);
    return has;
}

const struct point *points_last(const struct plot *plot, int line)
{
    const struct point *last = NULL;
    for (int i = 0; i < plot->points; i++)
        if (plot->point[i].line == line && isfinite(plot->point[i].mean)) last = &plot->point[i];
    return last;
}

struct value_of_row points_metric(const struct plot *plot, const struct point *point,
                                  const char *metric)
{
    struct column column = *point->column;
    column.value = metric;
    return value_read(plot->reader, &column, point->row);
}

int points_other(struct plot *plot, enum line_style style, int line, const char *metric,
                 const char *name)
{
    const int points = plot->points;
    int known = 0;
    points_line(plot, style, name, true);
    for (int i = plot->line[line].first; i < points; i++) {
        struct point point = plot->point[i];
        if (point.line != line) continue;
        point.value = points_metric(plot, &point, metric);
        point.line = plot->lines - 1;
        point.mean = point.value.mean;
        point.low = point.high = (double)NAN;
        point.name = arena_print(
            plot->arena, "%s.%s%s", point.column->kind, metric,
            style == LINE_BEFORE ? dimensions_text(&point.column->of, plot->arena) : "");
        if (!isfinite(point.mean)) point.name = NULL;
        known += isfinite(point.mean);
        points_add(plot, &plot->left, point);
    }
    return known;
}

void points_before(struct plot *plot)
{
    const char *start = points_number(plot, &plot->figure->left, "_start");
    const int lines = plot->lines, points = plot->points;
    int known = 0;
    if (!start || plot->figure->left.part || column_has(&plot->figure->left, COLUMN_MARGIN)) return;
    for (int l = 0; l < lines; l++)
        known += points_other(plot, LINE_BEFORE, l, start, "Before training");
    if (known) canvas_caption(plot->canvas, "Dashed: of the parameters that training began with.");
    if (!known) plot->lines = lines, plot->points = points;
}

/* ---- the files ---- */

static int by_x(const void *a, const void *b)
{
    const struct point *one = *(const struct point *const *)a,
                       *other = *(const struct point *const *)b;
    return one->x != other->x ? (one->x > other->x) - (one->x < other->x)
                              : (one > other) - (one < other);
}

/* Writes the points of a line, by x: x, mean, low, high; or with `seeds` x and the value of
 * each. */
static void put_block(struct plot *plot, int line, bool seeds)
{
    const struct point **of = ARENA_ARRAY(plot->arena, const struct point *, plot->points + 1);
    int count = 0;
    for (int i = plot->line[line].first; i < plot->points; i++)
        if (plot->point[i].line == line) of[count++] = &plot->point[i];
    qsort(of, (size_t)count, sizeof *of, by_x);
    canvas_block(plot->canvas);
    if (!count) canvas_row(plot->canvas, (double[]){(double)NAN, (double)NAN}, 2);
    for (int i = 0; i < count; i++) {
        if (!seeds)
            canvas_row(plot->canvas, (double[]){of[i]->x, of[i]->mean, of[i]->low, of[i]->high}, 4);
        for (int s = 0; seeds && s < of[i]->value.of.total; s++)
            if (isfinite(of[i]->value.of.value[s]))
                canvas_row(plot->canvas, (double[]){of[i]->x, of[i]->value.of.value[s]}, 2);
    }
}

void points_put(struct plot *plot)
{
    static const char *const styles[LINE_STYLES] = {"solid",  "dotted_too", "against",
                                                    "across", "untrained",  "opposite"};
    const char **name = ARENA_ARRAY(plot->arena, const char *, plot->lines + 2);
    int of[LINE_STYLES] = {0}, names = 0;
    for (int style = 0; style < LINE_STYLES; style++)
        for (int l = 0; l < plot->lines; l++) {
            if ((int)plot->line[l].style != style || !has_value(plot, l)) continue;
            put_block(plot, l, false);
            of[style]++;
            if (plot->line[l].name && (style != LINE_BEFORE || of[style] == 1))
                name[names++] = plot->line[l].name;
        }
    for (int style = LINE_SOLID; style <= LINE_DOTTED && plot->figure->kind->axis; style++)
        for (int l = 0; l < plot->lines; l++)
            if ((int)plot->line[l].style == style && has_value(plot, l)) put_block(plot, l, true);
    if (plot->also) name[names++] = plot->also;
    canvas_names(plot->canvas, "row", name, NULL, names, CANVAS_NAME);
    canvas_number(plot->canvas, "series", names);
    for (int style = 0; style < LINE_STYLES; style++)
        canvas_number(plot->canvas, styles[style], of[style]);
    canvas_number(plot->canvas, "marked", plot->also || of[LINE_BEFORE] ? names : 0);
    canvas_number(plot->canvas, "seeds", plot->figure->kind->axis);
    canvas_number(plot->canvas, "bands", plot->figure->kind->bands ? of[LINE_SOLID] : 0);
}

void points_record(struct plot *plot)
{
    const bool single = plot->figure->kind->single;
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        const struct sample *of = &point->value.of;
        const char *row = points_row_name(plot, point->row), *group = point->group, *seed = NULL;
        if (!point->name) continue;
        if (!group && point->line >= 0) group = plot->line[point->line].name;
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

/* ---- axes ---- */

void points_scale(struct plot *plot)
{
    struct places *places = &plot->places;
    const int count = places->count;
    places->numeric = true;
    places->x = ARENA_ARRAY(plot->arena, double, count + 1);
    for (int i = 0; i < count; i++) places->numeric &= real_parse(places->name[i], &places->x[i]);
    if (places->numeric && count)
        qsort(places->name, (size_t)count, sizeof *places->name, number_compare);
    for (int i = 0; i < count; i++)
        places->x[i] = places->numeric ? number_read(places->name[i]) : i + 1;
}

void points_places(struct plot *plot)
{
    const struct places *places = &plot->places;
    canvas_names(plot->canvas, "name", places->name, places->x, places->count, CANVAS_NAME);
    canvas_number(plot->canvas, "tics", places->count);
    canvas_number(plot->canvas, "scaled", places->numeric);
    canvas_number(plot->canvas, "lies", places->lies);
    canvas_number(plot->canvas, "room", plot->right.drawn ? 25 : 34);
}

const char *points_label(struct plot *plot, const char *x, const char *y)
{
    const struct figure *figure = plot->figure;
    if (*figure->y) y = figure->y;
    canvas_text(plot->canvas, "label_x", *figure->x ? figure->x : x);
    canvas_text(plot->canvas, "label_y", y);
    return y;
}

/* Applies the grid's limits of the axis. Values outside are not drawn, with a caption. */
static bool axis_given(struct plot *plot, struct figure_side *all)
{
    const struct figure *figure = plot->figure;
    if (figure->from >= figure->to) return false;
    if (all->low < figure->from || all->high > figure->to)
        canvas_caption(plot->canvas, "The axis is cut at %s and %s; some values are outside.",
                       number_short(plot->arena, figure->from),
                       number_short(plot->arena, figure->to));
    all->low = figure->from;
    all->high = figure->to;
    return true;
}

void points_axis(struct plot *plot)
{
    const struct figure_words words = figure_words(&plot->figure->left);
    struct figure_side all = plot->left;
    double above = 0.08;
    const bool limits = !column_has(&plot->figure->left, COLUMN_MARGIN) && has_limits(&words),
               given = axis_given(plot, &all);
    const double low = given ? all.low : words.low, high = given ? all.high : words.high,
                 middle = given ? plot->figure->dotted : words.middle;
    const bool line = all.level || ((limits || given) && low < middle && middle < high);
    const double at = all.level ? all.at : middle;
    if (line && !given) points_reach(&all, at);
    /* No margin above the highest possible value. */
    if (given || (limits && all.high >= high - 0.07 * (high - low))) above = 0;
    canvas_number(plot->canvas, "dotted", line);
    canvas_number(plot->canvas, "middle", at);
    canvas_axis(plot->canvas, "left", all.low, all.high, given ? 0 : 0.08, above);
}

/* ---- lines of several rows, or of several columns of one ---- */

int points_wanted(const struct plot *plot, struct points_wanted **wanted)
{
    const struct figure *figure = plot->figure;
    const int count = figure->rows * figure->columns;
    *wanted = ARENA_ARRAY(plot->arena, struct points_wanted, count + 1);
    for (int i = 0; i < count; i++) {
        const int row = figure->row[i / figure->columns];
        const struct column *column = &figure->column[i % figure->columns];
        (*wanted)[i] = (struct points_wanted){
            row, column, figure->columns > 1 ? column->header : points_row_name(plot, row), 0};
    }
    return count;
}

/* Returns the value at a place as "layer 3 (failed)". */
static const char *lacked(struct plot *plot, const struct column *column, int row,
                          const char *place)
{
    const bool layer = isdigit((unsigned char)*place);
    return arena_print(plot->arena, "%s%s (%s)", layer ? "layer " : "", place,
                       value_why(plot->reader, row, column));
}

void points_along(struct plot *plot, const struct points_wanted *wanted, int count,
                  points_column *at)
{
    const struct places *places = &plot->places;
    for (const struct points_wanted *line = wanted; line < wanted + count; line++) {
        const int first = plot->points, index = points_line(plot, LINE_SOLID, line->name, false);
        const char *lacks = NULL;
        for (int p = 0; p < places->count; p++) {
            const struct column column = at(plot, line, p);
            const char *name = places->name[p];
            const double x = places->x ? places->x[p] : p + 1;
            if (!column.name) continue;
            const struct value_of_row value =
                points_value(plot, &plot->left, &column, line->row, x, name);
            if (!isfinite(value.mean))
                lacks =
                    arena_append(plot->arena, lacks, ", ", lacked(plot, &column, line->row, name));
        }
        if (!has_value(plot, index)) {
            plot->points = first;
            plot->lines = index;
            points_lack(plot, line->name, line->row, line->column);
        } else if (lacks && plot->figure->kind->views && line->column->part) {
            name_list_add(&plot->lacks, arena_print(plot->arena, "%s at %s", line->name, lacks));
        }
    }
}
