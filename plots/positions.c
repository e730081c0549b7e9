/* Draws centers and windows of single positions, from the output files of stages of kind localness,
 * in a frame for each layer. scatter: center and window at random positions. histogram: percentage
 * of values in each bin (Yang et al. 2018, figure 3). */
#include <math.h>

#include "core/base/pcg64.h"
#include "plots/figure_points.h"
#include "probes/localness_file.h"
#include "results/sheet/number_format.h"

enum { BINS = 24 };

/* Reads the positions of a row from all done seeds. Adds the row to plot->lacks if it has none. */
static void load(struct plot *plot, int row, struct localness_positions *to)
{
    const struct column *column = &plot->figure->left;
    for (int s = 0; s < plot->reader->grid->row[row].count; s++) {
        const char *problem = NULL, *id = value_stage(plot->reader, row, s, column);
        const char *path = id ? points_file(plot, id, "localness.npy", &problem) : NULL;
        points_refuse(plot, row, path ? localness_read(to, path, plot->arena) : problem);
    }
    if (!to->count) points_lack(plot, points_row_name(plot, row), row, column);
    for (int l = 1; l <= LOCALNESS_LAYERS && !(plot->figure->kind->traits & FIGURE_SINGLE); l++)
        for (int i = 0; i < to->in[l]; i++)
            points_reach(&plot->right, localness_value(to->number[l][i], column->value));
}

/* Adds a point for each of `figure->points` random positions, drawn without replacement. */
static void draw_points(struct plot *plot, const float **number, int count, struct point point)
{
    const struct figure *figure = plot->figure;
    struct pcg64 random = pcg64_seed((unsigned)(figure->seed + (int)number[0][LOCALNESS_LAYER]));
    for (int i = 0; i < count && i < figure->points; i++) {
        const int other = i + (int)pcg64_below(&random, (uint32_t)(count - i));
        const float *drawn = number[other];
        number[other] = number[i];
        const double window = localness_value(drawn, "window");
        points_at(plot, point, window, localness_value(drawn, figure->left.value));
        points_reach(&plot->right, window);
    }
}

/* Returns a round width for at most about BINS bins over all values. plot->right has the range of
 * the values. Bin i is from first + i width to first + (i + 1) width, and `first` is a multiple of
 * the width. */
static double bin_width(const struct plot *plot)
{
    const double span = plot->right.high - plot->right.low;
    return canvas_step(span > 0 ? span / (BINS - 1) : 1);
}

static void draw_bins(struct plot *plot, const float **number, int count, struct point point)
{
    const double width = bin_width(plot), first = floor(plot->right.low / width) * width;
    int in[BINS + 1] = {0};
    for (int i = 0; i < count; i++) {
        const double value = localness_value(number[i], plot->figure->left.value);
        in[(int)fmin(fmax(floor((value - first) / width), 0), BINS)]++;
    }
    for (int b = 0; b <= BINS; b++)
        points_at(plot, point, first + (b + 0.5) * width, 100.0 * in[b] / count);
}

/* Draws a frame for each layer that a row has, with a series for each row. In captions, n is the
 * number of values of a row in a layer. */
void positions_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const bool scatter = figure->kind->traits & FIGURE_SINGLE;
    const char *header = figure->left.header;
    struct localness_positions *of =
        ARENA_ARRAY(plot->arena, struct localness_positions, figure->rows + 1);
    int least = 0, most = 0;
    points_label(plot, scatter ? "Window (tokens)" : header, scatter ? header : "Share (%)");
    if (!scatter) plot->axis = figure->left.value;
    for (int i = 0; i < figure->rows && !plot->canvas->refused; i++)
        load(plot, figure->row[i], &of[i]);
    for (int l = 1; l <= LOCALNESS_LAYERS && !plot->canvas->refused; l++) {
        const char *name = arena_print(plot->arena, "%s layer %d", figure->left.name, l);
        int in = 0;
        for (int i = 0; i < figure->rows; i++) in += of[i].in[l];
        for (int i = 0; i < figure->rows && in; i++) {
            const int count = of[i].in[l], row = figure->row[i];
            if (!of[i].count) continue;
            plot->frame = plot->frames + 1;
            points_series(plot, SERIES_SOLID, points_line_name(plot, row), true);
            const struct point point = points_plain(plot, row, name);
            if (count) (scatter ? draw_points : draw_bins)(plot, of[i].number[l], count, point);
            if (count > most) most = count;
            if (count && (!least || count < least)) least = count;
        }
        if (!in) continue;
        ARENA_ADD(plot->arena, plot->frame_name, plot->frames,
                  arena_print(plot->arena, "Layer %d", l));
    }
    if (!plot->frames) return;
    const double beside = scatter ? 0.05 : 0.02;
    const char *n = points_range(plot, least, most);
    plot->lineless = scatter;
    canvas_number(plot->canvas, "dashed", !scatter);
    canvas_axis(plot->canvas, "x", plot->right.low, plot->right.high, beside, beside);
    double low = scatter ? plot->left.low : 0, high = plot->left.high;
    const double free = points_given(plot, &low, &high) ? 0 : 1;
    canvas_axis(plot->canvas, "y", low, high, scatter ? 0.05 * free : 0,
                (scatter ? 0.05 : 0.08) * free);
    if (!scatter)
        canvas_caption(plot->canvas,
                       "Lines: shares of bins of %s tokens in %% of n = %s a row and layer: "
                       "positions and heads of all seeds, none averaged.",
                       number_short(plot->arena, bin_width(plot)), n);
    if (scatter)
        canvas_caption(plot->canvas,
                       "Points: %s positions, drawn at random (seed %d), at most %d of a row in a "
                       "layer, of n = %s: positions and heads of all seeds, none averaged.",
                       number_count(plot->arena, plot->points), figure->seed, figure->points, n);
}
