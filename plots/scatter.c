/* Window against center of random positions, a frame for each layer (Yang et al. 2018, figure
 * 3). */
#include <math.h>

#include "core/base/pcg64.h"
#include "plots/panels.h"
#include "plots/positions.h"
#include "probes/localness.h"
#include "results/sheet/number.h"

static struct column read(const struct tree *item, struct arena *arena)
{
    return positions_read(item, arena);
}

/* So many of them at the front, without replacement. */
static int64_t choose(const float **number, int64_t count, int most, struct pcg64 *random)
{
    const int64_t chosen = count < most ? count : most;
    for (int64_t i = 0; i < chosen; i++) {
        const int64_t other = i + pcg64_below(random, (uint32_t)(count - i));
        const float *held = number[i];
        number[i] = number[other];
        number[other] = held;
    }
    return chosen;
}

struct scatter {
    struct canvas *canvas;
    const struct figure *figure;
    const struct value_reader *reader;
    struct figure_side x, y;
    int64_t points, least, most; /* drawn in all; in a layer of a row there are */
};

static void put_points(void *context, const struct positions *positions, int layer)
{
    struct scatter *drawing = context;
    struct canvas *canvas = drawing->canvas;
    const struct figure *figure = drawing->figure;
    struct arena *arena = canvas->arena;
    int64_t count;
    struct pcg64 random = pcg64_seed(figure->seed + (unsigned)layer);
    const float **number = positions_of_layer(positions, layer, &count, arena);
    const int64_t chosen = choose(number, count, figure->points, &random);
    const char *row = drawing->reader->grid->row[positions->row].name,
               *column = arena_print(arena, "%s layer %d", figure->left.name, layer);
    for (int64_t i = 0; i < chosen; i++) {
        const double x = (double)number[i][LOCALNESS_WINDOW],
                     y = positions_value(&figure->left, number[i]);
        canvas_row(canvas, (double[]){x, y}, 2);
        figure_reach(&drawing->x, x, x);
        figure_reach(&drawing->y, y, y);
        canvas_record(canvas,
                      &(struct canvas_record){row, row, "window", canvas_place(canvas, x), column,
                                              NULL, y, (double)NAN, (double)NAN, (double)NAN});
    }
    if (!chosen) canvas_row(canvas, (double[]){(double)NAN, (double)NAN}, 2);
    if (chosen)
        drawing->least =
            drawing->points ? (count < drawing->least ? count : drawing->least) : count;
    if (count > drawing->most) drawing->most = count;
    drawing->points += chosen;
}

static void note(const struct scatter *drawing)
{
    struct canvas *canvas = drawing->canvas;
    const struct figure *figure = drawing->figure;
    struct arena *arena = canvas->arena;
    const char *from = number_count(arena, (double)drawing->least),
               *to = number_count(arena, (double)drawing->most);
    canvas_caption(
        canvas,
        "Points: %s positions, drawn at random (seed %u), at most %d of a row in a layer, "
        "of n = %s%s%s: positions and heads of all seeds, none averaged.",
        number_count(arena, (double)drawing->points), figure->seed, figure->points, from,
        drawing->least < drawing->most ? " to " : "", drawing->least < drawing->most ? to : "");
    canvas_caption(canvas, "Window and center in tokens; positions count from 0.");
    figure_note_of_seeds(canvas, figure, drawing->reader, "Positions of");
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    const struct positions_frames frames = positions_frames(canvas, figure, reader);
    struct scatter drawing = {.canvas = canvas, .figure = figure, .reader = reader};
    canvas_text(canvas, "label_x", figure_label(figure->x, "Window (tokens)"));
    canvas_text(
        canvas, "label_y",
        figure_label(figure->y, arena_print(arena, "%s (tokens)", positions_label(&figure->left))));
    positions_each(canvas, &frames, figure->rows, put_points, &drawing);
    if (frames.any) {
        canvas_number(canvas, "series", frames.series);
        canvas_number(canvas, "lineless", 1);
        panels_put_equal(canvas, frames.panel, frames.layers, frames.name, frames.series);
        canvas_axis(canvas, "x", drawing.x.low, drawing.x.high, 0.05, 0.05);
        canvas_axis(canvas, "y", drawing.y.low, drawing.y.high, 0.05, 0.05);
        note(&drawing);
    }
    figure_note_missing(canvas, figure, reader, frames.drawn, &figure->left);
    return frames.any;
}

const struct figure_kind figure_scatter = {
    .name = "scatter",
    .help = "centers (left: localness.offset: less their positions) against windows, a frame for "
            "each layer (Yang et al. 2018, figure 3)",
    .left = "localness.center",
    .draws = true,
    .read = read,
    .fill = fill,
};
