/* Draws a measure by the share of items on which a classifier was trained. The online code of Voita
 * and Titov (2020) trains such classifiers. There is a line for each row, or for each task of one
 * row. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/word.h"
#include "plots/figure_points.h"

/* Tics of the axis in per cent: the shares of the online code. */
static const char *tics[] = {"0.1",  "0.2",  "0.4", "0.8", "1.6", "3.2",
                             "6.25", "12.5", "25",  "50",  "100"};

/* Returns the measure with the values of the measure `name` by share of the training items (tr);
 * NULL if there is none. */
static const struct measure *shares_of(const char *kind, const char *name, struct arena *arena)
{
    return offer_measure(kind, arena_print(arena, SHARE_OF "%s", name));
}

static struct column read(const struct tree *item, struct arena *arena)
{
    const struct column column = figure_read_value(item, arena);
    const struct measure *of = column_offered(&column);
    if (of && shares_of(column.kind, of->name, arena) && !column_has(&column, COLUMN_MARGIN) &&
        !dimensions_some(&column.of))
        return column;
    const char **name = ARENA_ARRAY(arena, const char *, 2); /* first column with values by share,
                                                                for the message */
    for (const struct offer *const *offer = offers(); *offer && !name[0]; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name && !name[0];
             measure++)
            if (shares_of((*offer)->kind, measure->name, arena))
                name[0] = arena_print(arena, "%s.%s", (*offer)->kind,
                                      (*offer)->traits & OFFER_PARTS ? "PART" : measure->name);
    word_refuse(item->location, "figures", "no value by share of tr is called", column.name, name);
}

/* Exits with an error unless the option for values by share is true in a row. */
static void check(const struct figure *figure, const struct grid *grid, struct location location,
                  struct arena *arena)
{
    const struct column *column = &figure->left;
    const char *key = arena_print(arena, "%s.%s", offer_of(column->kind)->section,
                                  shares_of(column->kind, column->measure->name, arena)->option);
    const char **asked;
    figure_options(grid, figure->row, figure->rows, key, &asked, arena);
    if (!word_known("true", asked) && !grid->words.varied)
        die_at(location, "figures: no row has %s by share of tr; expected %s: true", column->name,
               key);
}

/* Adds the series of a row or column. Returns the number of all training items (tr); 0 if there is
 * no value. */
static double put_line(struct plot *plot, const struct points_wanted *wanted)
{
    struct column metric = *wanted->column;
    metric.value = shares_of(metric.kind, metric.measure->name, plot->arena)->name;
    const struct value_curve curve = value_read_curve(plot->reader, wanted->row, &metric, true);
    if (!curve.steps) {
        points_lack(plot, wanted->name, wanted->row, wanted->column);
        return 0;
    }
    points_read(plot, &plot->left, wanted->column, wanted->row);
    points_series(plot, SERIES_SOLID, wanted->name, false);
    const double all = curve.step[curve.steps - 1];
    points_curve(plot, &plot->left, wanted->row, wanted->column, &curve, all);
    return all;
}

static void put_places(struct plot *plot)
{
    double *x = ARENA_ARRAY(plot->arena, double, COUNT_OF(tics)), least = INFINITY;
    size_t first = 0;
    for (int i = 0; i < plot->points; i++) least = fmin(least, plot->point[i].x);
    for (size_t i = 0; i < COUNT_OF(tics); i++) x[i] = log10(number_read(tics[i]));
    while (first + 1 < COUNT_OF(tics) && x[first] < least + log10(0.9)) first++;
    plot->tics = (struct tics){(int)(COUNT_OF(tics) - first), tics + first, x + first, true, 0};
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct column *column = &figure->left;
    struct points_wanted *wanted;
    const int count = points_wanted(plot, &wanted);
    double least = INFINITY, most = 0;
    const char *label = points_label(plot, "Share of tr (%)", points_label_of(plot, column));
    plot->axis = "share";
    plot->checked = *column;
    for (int i = 0; i < count; i++) {
        const double all = put_line(plot, &wanted[i]);
        if (all > 0) least = fmin(least, all);
        most = fmax(most, all);
    }
    if (!plot->series_count) return;
    put_places(plot);
    points_note_side(plot, &plot->left, "Points", label);
    canvas_caption(plot->canvas,
                   "Each of classifiers that learned from a share of tr; 100%% are %s items.",
                   points_range(plot, least, most));
    points_note_against(plot);
}

const struct figure_kind figure_shares = {
    .name = "shares",
    .template_name = "lines",
    .help = "accuracy by share of tr (evaluate.probe.code), a line for each row, or for each task "
            "of a row",
    .keys = "frame " FIGURE_LIMITS,
    .several = true,
    .read = read,
    .check = check,
    .fill = fill,
};
