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

/* Their width is 1, 2 or 5 times a power of ten, and bounds are multiples of it. */
static struct bins bins_of(const struct figure_side *x)
{
    const double span = x->high - x->low, least = span > 0 ? span / (BINS - 1) : 1,
                 power = pow(10, floor(log10(least)));
    double width = 10 * power;
    for (int i = 0; i < 3; i++) {
        static const double step[] = {5, 2, 1};
        if (step[i] * power >= least) width = step[i] * power;
    }
    return (struct bins){floor(x->low / width) * width, width};
}

static void put_shares(struct canvas *canvas, const struct figure *figure,
                       const struct value_reader *reader, const struct positions *positions,
                       int layer, const struct bins *bins, struct figure_side *y)
{
    struct arena *arena = canvas->arena;
    int64_t count, in[BINS + 1] = {0};
    const float **number = positions_of_layer(positions, layer, &count, arena);
    const char *row = reader->grid->row[positions->row].name,
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
        figure_reach(y, 0, share);
        canvas_record(canvas, &(struct canvas_record){
                                  row, row, figure->left.value, number_short(arena, middle), column,
                                  NULL, (double)NAN, share, (double)NAN, (double)NAN});
    }
}

static void note(struct canvas *canvas, const struct figure *figure,
                 const struct value_reader *reader, const struct positions *positions,
                 const int *layer, int layers, const struct bins *bins)
{
    int64_t least = 0, most = 0;
    for (int i = 0; i < figure->rows; i++)
        for (int l = 0; l < layers; l++) {
            int64_t n;
            positions_of_layer(&positions[i], layer[l], &n, canvas->arena);
            if (n && (!least || n < least)) least = n;
            if (n > most) most = n;
        }
    const char *from = number_count(canvas->arena, (double)least),
               *to = number_count(canvas->arena, (double)most);
    canvas_caption(
        canvas,
        "Lines: shares of bins of %s tokens in %% of n = %s%s%s a row and layer: positions "
        "and heads of all seeds, none averaged.",
        number_short(canvas->arena, bins->width), from, least < most ? " to " : "",
        least < most ? to : "");
    figure_note_of_seeds(canvas, figure, reader, "Positions of");
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    struct positions *positions = ARENA_ARRAY(arena, struct positions, figure->rows + 1);
    const char **name = ARENA_ARRAY(arena, const char *, figure->rows + 1);
    bool *drawn = ARENA_ARRAY(arena, bool, figure->rows + 1);
    int layer[POSITIONS_LAYERS], series = 0;
    struct figure_side x = {0}, y = {0};
    const bool any = positions_load(canvas, figure, reader, positions);
    const int layers = positions_layers(positions, figure->rows, layer);
    const char **panel = ARENA_ARRAY(arena, const char *, layers + 1);
    reach_all(figure, positions, &x);
    const struct bins bins = bins_of(&x);
    for (int i = 0; i < figure->rows; i++) {
        drawn[i] = positions[i].count > 0;
        if (drawn[i]) name[series++] = reader->grid->row[positions[i].row].name;
    }
    canvas_text(
        canvas, "label_x",
        figure_label(figure->x, arena_print(arena, "%s (tokens)", positions_label(&figure->left))));
    canvas_text(canvas, "label_y", figure_label(figure->y, "Share (%)"));
    for (int l = 0; l < layers; l++) {
        panel[l] = arena_print(arena, "Layer %d", layer[l]);
        for (int i = 0, written = 0; i < figure->rows; i++) {
            if (!drawn[i]) continue;
            if (l || written++) canvas_next_series(canvas);
            put_shares(canvas, figure, reader, &positions[i], layer[l], &bins, &y);
        }
    }
    if (any) {
        canvas_number(canvas, "series", series);
        canvas_number(canvas, "pointed", 0);
        canvas_number(canvas, "solid", 1000);
        canvas_number(canvas, "dashed", 1);
        panels_put_equal(canvas, panel, layers, name, series);
        canvas_axis(canvas, "x", x.low, x.high, 0.02, 0.02);
        canvas_axis(canvas, "y", 0, y.high, 0, 0.08);
        note(canvas, figure, reader, positions, layer, layers, &bins);
    }
    figure_note_missing(canvas, figure, reader, drawn, &figure->left);
    return any;
}

const struct figure_kind figure_histogram = {
    .name = "histogram",
    .help = "how often windows are so wide (left: localness.center or offset: likewise), a frame "
            "for each layer (Yang et al. 2018, figure 3)",
    .left = "localness.window",
    .read = read,
    .fill = fill,
};
