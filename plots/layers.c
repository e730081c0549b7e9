/* Mean gate by encoder layer (Xu et al. 2019, figure 3). */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "plots/kind.h"
#include "results/number.h"

static void check(const char *name, struct place place, struct arena *arena)
{
    (void)arena;
    static const char *const known[] = {"gates.gate", NULL};
    if (strcmp(name, known[0]) != 0)
        word_refuse(place, "figures", "there is by layer no", name, known);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    double low = 0.5, high = 0.5; /* the line of equal weights is always there */
    int series = 0, most = 0;
    int64_t n = 0;
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    canvas_label(canvas, "label_x", figure_label(figure->x, "Encoder layer"));
    canvas_label(canvas, "label_y", figure_label(figure->y, "Mean gate"));
    for (int i = 0; i < figure->rows; i++) {
        double *mean, *deviation;
        const int layers = value_read_layers(reader, figure->row[i], &mean, &deviation, &n);
        if (!layers) continue;
        drawn[i] = true;
        if (series) canvas_next_series(canvas);
        canvas_text(canvas, series++ ? NULL : "name", reader->grid->row[figure->row[i]].name);
        for (int l = 0; l < layers; l++) {
            const double from = fmax(0, mean[l] - deviation[l]);
            const double to = fmin(1, mean[l] + deviation[l]);
            const bool there = isfinite(mean[l]);
            canvas_row(canvas,
                       (double[]){l + 1, mean[l], there ? from : mean[l], there ? to : mean[l]}, 4);
            if (!there) continue;
            low = fmin(low, from);
            high = fmax(high, to);
        }
        if (layers > most) most = layers;
    }
    if (!series) {
        canvas_text(canvas, "name", "");
    } else {
        canvas_number(canvas, "series", series);
        canvas_number(canvas, "layers", most);
        canvas_axis(canvas, "left", low, high, 0.08, high < 0.93 ? 0.08 : 0);
        canvas_caption(canvas,
                       "Points: mean gate (weight of the second branch) over positions and heads, "
                       "n = %s per layer; error bars: standard deviation of single gates, cut at 0 "
                       "and 1.",
                       number_count(canvas->arena, (double)n));
        canvas_caption(canvas, "Dotted: both branches weigh the same.");
        figure_note_seeds(canvas, figure, reader);
    }
    figure_note_missing(canvas, figure, reader, drawn, "gates");
    return series > 0;
}

const struct figure_kind figure_layers = {
    .name = "layers",
    .help = "mean gate by encoder layer, a line for each row: Xu et al. 2019, figure 3",
    .left = "gates.gate",
    .check = check,
    .fill = fill,
};
