/* Centers and windows position by position, from the output files of stages `localness`, in a frame
 * for each layer. scatter: windows against centers at random positions. histogram: number of values
 * in each bin (Yang et al. 2018, figure 3). */
#include <math.h>
#include <string.h>

#include "core/base/npy.h"
#include "core/base/pcg64.h"
#include "plots/points.h"
#include "probes/localness.h"
#include "results/sheet/number.h"

enum { LAYERS = 64, BINS = 24 };

#define POSITIONS(value_, header_)                                                                 \
    {                                                                                              \
        .name = "localness." value_, .header = header_, .source = COLUMN_VALUE,                    \
        .kind = "localness", .value = value_                                                       \
    }
static const struct column known[] = {
    POSITIONS("center", "Center (tokens)"),
    POSITIONS("offset", "Center - position (tokens)"),
    POSITIONS("window", "Window (tokens)"),
    {0},
};

static bool is_scatter(const struct plot *plot)
{
    return plot->figure->kind->single;
}

/* Returns the value of a column at a position. */
static double value_of(const struct column *column, const float *number)
{
    if (!strcmp(column->value, "window")) return (double)number[LOCALNESS_WINDOW];
    if (!strcmp(column->value, "center")) return (double)number[LOCALNESS_CENTER];
    return (double)number[LOCALNESS_CENTER] - (double)number[LOCALNESS_POSITION];
}

/* Positions of a row in all done seeds, heads separately: LOCALNESS_COLUMNS numbers each. */
struct positions {
    int row, count, in[LAYERS + 1]; /* total, and in each layer */
    const float **number[LAYERS + 1];
};

/* Loads the positions. The files stay mapped until the process ends: figures are few. */
static void load(struct plot *plot, struct positions *to)
{
    static const struct npy_bounds column[LOCALNESS_COLUMNS] = {
        {1, LAYERS}, {0, 1e9}, {0, 1e9}, {0, 1e9}, {0, 1e9}, {-1e9, 1e9}, {-1e9, 1e9}};
    for (int s = 0; s < plot->reader->grid->row[to->row].count; s++) {
        const char *problem = NULL,
                   *id = value_stage(plot->reader, to->row, s, &plot->figure->left);
        const char *path = id ? points_file(plot, id, "localness.npy", &problem) : NULL;
        const struct npy npy = path ? npy_open(path) : (struct npy){0};
        if (path) problem = npy_fault(&npy, path, column, LOCALNESS_COLUMNS, plot->arena);
        points_refuse(plot, to->row, problem);
        for (int64_t r = 0; r < npy.rows && !problem; r++) {
            const float *number = npy.number + r * LOCALNESS_COLUMNS;
            const int layer = (int)number[LOCALNESS_LAYER];
            ARENA_ADD(plot->arena, to->number[layer], to->in[layer], number);
            to->count++;
            if (!is_scatter(plot))
                points_reach(&plot->right, value_of(&plot->figure->left, number));
        }
    }
}

/* Draws random positions without replacement. */
static void draw_points(struct plot *plot, const struct positions *of, int layer,
                        struct point point)
{
    const struct figure *figure = plot->figure;
    struct pcg64 random = pcg64_seed((unsigned)(figure->seed + layer));
    for (int i = 0; i < of->in[layer] && i < figure->points; i++) {
        const int other = i + (int)pcg64_below(&random, (uint32_t)(of->in[layer] - i));
        const float *number = of->number[layer][other];
        of->number[layer][other] = of->number[layer][i];
        point.x = (double)number[LOCALNESS_WINDOW];
        point.mean = value_of(&figure->left, number);
        point.place = canvas_place(plot->canvas, point.x);
        points_add(plot, &plot->left, point);
        points_reach(&plot->right, point.x);
    }
}

/* Returns the width of the bins [first + i width, first + (i + 1) width) of all values, whose range
 * is in plot->right. Bounds are multiples of a round width. */
static double bin_width(const struct plot *plot)
{
    const double span = plot->right.high - plot->right.low;
    return canvas_step(span > 0 ? span / (BINS - 1) : 1);
}

static void draw_bins(struct plot *plot, const struct positions *of, int layer, struct point point)
{
    const double width = bin_width(plot), first = floor(plot->right.low / width) * width;
    int in[BINS + 1] = {0};
    for (int i = 0; i < of->in[layer]; i++) {
        const double value = value_of(&plot->figure->left, of->number[layer][i]);
        const int bin = (int)floor((value - first) / width);
        in[bin < 0 ? 0 : bin > BINS ? BINS : bin]++;
    }
    for (int b = 0; b <= BINS && of->in[layer]; b++) {
        point.x = first + (b + 0.5) * width;
        point.mean = 100.0 * in[b] / of->in[layer];
        point.place = canvas_place(plot->canvas, point.x);
        points_add(plot, &plot->left, point);
    }
}

/* Draws every row in every layer of any row. Returns the number of positions of a row in a layer,
 * "4" or "1 to 4"; NULL: none. */
static const char *draw(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    struct positions *all = ARENA_ARRAY(plot->arena, struct positions, figure->rows + 1);
    const char *layers[LAYERS];
    int rows = 0, frames = 0, least = 0, most = 0;
    for (int i = 0; i < figure->rows && !plot->canvas->refused; i++) {
        all[rows].row = figure->row[i];
        load(plot, &all[rows]);
        if (!all[rows].count)
            points_lack(plot, points_row_name(plot, figure->row[i]), figure->row[i], &figure->left);
        rows += all[rows].count > 0;
    }
    for (int l = 1; l <= LAYERS && !plot->canvas->refused; l++) {
        int in = 0;
        for (int i = 0; i < rows; i++) in += all[i].in[l];
        for (int i = 0; i < rows && in; i++) {
            const struct positions *of = &all[i];
            const char *name = arena_print(plot->arena, "%s layer %d", figure->left.name, l);
            points_line(plot, LINE_SOLID, frames ? NULL : points_row_name(plot, of->row), true);
            (is_scatter(plot) ? draw_points : draw_bins)(plot, of, l,
                                                         points_plain(plot, of->row, name));
            if (of->in[l] > most) most = of->in[l];
            if (of->in[l] && (!least || of->in[l] < least)) least = of->in[l];
        }
        if (in) layers[frames++] = arena_print(plot->arena, "Layer %d", l);
    }
    if (!frames) return NULL;
    canvas_names(plot->canvas, "panel_name", layers, NULL, frames, CANVAS_NAME);
    canvas_number(plot->canvas, "panels", frames);
    return points_range(plot, least, most);
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const bool scatter = is_scatter(plot);
    const char *header = figure->left.header;
    points_label(plot, scatter ? "Window (tokens)" : header, scatter ? header : "Share (%)");
    plot->axis = scatter ? "window" : figure->left.value;
    plot->seeds = "Positions of";
    const char *n = draw(plot);
    const double beside = scatter ? 0.05 : 0.02;
    if (!n) return;
    canvas_number(plot->canvas, scatter ? "lineless" : "dashed", 1);
    canvas_axis(plot->canvas, "x", plot->right.low, plot->right.high, beside, beside);
    canvas_axis(plot->canvas, "y", scatter ? plot->left.low : 0, plot->left.high,
                scatter ? 0.05 : 0, scatter ? 0.05 : 0.08);
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
    if (scatter)
        canvas_caption(plot->canvas, "Window and center in tokens; positions count from 0.");
}

const struct figure_kind figure_scatter = {
    .name = "scatter",
    .template_name = "panels",
    .help = "centers (localness.offset: minus positions) against windows, a frame for each layer "
            "(Yang et al. 2018, figure 3)",
    .left = "localness.center",
    .keys = "points seed",
    .single = true,
    .known = known,
    .name_of = "a value by position",
    .unknown = "no value by position is called",
    .fill = fill,
};
const struct figure_kind figure_histogram = {
    .name = "histogram",
    .template_name = "panels",
    .help = "histogram of windows (or localness.center, localness.offset), a frame for each layer "
            "(Yang et al. 2018, figure 3)",
    .left = "localness.window",
    .known = known,
    .name_of = "a value by position",
    .unknown = "no value by position is called",
    .fill = fill,
};
