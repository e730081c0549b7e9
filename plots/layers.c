/* A measure by layer, a line for each row (Xu et al. 2019, figure 3). */
#include <math.h>

#include "plots/figure_kind.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"

static struct column read(const struct tree *item, struct arena *arena)
{
    return figure_read_by(item, DIMENSION_LAYER, arena);
}

/* "Points: .., n = 40 per layer; error bars: standard deviation of single gates, cut at .." */
static void note_points(struct canvas *canvas, const struct column *column,
                        const struct figure_side *side, const char *label, int64_t n)
{
    const struct measure *measure = column->measure;
    struct arena *arena = canvas->arena;
    const char *count = "", *cut = "";
    if (!measure || !measure->deviation) {
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

/* A row's line. */
static void put_line(struct canvas *canvas, struct value_reader *reader, struct figure_side *side,
                     const struct column *column, int row, int layers)
{
    struct column at = *column;
    for (int l = 1; l <= layers; l++) {
        at.of.number[DIMENSION_LAYER] = l;
        struct value_of_row value = figure_value(side, reader, &at, row);
        if (column->measure && column->measure->deviation)
            value.deviation = value_deviation(reader, &at, row);
        figure_put_point(canvas, side, reader, &at, row,
                         &(struct figure_place){"layer", arena_print(canvas->arena, "%d", l), l},
                         &value);
    }
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    const struct column *column = &figure->left;
    const struct measure *measure = column->measure;
    const char *label = figure_label(figure->y, figure_label_of(column, figure, reader)),
               *layer = measure && measure->layers ? measure->layers : "Layer";
    struct figure_side side = {0};
    int series = 0, most = 0;
    int64_t n = 0;
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    const char **name = ARENA_ARRAY(canvas->arena, const char *, figure->rows + 1);
    canvas_label(canvas, "label_x", figure_label(figure->x, layer));
    canvas_label(canvas, "label_y", label);
    for (int i = 0; i < figure->rows; i++) {
        const int layers = value_layers(reader, column, figure->row[i], &n);
        if (!layers) continue;
        drawn[i] = true;
        if (series) canvas_next_series(canvas);
        name[series++] = reader->grid->row[figure->row[i]].name;
        put_line(canvas, reader, &side, column, figure->row[i], layers);
        if (layers > most) most = layers;
    }
    if (!series) {
        struct column first = *column;
        first.of.number[DIMENSION_LAYER] = 1;
        sample_check_names(&reader->sampler, &first);
        canvas_text(canvas, "name", "");
    } else {
        names_put_legend(canvas, "name", name, series, NAMES_LETTERS);
        canvas_number(canvas, "series", series);
        canvas_number(canvas, "layers", most);
        figure_put_axis(canvas, &side, measure);
        note_points(canvas, column, &side, label, n);
        figure_note_balance(canvas, measure);
        figure_note_seeds(canvas, figure, reader);
    }
    figure_note_missing(canvas, figure, reader, drawn, column);
    return series > 0;
}

const struct figure_kind figure_layers = {
    .name = "layers",
    .help = "a measure by layer, a line for each row: Xu et al. 2019, figure 3",
    .left = "gates.gate",
    .read = read,
    .fill = fill,
};
