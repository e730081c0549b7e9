/* Shares of values in bins of equal width, a frame for each layer (Yang et al. 2018, figure 3,
 * below). */
#include <math.h>

#include "plots/panels.h"
#include "plots/positions.h"
#include "results/sheet/number.h"

enum { BINS = 24 };

static struct column read(const struct tree *item, struct arena *arena)
{
    return positions_read(item, arena);
}

static void reach_all(const struct figure *figure, const struct positions *positions,
                      struct figure_side *x)
{
    for (int i = 0; i < figure->rows; i++)
        for (int64_t k = 0; k < positions[i].count; k++) {
            const double value = positions_value(&figure->left, positions[i].number[k]);
            figure_reach(x, value, value);
        }
}

/* Bins [first + i width, first + (i + 1) width), the last one closed. */
struct bins {
    double first, width;
};

/* Bounds are multiples of a round width. */
static struct bins bins_of(const struct figure_side *x)
{
    const double span = x->high - x->low, width = canvas_step(span > 0 ? span / (BINS - 1) : 1);
    return (struct bins){floor(x->low / width) * width, width};
}

struct histogram {
    struct canvas *canvas;
    const struct figure *figure;
    const struct value_reader *reader;
    struct bins bins;
    struct figure_side y;
};

static void put_shares(void *context, const struct positions *positions, int layer)
{
    struct histogram *drawing = context;
    struct canvas *canvas = drawing->canvas;
    const struct figure *figure = drawing->figure;
    const struct bins *bins = &drawing->bins;
    struct arena *arena = canvas->arena;
    int64_t count, in[BINS + 1] = {0};
    const float **number = positions_of_layer(positions, layer, &count, arena);
    const char *row = drawing->reader->grid->row[positions->row].name,
               *column = arena_print(arena, "%s layer %d", figure->left.name, layer);
    for (int64_t i = 0; i < count; i++) {
        const int bin =
            (int)floor((positions_value(&figure->left, number[i]) - bins->first) / bins->width);
        in[bin < 0 ? 0 : bin > BINS ? BINS : bin]++;
    }
    for (int b = 0; b <= BINS; b++) {
        const double middle = bins->first + (b + 0.5) * bins->width,
                     share = count ? 100 * (double)in[b] / (double)count : (double)NAN;
        canvas_row(canvas, (double[]){middle, share}, 2);
        if (!count) continue;
        figure_reach(&drawing->y, 0, share);
        canvas_record(canvas, &(struct canvas_record){
                                  row, row, figure->left.value, canvas_place(canvas, middle),
                                  column, NULL, (double)NAN, share, (double)NAN, (double)NAN});
    }
}

static void note(const struct histogram *drawing, const struct positions_frames *frames)
{
    struct canvas *canvas = drawing->canvas;
    const struct figure *figure = drawing->figure;
    int64_t least = 0, most = 0;
    for (int i = 0; i < figure->rows; i++)
        for (int l = 0; l < frames->layers; l++) {
            int64_t n;
            positions_of_layer(&frames->positions[i], frames->layer[l], &n, canvas->arena);
            if (n && (!least || n < least)) least = n;
            if (n > most) most = n;
        }
    const char *from = number_count(canvas->arena, (double)least),
               *to = number_count(canvas->arena, (double)most);
    canvas_caption(
        canvas,
        "Lines: shares of bins of %s tokens in %% of n = %s%s%s a row and layer: positions "
        "and heads of all seeds, none averaged.",
        number_short(canvas->arena, drawing->bins.width), from, least < most ? " to " : "",
        least < most ? to : "");
    figure_note_of_seeds(canvas, figure, drawing->reader, "Positions of");
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    const struct positions_frames frames = positions_frames(canvas, figure, reader);
    struct figure_side x = {0};
    reach_all(figure, frames.positions, &x);
    struct histogram drawing = {canvas, figure, reader, bins_of(&x), {0}};
    canvas_text(
        canvas, "label_x",
        figure_label(figure->x, arena_print(arena, "%s (tokens)", positions_label(&figure->left))));
    canvas_text(canvas, "label_y", figure_label(figure->y, "Share (%)"));
    positions_each(canvas, &frames, figure->rows, put_shares, &drawing);
    if (frames.any) {
        canvas_number(canvas, "series", frames.series);
        canvas_number(canvas, "pointed", 0);
        canvas_number(canvas, "solid", 1000);
        canvas_number(canvas, "dashed", 1);
        panels_put_equal(canvas, frames.panel, frames.layers, frames.name, frames.series);
        canvas_axis(canvas, "x", x.low, x.high, 0.02, 0.02);
        canvas_axis(canvas, "y", 0, drawing.y.high, 0, 0.08);
        note(&drawing, &frames);
    }
    figure_note_missing(canvas, figure, reader, frames.drawn, &figure->left);
    return frames.any;
}

const struct figure_kind figure_histogram = {
    .name = "histogram",
    .help = "how often windows are so wide (left: localness.center or offset: likewise), a frame "
            "for each layer (Yang et al. 2018, figure 3)",
    .left = "localness.window",
    .read = read,
    .fill = fill,
};
