/* A measure by the share that a classifier learned from: what an online code has measured on the
 * way (Voita and Titov 2020). A line for each row, or for each task of one. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "plots/series.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"
#include "results/table/layout.h"

/* The tics of the axis, in per cent, those of the online code. */
static const double tics[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50, 100};

/* The measure of a value by share of tr; NULL: there is none. */
static const struct measure *shares_of(const char *kind, const char *name, struct arena *arena)
{
    return offer_measure(kind, arena_print(arena, SHARE_OF "%s", name));
}

/* The measures that there are by share, as a grid names them. */
static const char *const *known(struct arena *arena)
{
    const char **name = ARENA_ARRAY(arena, const char *, 2);
    for (const struct offer *const *offer = offers(); *offer && !name[0]; offer++)
        for (int i = 0; i < (*offer)->measures && !name[0]; i++)
            if (shares_of((*offer)->kind, (*offer)->measure[i].name, arena))
                name[0] = arena_print(arena, "%s.%s", (*offer)->kind,
                                      (*offer)->parts ? "PART" : (*offer)->measure[i].name);
    return name;
}

static struct column read(const struct tree *item, struct arena *arena)
{
    const struct column column = figure_read_value(item, arena);
    if (!column.measure || !shares_of(column.kind, column.measure->name, arena) || column.control ||
        dimensions_some(&column.of))
        word_refuse(item->place, "figures", "no value by share of tr is called", column.name,
                    known(arena));
    return column;
}

/* Some row must have measured them. */
static void check(const struct figure *figure, const struct summary_grid *grid, struct place place,
                  struct arena *arena)
{
    series_check(figure, grid, place);
    const struct column *column = &figure->left;
    const char *key = arena_print(arena, "%s.%s", offer_of(column->kind)->section,
                                  shares_of(column->kind, column->measure->name, arena)->option);
    bool asked = grid->words.varied;
    for (int i = 0; i < figure->rows && !asked; i++) {
        const char *text = layout_option(grid, &grid->row[figure->row[i]], key, arena);
        asked = text && !strcmp(text, "true");
    }
    if (!asked)
        die_at(place, "figures: no row has %s by share of tr; expected %s: true", column->name,
               key);
}

static double place_of(double percent)
{
    return log10(percent);
}

/* The points of a line; returns the items of all of tr. */
static double put_line(struct canvas *canvas, struct value_reader *reader, struct figure_side *side,
                       const struct figure_series *series, const struct value_curve *curve)
{
    const double all = curve->step[curve->steps - 1];
    for (int k = 0; k < curve->steps; k++) {
        const double percent = 100 * curve->step[k] / all, mean = curve->value[k],
                     deviation = curve->deviation[k];
        const double low = isfinite(deviation) ? mean - deviation : mean,
                     high = isfinite(deviation) ? mean + deviation : mean;
        canvas_row(canvas, (double[]){place_of(percent), mean, low, high}, 4);
        figure_reach(side, low, high);
        canvas_record(canvas, &(struct canvas_record){
                                  reader->grid->row[series->row].name, series->name, "share",
                                  canvas_place(canvas, percent), series->column->name, NULL,
                                  (double)NAN, mean, isfinite(deviation) ? low : (double)NAN,
                                  isfinite(deviation) ? high : (double)NAN});
    }
    return all;
}

static void put_shares(struct canvas *canvas, double least, int label)
{
    const char *text[COUNT_OF(tics)];
    double x[COUNT_OF(tics)];
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(tics); i++) {
        if (tics[i] < 0.9 * least) continue;
        x[count] = place_of(tics[i]);
        text[count++] = number_short(canvas->arena, tics[i]);
    }
    const double low = fmin(place_of(least), x[0]), span = place_of(100) - low,
                 beside = span > 0 ? 0.04 * span : 0.5;
    canvas_number(canvas, "x_low", low - beside);
    canvas_number(canvas, "x_high", place_of(100) + beside);
    canvas_number(canvas, "tics", count);
    for (int i = 0; i < count; i++)
        canvas_number(canvas, arena_print(canvas->arena, "tic_%d", i + 1), x[i]);
    names_put_scale(canvas, text, x, count, span + 2 * beside, label);
}

/* "Points: Accuracy (%), mean of ..", and what learned: all of tr are `least` to `most` items. */
static void note_points(struct canvas *canvas, const struct figure_side *side, const char *label,
                        double least, double most)
{
    struct arena *arena = canvas->arena;
    const char *to = number_count(arena, most), *items = to;
    if (least < most) items = arena_print(arena, "%s to %s", number_count(arena, least), to);
    figure_note_side(canvas, side, "Points", label);
    canvas_caption(
        canvas, "Each of classifiers that learned from a share of tr; 100%% are %s items.", items);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    const struct column *column = &figure->left;
    const char *label = figure_label(figure->y, figure_label_of(column, figure, reader));
    const bool several = figure->columns > 1;
    struct figure_side side = {.parts = several};
    struct series_list list = series_of(figure, reader);
    double least_share = 100, least = 0, most = 0;
    const int lines = canvas_label(canvas, "label_x", figure_label(figure->x, "Share of tr (%)"));
    canvas_label(canvas, "label_y", label);
    for (int i = 0; i < list.count; i++) {
        const struct figure_series *series = &list.series[i];
        struct column metric = *series->column;
        metric.value = shares_of(metric.kind, metric.measure->name, canvas->arena)->name;
        const struct value_curve curve = value_read_curve(reader, series->row, &metric, true);
        if (!curve.steps) continue;
        figure_value(&side, reader, series->column, series->row);
        series_draw(canvas, &list, i);
        const double all = put_line(canvas, reader, &side, series, &curve);
        least_share = fmin(least_share, 100 * curve.step[0] / all);
        least = least > 0 ? fmin(least, all) : all;
        most = fmax(most, all);
    }
    if (!list.drawn) {
        sample_check_names(&reader->sampler, column);
    } else {
        series_put_names(canvas, &list, NULL);
        put_shares(canvas, least_share, lines);
        note_points(canvas, &side, label, least, most);
        series_note_counted(canvas, reader, &list);
        series_put_against(canvas, &side, reader, figure, &list);
        figure_put_axis(canvas, &side, column->measure);
        figure_note_seeds(canvas, figure, reader);
    }
    series_note_missing(canvas, reader, &list);
    return list.drawn > 0;
}

const struct figure_kind figure_shares = {
    .name = "shares",
    .help = "accuracy by share of tr (evaluate.probe.code), a line for each row, or task of a row",
    .several = true,
    .read = read,
    .check = check,
    .fill = fill,
};
