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

struct extent {
    struct figure_side x, y;
    int64_t points, least, most; /* drawn in all; in a layer of a row there are */
};

static void put_points(struct canvas *canvas, const struct figure *figure,
                       const struct value_reader *reader, const struct positions *positions,
                       int layer, struct extent *extent)
{
    struct arena *arena = canvas->arena;
    int64_t count;
    struct pcg64 random = pcg64_seed(figure->seed + (unsigned)layer);
    const float **number = positions_of_layer(positions, layer, &count, arena);
    const int64_t chosen = choose(number, count, figure->points, &random);
    const char *row = reader->grid->row[positions->row].name,
               *column = arena_print(arena, "%s layer %d", figure->left.name, layer);
    for (int64_t i = 0; i < chosen; i++) {
        const double x = (double)number[i][LOCALNESS_WINDOW],
                     y = positions_value(&figure->left, number[i]);
        canvas_row(canvas, (double[]){x, y}, 2);
        figure_reach(&extent->x, x, x);
        figure_reach(&extent->y, y, y);
        canvas_record(canvas,
                      &(struct canvas_record){row, row, "window", number_short(arena, x), column,
                                              NULL, y, (double)NAN, (double)NAN, (double)NAN});
    }
    if (!chosen) canvas_row(canvas, (double[]){(double)NAN, (double)NAN}, 2);
    if (chosen)
        extent->least = extent->points ? (count < extent->least ? count : extent->least) : count;
    if (count > extent->most) extent->most = count;
    extent->points += chosen;
}

static void note(struct canvas *canvas, const struct figure *figure,
                 const struct value_reader *reader, const struct extent *extent)
{
    struct arena *arena = canvas->arena;
    const char *from = number_count(arena, (double)extent->least),
               *to = number_count(arena, (double)extent->most);
    canvas_caption(
        canvas,
        "Points: %s positions, drawn at random (seed %u), at most %d of a row in a layer, "
        "of n = %s%s%s: positions and heads of all seeds, none averaged.",
        number_count(arena, (double)extent->points), figure->seed, figure->points, from,
        extent->least < extent->most ? " to " : "", extent->least < extent->most ? to : "");
    canvas_caption(canvas, "Window and center in tokens; positions count from 0.");
    figure_note_of_seeds(canvas, figure, reader, "Positions of");
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct arena *arena = canvas->arena;
    struct positions *positions = ARENA_ARRAY(arena, struct positions, figure->rows + 1);
    const char **name = ARENA_ARRAY(arena, const char *, figure->rows + 1);
    bool *drawn = ARENA_ARRAY(arena, bool, figure->rows + 1);
    int layer[POSITIONS_LAYERS], series = 0;
    const bool any = positions_load(canvas, figure, reader, positions);
    const int layers = positions_layers(positions, figure->rows, layer);
    const char **panel = ARENA_ARRAY(arena, const char *, layers + 1);
    struct extent extent = {0};
    for (int i = 0; i < figure->rows; i++) {
        drawn[i] = positions[i].count > 0;
        if (drawn[i]) name[series++] = reader->grid->row[positions[i].row].name;
    }
    canvas_text(canvas, "label_x", figure_label(figure->x, "Window (tokens)"));
    canvas_text(
        canvas, "label_y",
        figure_label(figure->y, arena_print(arena, "%s (tokens)", positions_label(&figure->left))));
    for (int l = 0; l < layers; l++) {
        panel[l] = arena_print(arena, "Layer %d", layer[l]);
        for (int i = 0, written = 0; i < figure->rows; i++) {
            if (!drawn[i]) continue;
            if (l || written++) canvas_next_series(canvas);
            put_points(canvas, figure, reader, &positions[i], layer[l], &extent);
        }
    }
    if (any) {
        canvas_number(canvas, "series", series);
        canvas_number(canvas, "lineless", 1);
        panels_put_equal(canvas, panel, layers, name, series);
        canvas_axis(canvas, "x", extent.x.low, extent.x.high, 0.05, 0.05);
        canvas_axis(canvas, "y", extent.y.low, extent.y.high, 0.05, 0.05);
        note(canvas, figure, reader, &extent);
    }
    figure_note_missing(canvas, figure, reader, drawn, &figure->left);
    return any;
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
