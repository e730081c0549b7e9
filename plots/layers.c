/* A measure by layer (Xu et al. 2019, figure 3): of rows of metrics, or of the parts of a kind that
 * are views by layer; a line for each row, or for each task of one. */
#include <math.h>
#include <string.h>

#include "plots/figure_kind.h"
#include "plots/series.h"
#include "plots/untrained.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"

static struct column read(const struct tree *item, struct arena *arena)
{
    return figure_read_by(item, DIMENSION_LAYER, arena);
}

/* Whether a part, "probe.Tense@encoder.3", is a layer of what is `first` at the first one. */
static bool is_layer(const char *part, const char *first)
{
    const size_t length = strlen(first) - 1; /* without the number */
    const char *number = part + length;
    return !strncmp(part, first, length) && *number && !number[strspn(number, "0123456789")];
}

/* Some row must have the views that are asked for. */
static void check(const struct figure *figure, const struct summary_grid *grid, struct place place,
                  struct arena *arena)
{
    series_check(figure, grid, place);
    for (int c = 0; c < figure->columns; c++) {
        const struct column *column = &figure->column[c];
        const char *const *part = grid->words.part;
        if (!column->part || !part || grid->words.varied) continue;
        const struct column at = figure_at_layer(column, 1, arena);
        const char *first = arena_print(arena, "%s.%s", column->kind, at.part);
        while (*part && !is_layer(*part, first)) part++;
        if (!*part)
            die_at(place, "figures: no row has %s or another layer; expected %s.path: layers",
                   first, offer_of(column->kind)->section);
    }
}

/* "Points: .., n = 40 per layer; error bars: standard deviation of single gates, cut at .." */
static void note_points(struct canvas *canvas, const struct column *column,
                        const struct figure_side *side, const char *label, int64_t n)
{
    const struct measure *measure = column->measure;
    struct arena *arena = canvas->arena;
    const char *count = "", *cut = "";
    if (!measure || !offer_number(column->kind, measure->name, "_sd", arena)) {
        figure_note_side(canvas, side, "Points", label);
        return;
    }
    if (n > 0) count = arena_print(arena, ", n = %s per layer", number_count(arena, (double)n));
    if (measure->low < measure->high)
        cut = arena_print(arena, ", cut at %s and %s", number_short(arena, measure->low),
                          number_short(arena, measure->high));
    canvas_caption(canvas, "Points: %s%s%s; error bars: standard deviation of single %s%s.",
                   measure->points ? measure->points : label,
                   measure->points ? dimensions_text(&column->of, arena) : "", count,
                   measure->counted ? measure->counted : "values", cut);
}

struct line {
    struct figure_series *series;
    int layers;
    bool ends;         /* has a point after the layers, at `end` */
    struct column end; /* offer.h, end */
};

/* False if the row has no value there. */
static bool put_point(struct canvas *canvas, struct value_reader *reader, struct figure_side *side,
                      struct figure_series *series, const struct column *at,
                      const struct figure_place *place, const char *name)
{
    const struct measure *measure = series->column->measure;
    struct value_of_row value = figure_value(side, reader, at, series->row);
    if (measure && offer_number(at->kind, measure->name, "_sd", reader->arena))
        value.deviation = value_deviation(reader, at, series->row);
    if (at->part && !isfinite(value.mean)) series_lack(series, name, reader, at);
    figure_put_point(canvas, side, reader, at, series->row, place, &value);
    return isfinite(value.mean);
}

/* The end follows the layers of all lines. Afterwards the series of a part is a view that is drawn:
 * all views share the items and the majority. */
static void put_line(struct canvas *canvas, struct value_reader *reader, struct figure_side *side,
                     const struct line *line, int most, bool several)
{
    const char *group = several ? line->series->name : NULL;
    struct column *drawn = ARENA_NEW(canvas->arena, struct column);
    for (int l = 1; l <= line->layers; l++) {
        const struct column at = figure_at_layer(line->series->column, l, canvas->arena);
        const char *text = arena_print(canvas->arena, "%d", l);
        if (put_point(canvas, reader, side, line->series, &at,
                      &(struct figure_place){"layer", text, l, group},
                      arena_print(canvas->arena, "layer %d", l)))
            *drawn = at;
    }
    if (line->ends) {
        const char *tic = offer_of(line->end.kind)->end->tic;
        put_point(canvas, reader, side, line->series, &line->end,
                  &(struct figure_place){"layer", tic, most + 1, group}, tic);
    }
    if (drawn->part) line->series->column = drawn;
}

/* The tic of the ends, and what it is; `offer` is NULL where no line has one. */
static void put_end(struct canvas *canvas, const struct offer *offer, int most)
{
    canvas_number(canvas, "layers", offer ? most + 1 : most);
    if (!offer) return;
    canvas_text(canvas, "last", offer->end->tic);
    canvas_caption(canvas, "%s: %s.", offer->end->tic, offer->end->note);
}

/* Of each line that is drawn the same before training. */
static bool put_untrained(struct canvas *canvas, struct figure_side *side,
                          struct value_reader *reader, const struct series_list *list, int layers)
{
    struct arena *arena = canvas->arena;
    struct untrained_line *line = ARENA_ARRAY(arena, struct untrained_line, list->drawn);
    int lines = 0;
    for (int i = 0; i < list->count; i++) {
        struct column *at = ARENA_ARRAY(arena, struct column, layers);
        struct figure_place *place = ARENA_ARRAY(arena, struct figure_place, layers);
        if (!list->series[i].drawn) continue;
        for (int l = 1; l <= layers; l++) {
            at[l - 1] = figure_at_layer(list->series[i].column, l, arena);
            place[l - 1] = (struct figure_place){"layer", arena_print(arena, "%d", l), l, NULL};
        }
        line[lines++] = (struct untrained_line){list->series[i].row, layers, at, place};
    }
    return untrained_put(canvas, side, reader, line, lines) > 0;
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    const struct column *column = &figure->left;
    const struct measure *measure = column->measure;
    const char *label = figure_label(figure->y, figure_label_of(column, figure, reader)),
               *layer = measure && measure->layers ? measure->layers : "Layer";
    const bool several = figure->columns > 1;
    struct figure_side side = {.parts = several};
    struct series_list list = series_of(figure, reader);
    struct line *line = ARENA_ARRAY(canvas->arena, struct line, list.count + 1);
    const struct offer *ending = NULL;
    int most = 0;
    int64_t n = 0;
    canvas_label(canvas, "label_x", figure_label(figure->x, layer));
    canvas_label(canvas, "label_y", label);
    for (int i = 0; i < list.count; i++) {
        struct figure_series *series = line[i].series = &list.series[i];
        line[i].layers = value_layers(reader, series->column, series->row, &n);
        line[i].ends =
            line[i].layers && figure_at_end(series->column, reader, series->row, &line[i].end);
        if (line[i].ends) ending = offer_of(series->column->kind);
        if (line[i].layers > most) most = line[i].layers;
    }
    for (int i = 0; i < list.count; i++) {
        if (!line[i].layers) continue;
        series_draw(canvas, &list, i);
        put_line(canvas, reader, &side, &line[i], most, several);
    }
    if (!list.drawn) {
        const struct column first = figure_at_layer(column, 1, canvas->arena);
        sample_check_names(&reader->sampler, &first);
        canvas_text(canvas, "row", "");
    } else {
        note_points(canvas, column, &side, label, n);
        put_end(canvas, ending, most);
        const bool start = put_untrained(canvas, &side, reader, &list, most);
        series_put_names(canvas, &list, start ? UNTRAINED_NAME : NULL);
        if (column->part) series_note_counted(canvas, reader, &list);
        if (column->part) series_put_against(canvas, &side, reader, figure, &list);
        figure_put_axis(canvas, &side, column->margin ? NULL : measure);
        figure_note_balance(canvas, measure);
        figure_note_seeds(canvas, figure, reader);
    }
    series_note_missing(canvas, reader, &list);
    return list.drawn > 0;
}

const struct figure_kind figure_layers = {
    .name = "layers",
    .help = "a measure by layer, a line for each row (Xu et al. 2019, figure 3), or task of a row",
    .left = "gates.gate",
    .several = true,
    .views = true,
    .read = read,
    .check = check,
    .fill = fill,
};
