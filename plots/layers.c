/* Draws a measure by layer. layers: a line for each row, or for each task of one row (Xu et al.
 * 2019, figure 3). Values are from metric rows, or from views of parts by layer. heads: a line for
 * each head of one row (Yang et al. 2018, figure 2). */
#include "plots/figure_points.h"

#define OUTPUT "output" /* name of the tic after the last layer */

static void check_heads(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    const struct column *left = &figure->left;
    figure_check_by(left, DIMENSION_HEAD);
    if (dimensions_have(&left->of, DIMENSION_HEAD))
        die_at(left->location, "figures: head: this figure draws every head; remove the key");
    if (!frames_alone(figure, grid))
        die_at(
            figure->at_left,
            "figures: heads of %d rows are too many lines; expected one row, as rows: [\"%s\"], or "
            "one row in each frame",
            figure->rows, grid->row[figure->row[0]].name);
}

/* Returns the column of a series at the tic with index `place`. If the series has the layer
 * (place + 1), it is the column at this layer. Otherwise, the last tic of the figure is the output.
 * If the series has no value at the tic, the name of the column is NULL. */
static struct column at(struct plot *plot, const struct points_wanted *line, int place)
{
    if (place < line->places) return value_at_layer(line->column, place + 1, plot->arena);
    if (!line->places || place + 1 < plot->tics.count) return (struct column){0};
    return value_output(plot->reader, line->column, line->row);
}

/* Sets the tics: the layers of all series, then the output if a series has one. In a figure of
 * heads, all series have the same layers. */
static void read_places(struct plot *plot, struct points_wanted *wanted, int count)
{
    const char **name = ARENA_ARRAY(plot->arena, const char *, VALUE_LAYERS + 1);
    bool output = false;
    int most = 0;
    for (int i = 0; i < count; i++) {
        wanted[i].places = value_layers(plot->reader, wanted[i].column, wanted[i].row);
        if (wanted[i].places > most) most = wanted[i].places;
        output |= wanted[i].places &&
                  value_output(plot->reader, wanted[i].column, wanted[i].row).name != NULL;
    }
    for (int i = 0; i < count && !plot->figure->kind->views; i++) wanted[i].places = most;
    for (int l = 0; l < most; l++) name[l] = arena_print(plot->arena, "%d", l + 1);
    if (output) name[most++] = OUTPUT;
    plot->tics = (struct tics){most, name, NULL, true, 0};
    if (output)
        canvas_caption(plot->canvas, OUTPUT ": the sum of the short-cut. Without a short-cut the "
                                            "last layer is the output.");
}

/* Finds the heads of each row. Returns their number. */
static int heads_of(struct plot *plot, struct points_wanted **wanted)
{
    const struct figure *figure = plot->figure;
    int count = 0;
    *wanted = NULL;
    for (int i = 0; i < figure->rows; i++)
        for (int head = 1;; head++) {
            const struct dimensions of = {.number[DIMENSION_HEAD] = head};
            struct column *column = ARENA_NEW(plot->arena, struct column);
            *column = value_filter(&figure->left, of, NULL, plot->arena);
            if (!value_layers(plot->reader, column, figure->row[i])) break;
            const char *name = arena_print(plot->arena, "Head %d", head);
            ARENA_ADD(plot->arena, *wanted, count,
                      (struct points_wanted){figure->row[i], column, name, 0});
        }
    if (!count && figure->rows)
        points_lack(plot, points_row_name(plot, *figure->row), *figure->row, &figure->left);
    return count;
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct column *column = &figure->left;
    const bool views = figure->kind->views; /* false: the kind is heads */
    struct points_wanted *wanted;
    points_label(plot, FIGURE_LAYERS, points_label_of(plot, column));
    const int count = views ? points_wanted(plot, &wanted) : heads_of(plot, &wanted);
    read_places(plot, wanted, count);
    plot->axis = "layer";
    if (views) plot->checked = value_at_layer(column, 1, plot->arena);
    points_along(plot, wanted, count, at);
    if (views) points_before(plot);
    if (!views && !*figure->frame && count)
        canvas_caption(plot->canvas, "Heads of \"%s\".", points_row_name(plot, *figure->row));
}

const struct figure_kind figure_layers = {
    .name = "layers",
    .template_name = "lines",
    .help = "measure by layer, a line for each row (Xu et al. 2019, figure 3), or for each task of "
            "a row",
    .left = "gates.gate",
    .keys = FIGURE_LIMITS,
    .several = true,
    .views = true,
    .by = DIMENSION_LAYER,
    .check = figure_check_layers,
    .fill = fill,
};
const struct figure_kind figure_heads = {
    .name = "heads",
    .template_name = "lines",
    .help = "measure by layer, a line for each head of one row (Yang et al. 2018, figure 2)",
    .left = "localness.window",
    .keys = FIGURE_LIMITS,
    .by = DIMENSION_LAYER,
    .check = check_heads,
    .fill = fill,
};
