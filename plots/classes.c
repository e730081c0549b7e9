/* Draws a measure by class. classes: a point for each row and class (Xu et al. 2019, figure 4).
 * profile: a line for each row, for classes that are numbers, such as numbers of operators (Hao et
 * al. 2019, figure 1). */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "plots/figure_points.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"

static struct column at(struct plot *plot, const struct points_wanted *line, int place)
{
    const struct dimensions class = {.class = plot->tics.name[place]};
    return value_filter(line->column, class, NULL, plot->arena);
}

/* ---- classes ---- */

/* Adds the captions "n, words: NOUN 4,132; VERB 2,011." and "14.5% of the words are unknown to the
 * train text.", for the first row. */
static void note_counted(struct plot *plot, const char *unknown_words)
{
    const char *list = NULL;
    for (int i = 0; i < plot->tics.count; i++) {
        const struct point *point = &plot->point[i];
        const int64_t n = value_counted(plot->reader, point->column, point->row);
        if (n > 0)
            list = arena_append(plot->arena, list, "; ",
                                arena_print(plot->arena, "%s %s", point->place,
                                            number_count(plot->arena, (double)n)));
    }
    if (!list) return;
    canvas_caption(plot->canvas, "n, words: %s.", list);
    struct column unknown = plot->figure->left;
    unknown.of = (struct dimensions){0};
    unknown.value = unknown_words;
    const double share = value_read(plot->reader, &unknown, plot->point->row).mean;
    if (isfinite(share))
        canvas_caption(plot->canvas, "%s%% of the words are unknown to the train text.",
                       number_fixed(plot->arena, share, 1));
}

static void put_classes(struct plot *plot, const char *label)
{
    const struct column *column = &plot->figure->left;
    points_note_side(plot, &plot->left, "Points", label);
    const char *unknown = offer_number(column->kind, "", "unknown_words", plot->arena);
    if (column_offered(column) && unknown) {
        const char *each = figure_words(column).points;
        if (each) canvas_caption(plot->canvas, "Each: %s.", each);
        note_counted(plot, unknown);
    }
    if (plot->left.errors)
        canvas_caption(plot->canvas, "Error bars: standard error by bootstrap over %s.",
                       column->measure->items ? column->measure->items : "items");
    points_note_balance(plot);
    points_note_seeds(plot);
    plot->lineless = true;
    const int frames = plot->figure->frames, series = plot->series_count;
    plot->tics.lies = fmax(15, frames ? ceil(7.0 * series / frames) : 4 * series);
    points_before(plot);
}

/* ---- profile ---- */

/* Returns the option with the classes on which all drawn rows were trained, "0-6". Returns NULL if
 * no row has the option, or if rows differ. */
static const char *learned_of(struct plot *plot)
{
    const struct column *column = &plot->figure->left;
    const char *option = figure_words(column).learned, **learned;
    int *row = ARENA_ARRAY(plot->arena, int, plot->series_count);
    if (!option) return NULL;
    for (int l = 0; l < plot->series_count; l++) row[l] = plot->point[plot->series[l].first].row;
    const struct offer *offer = offer_of(column_first(column)->kind);
    const char *key = arena_print(plot->arena, "%s.%s", offer->section, option);
    const int count =
        figure_options(plot->reader->grid, row, plot->series_count, key, &learned, plot->arena);
    if (count > 1)
        canvas_caption(plot->canvas, "Not marked: rows were trained on %s and on %s.", learned[0],
                       learned[1]);
    return count == 1 ? *learned : NULL;
}

/* Marks the end of the classes FIRST-LAST of the training, halfway between LAST and the next
 * class. */
static void put_mark(struct plot *plot, const char *learned)
{
    const double *x = plot->tics.x;
    const char *dash = learned ? strrchr(learned, '-') : NULL;
    double last;
    if (!learned || !plot->tics.numeric || !real_parse(dash ? dash + 1 : learned, &last)) return;
    for (int i = 1; i < plot->tics.count; i++) {
        if (x[i - 1] > last || x[i] <= last) continue;
        canvas_caption(plot->canvas, "Dashed: where the classes %s end, which were trained.",
                       learned);
        canvas_number(plot->canvas, "mark", (x[i - 1] + x[i]) / 2);
        plot->also = arena_print(plot->arena, "Trained on %s", learned);
    }
}

static void put_profile(struct plot *plot, const char *label)
{
    const char *learned = learned_of(plot);
    canvas_caption(plot->canvas, "Points: %s%s.", label,
                   plot->left.most > 1 ? ", means over seeds" : "");
    points_note_intervals(plot, "Bands", "bands");
    put_mark(plot, learned);
    points_note_signature(plot, &plot->left, label);
    points_note_against(plot);
}

static void fill(struct plot *plot)
{
    const struct column *column = &plot->figure->left;
    const bool profile = plot->figure->kind->bands;
    const char *sized = profile ? figure_words(column).sized : NULL;
    struct points_wanted *wanted;
    const int count = points_wanted(plot, &wanted);
    plot->checked = *column;
    plot->checked.of.every = true;
    plot->tics.count = sample_classes(plot->reader, column, &plot->tics.name);
    if (profile) points_scale(plot);
    const char *label = points_label(plot, sized ? sized : "", points_label_of(plot, column));
    plot->axis = "class";
    points_along(plot, wanted, count, at);
    if (plot->series_count) (profile ? put_profile : put_classes)(plot, label);
}

const struct figure_kind figure_classes = {
    .name = "classes",
    .help = "measure by class, points for each row",
    .keys = FIGURE_LIMITS,
    .by = DIMENSION_CLASS,
    .fill = fill,
};
const struct figure_kind figure_profile = {
    .name = "profile",
    .template_name = "lines",
    .help = "measure along classes that are sizes, a line and a band for each row (Hao et al. "
            "2019, figure 1)",
    .keys = "x:log " FIGURE_LIMITS,
    .intervals = true,
    .bands = true,
    .by = DIMENSION_CLASS,
    .fill = fill,
};
