/* Lines along classes. classes: a point for each row and class (Xu et al. 2019, figure 4). profile:
 * a line for each row, for classes that are numbers, such as numbers of operators (Hao et al. 2019,
 * figure 1). */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "plots/figure_points.h"

/* If all drawn rows were trained on the classes FIRST-LAST, marks the end of these classes, halfway
 * between LAST and the next class. */
static void put_mark(struct plot *plot)
{
    const struct column *column = &plot->figure->left;
    const char *option = figure_words(column).learned, **learned;
    const double *x = plot->tics.x;
    double last;
    int *row = ARENA_ARRAY(plot->arena, int, plot->series_count);
    if (!option || !plot->tics.numeric) return;
    for (int l = 0; l < plot->series_count; l++) row[l] = plot->point[plot->series[l].first].row;
    const char *key =
        arena_print(plot->arena, "%s.%s", offer_of(column_first(column)->kind)->section, option);
    if (figure_options(plot->reader->grid, row, plot->series_count, key, &learned, plot->arena) !=
        1)
        return;
    const char *dash = strrchr(*learned, '-');
    if (!real_parse(dash ? dash + 1 : *learned, &last)) return;
    for (int i = 1; i < plot->tics.count; i++) {
        if (x[i - 1] > last || x[i] <= last) continue;
        canvas_number(plot->canvas, "mark", (x[i - 1] + x[i]) / 2);
        plot->also = arena_print(plot->arena, "Trained on %s", *learned);
        canvas_caption(plot->canvas, "Dashed: where the classes %s end, which were trained.",
                       *learned);
    }
}

/* Draws the reference values (figure_words.against) as a line if they are equal for all rows. */
static void put_against(struct plot *plot)
{
    const struct column *left = column_first(&plot->figure->left);
    const char *against = figure_words(left).against;
    const struct measure *other = against ? offer_measure(left->kind, against) : NULL;
    const int classes = plot->tics.count, points = plot->points;
    if (!other || !(other->traits & BY_CLASS)) return;
    points_other(plot, SERIES_AGAINST, 0, other->name, other->header);
    for (int i = 0; i < points; i++) {
        const double value = points_metric(plot, &plot->point[i], other->name).mean;
        if (value == plot->point[points + i % classes].mean) continue;
        plot->points = points;
        plot->series_count--;
        return;
    }
    canvas_caption(plot->canvas, "Dotted: %s.", other->help ? other->help : other->name);
}

const char *classes_read(struct plot *plot)
{
    const bool profile = plot->figure->kind->traits & FIGURE_BANDS;
    const char *sized = profile ? figure_words(&plot->figure->left).sized : NULL;
    plot->checked.of.class = "";
    plot->tics.count = sample_classes(plot->reader, &plot->figure->left, &plot->tics.name);
    if (profile) points_scale(plot);
    return sized ? sized : "";
}

void classes_mark(struct plot *plot)
{
    const int frames = plot->figure->frames, series = plot->series_count;
    if (plot->figure->kind->traits & FIGURE_BANDS) {
        put_mark(plot);
        put_against(plot);
        return;
    }
    plot->lineless = true;
    plot->tics.lies = fmax(15, frames ? ceil(7.0 * series / frames) : 4 * series);
    points_before(plot);
}
