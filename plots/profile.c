/* A measure along classes that are sizes, as operators of a statement (Hao et al. 2019, figure 1):
 * a line for each row, a band where its seeds have an interval, what it is seen against, and where
 * the classes end that were learned from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "plots/series.h"
#include "results/store/offer.h"

static struct column read(const struct tree *item, struct arena *arena)
{
    return figure_read_by(item, DIMENSION_CLASS, arena);
}

/* The classes of the figure, by size and to scale where all are numbers, or in their order. */
struct profile_places {
    int count;
    const char **class;
    double *x; /* [count] ascending */
    bool numeric;
};

static struct profile_places places_of(struct value_reader *reader, const struct column *column)
{
    struct profile_places places = {.numeric = true};
    places.count = sample_classes(&reader->sampler, column, &places.class);
    places.x = ARENA_ARRAY(reader->arena, double, places.count + 1);
    for (int i = 0; i < places.count; i++)
        places.numeric &= real_parse(places.class[i], &places.x[i]);
    if (places.numeric && places.count)
        qsort(places.class, (size_t)places.count, sizeof(char *), number_compare);
    for (int i = 0; i < places.count; i++)
        places.x[i] = places.numeric ? number_read(places.class[i]) : i + 1;
    return places;
}

static struct value_of_row value_at(struct figure_side *side, struct value_reader *reader,
                                    const struct column *column, const char *class, int row,
                                    struct column *at)
{
    *at = *column;
    at->of.every = false;
    at->of.class = class;
    return figure_value(side, reader, at, row);
}

/* The points of a row; returns how many have an interval. */
static int put_line(struct canvas *canvas, struct value_reader *reader, struct figure_side *side,
                    const struct figure_series *series, const struct profile_places *places)
{
    const struct measure *measure = series->column->measure;
    int intervals = 0;
    for (int i = 0; i < places->count; i++) {
        struct column at;
        const struct value_of_row value =
            value_at(side, reader, series->column, places->class[i], series -> row, &at);
        const double reach = value_reach(&value);
        double low = value.mean - reach, high = value.mean + reach;
        if (isfinite(reach) && measure && measure->low < measure->high) {
            low = fmax(low, measure->low);
            high = fmin(high, measure->high);
        }
        intervals += isfinite(reach);
        canvas_row(canvas, (double[]){places->x[i], value.mean, low, high}, 4);
        figure_record(
            canvas, reader, &at, series->row,
            &(struct figure_record){NULL, "class", places->class[i], value.mean, low, high});
        if (!isfinite(value.mean)) continue;
        figure_reach(side, isfinite(reach) ? low : value.mean, isfinite(reach) ? high : value.mean);
    }
    return intervals;
}

/* ---- what rows are seen against, by class ---- */

static const struct measure *against_of(const struct column *column)
{
    const char *name = column->measure ? column->measure->against : NULL;
    const struct measure *other = name ? offer_measure(column->kind, name) : NULL;
    return other && other->dimensions & 1u << DIMENSION_CLASS ? other : NULL;
}

/* Whether all rows that are drawn have the same values, which are drawn then. */
static bool put_against(struct canvas *canvas, struct value_reader *reader,
                        struct figure_side *side, const struct series_list *list,
                        const struct profile_places *places, const struct measure *other)
{
    struct figure_side none = {0}; /* of a guess no signature and no seed is told */
    struct column column, at;
    double *line = ARENA_ARRAY(canvas->arena, double, places->count + 1);
    int row, first = -1, rows = 0;
    bool same = true;
    for (int s = 0; s < list->count; s++) {
        if (!list->series[s].drawn) continue;
        column = *list->series[s].column;
        column.value = other->name, column.measure = other;
        column.name = arena_print(canvas->arena, "%s.%s", column.kind, other->name);
        row = list->series[s].row;
        if (!rows) first = row;
        for (int i = 0; i < places->count; i++) {
            const double mean = value_at(&none, reader, &column, places->class[i], row, &at).mean;
            if (!isfinite(mean)) return false;
            same &= !rows || line[i] == mean;
            line[i] = mean;
        }
        rows++;
    }
    if (!rows || !same) {
        if (rows) canvas_caption(canvas, "%s, not drawn: rows have different ones.", other->header);
        return false;
    }
    canvas_next_series(canvas);
    for (int i = 0; i < places->count; i++) {
        canvas_row(canvas, (double[]){places->x[i], line[i]}, 2);
        value_at(&none, reader, &column, places->class[i], first, &at);
        figure_record(canvas, reader, &at, first,
                      &(struct figure_record){other->header, "class", places->class[i], line[i],
                                              (double)NAN, (double)NAN});
        figure_reach(side, line[i], line[i]);
    }
    canvas_caption(canvas, "Dotted: %s.", other->help ? other->help : other->name);
    return true;
}

/* ---- where the classes end that were learned from ---- */

/* The option that says it, as a row has it: "0-6"; NULL: none does. */
static const char *learned_of(const struct column *column, struct value_reader *reader, int row)
{
    const struct offer *offer = offer_of(column->kind);
    if (!column->measure || !column->measure->learned || !offer || !offer->section) return NULL;
    return layout_option(
        reader->grid, &reader->grid->row[row],
        arena_print(reader->arena, "%s.%s", offer->section, column->measure->learned),
        reader->arena);
}

/* Between the last one of FIRST-LAST and the next; NaN: no row says it, or all classes are of it,
 * or rows say several. */
static double mark_of(struct canvas *canvas, struct value_reader *reader,
                      const struct series_list *list, const struct profile_places *places,
                      const char **learned)
{
    double last;
    *learned = NULL;
    for (int s = 0; s < list->count; s++) {
        const struct figure_series *series = &list->series[s];
        const char *text = series->drawn ? learned_of(series->column, reader, series->row) : NULL;
        if (!text) continue;
        if (*learned && strcmp(*learned, text) != 0) {
            canvas_caption(canvas, "Rows were trained on %s and on %s; no end is marked.", *learned,
                           text);
            return (double)NAN;
        }
        *learned = text;
    }
    if (!*learned || !places->numeric) return (double)NAN;
    const char *dash = strrchr(*learned, '-');
    if (!real_parse(dash ? dash + 1 : *learned, &last)) return (double)NAN;
    for (int i = 1; i < places->count; i++)
        if (places->x[i - 1] <= last && places->x[i] > last)
            return (places->x[i - 1] + places->x[i]) / 2;
    return (double)NAN;
}

/* ---- all of it ---- */

static void put_places(struct canvas *canvas, const struct profile_places *places, int label)
{
    const int last = places->count - 1;
    const double span = last > 0 ? places->x[last] - places->x[0] : 1;
    const double beside = places->numeric ? 0.05 * span : 0.5;
    canvas_number(canvas, "x_low", places->x[0] - beside);
    canvas_number(canvas, "x_high", places->x[last] + beside);
    canvas_number(canvas, "tics", places->count);
    for (int i = 0; i < places->count; i++)
        canvas_number(canvas, arena_print(canvas->arena, "tic_%d", i + 1), places->x[i]);
    if (places->numeric)
        names_put_scale(canvas, places->class, places->x, places->count, span + 2 * beside, label);
    else
        names_put_below(canvas, places->class, places->count, 34, label);
}

/* The legend: rows, what they are seen against, the mark. */
static void put_names(struct canvas *canvas, const struct series_list *list,
                      const struct measure *against, const char *learned, double mark)
{
    const char **name = ARENA_ARRAY(canvas->arena, const char *, list->drawn + 2);
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (list->series[i].drawn) name[count++] = list->series[i].name;
    if (against) name[count++] = against->header;
    if (isfinite(mark)) name[count++] = arena_print(canvas->arena, "Trained on %s", learned);
    names_put_legend(canvas, "row", name, count, NAMES_LETTERS);
    canvas_number(canvas, "series", count);
    canvas_number(canvas, "solid", list->drawn);
    canvas_number(canvas, "pointed", list->drawn);
    canvas_number(canvas, "against", against != NULL);
    canvas_number(canvas, "marked", isfinite(mark) ? count : 0);
    canvas_number(canvas, "mark", isfinite(mark) ? mark : 0);
}

static void note(struct canvas *canvas, const struct figure_side *side, const char *label,
                 int intervals, double mark, const char *learned)
{
    canvas_caption(canvas, "Points: %s%s.", label, side->most > 1 ? ", means over seeds" : "");
    if (intervals)
        canvas_caption(canvas,
                       "Bands: 95%% t interval of the mean over seeds, where there are %d or more.",
                       VALUE_INTERVAL);
    else if (side->most > 1)
        canvas_caption(canvas, "No bands: an interval of the mean takes %d seeds.", VALUE_INTERVAL);
    if (isfinite(mark))
        canvas_caption(canvas, "Dashed: where the classes %s end, which were trained.", learned);
    figure_note_signature(canvas, side, label);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct column column = figure->left;
    column.of.every = false;
    const char *label = figure_label(figure->y, figure_label_of(&column, figure, reader)), *learned;
    const struct profile_places places = places_of(reader, &column);
    struct series_list list = series_of(figure, reader);
    struct figure_side side = {0};
    const char *sized = column.measure && column.measure->sized ? column.measure->sized : "";
    const int lines = canvas_label(canvas, "label_x", figure_label(figure->x, sized));
    int intervals = 0;
    canvas_label(canvas, "label_y", label);
    for (int i = 0; i < list.count; i++) {
        bool has = false;
        for (int c = 0; c < places.count && !has; c++) {
            struct figure_side none = {0};
            struct column at;
            has = isfinite(
                value_at(&none, reader, &column, places.class[c], list.series[i].row, &at).mean);
        }
        if (!has) continue;
        series_draw(canvas, &list, i);
        intervals += put_line(canvas, reader, &side, &list.series[i], &places);
    }
    if (!list.drawn) {
        column.of.every = true;
        sample_check_names(&reader->sampler, &column);
    } else {
        const struct measure *against = against_of(&column);
        const double mark = mark_of(canvas, reader, &list, &places, &learned);
        note(canvas, &side, label, intervals, mark, learned);
        if (against && !put_against(canvas, reader, &side, &list, &places, against)) against = NULL;
        put_names(canvas, &list, against, learned, mark);
        put_places(canvas, &places, lines);
        figure_put_axis(canvas, &side, column.measure);
        figure_note_seeds(canvas, figure, reader);
    }
    series_note_missing(canvas, reader, &list);
    return list.drawn > 0;
}

const struct figure_kind figure_profile = {
    .name = "profile",
    .help = "a measure along classes that are sizes, a line and a band for each row (Hao et al. "
            "2019, figure 1)",
    .read = read,
    .fill = fill,
};
