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

/* Exits with an error unless a column has values by share of tr. For mean(GROUP), checks each
 * column of the group. */
static void check_shares(const struct column *column, struct arena *arena)
{
    const struct measure *of = column_offered(column);
    const char **name = ARENA_ARRAY(arena, const char *, 2); /* first column with values by share,
                                                                for the message */
    for (int i = 0; column->function == COLUMN_GROUP && i < column->arguments; i++)
        check_shares(&column->argument[i], arena);
    if (of && shares_of(column_first(column)->kind, of->name, arena) &&
        !column_has(column, COLUMN_MARGIN) && !dimensions_some(&column->of))
        return;
    for (const struct offer *const *offer = offers(); *offer && !name[0]; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name && !name[0];
             measure++)
            if (shares_of((*offer)->kind, measure->name, arena))
                name[0] = arena_print(arena, "%s.%s", (*offer)->kind,
                                      (*offer)->traits & OFFER_PARTS ? "PART" : measure->name);
    word_refuse(column->location, "figures", "no value by share of tr is called", column->name,
                name);
}

/* Reads a column. mean(GROUP) is checked later, because its columns are not yet known. */
static struct column read(const struct tree *item, struct arena *arena)
{
    const struct column column = figure_read_value(item, arena);
    if (!column_has(&column, COLUMN_GROUP)) check_shares(&column, arena);
    return column;
}

/* Exits with an error unless the option for values by share is true in a row. */
static void check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    for (int i = 0; i < figure->columns; i++) check_shares(&figure->column[i], arena);
    const struct column *column = column_first(&figure->left);
    const char *key = arena_print(arena, "%s.%s", offer_of(column->kind)->section,
                                  shares_of(column->kind, column->measure->name, arena)->option);
    const char **asked;
    figure_options(grid, figure->row, figure->rows, key, &asked, arena);
    if (!word_known("true", asked) && !grid->words.varied)
        die_at(figure->at_left, "figures: no row has %s by share of tr; expected %s: true",
               column->name, key);
}

static struct value_curve read_curve(struct plot *plot, const struct column *column, int row)
{
    const struct column *of = column_first(column);
    const char *shares = shares_of(of->kind, of->measure->name, plot->arena)->name;
    const struct column metric = value_filter(column, (struct dimensions){0}, shares, plot->arena);
    return value_read_curve(plot->reader, row, &metric, true);
}

/* Extends the range *least to *most by the numbers of all training items (tr) of a row, which are
 * the last steps of its curves. For mean(GROUP), these are the curves of its columns. */
static void read_items(struct plot *plot, const struct column *column, int row, double *least,
                       double *most)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    for (int i = 0; group && i < group->arguments; i++)
        read_items(plot, &group->argument[i], row, least, most);
    if (group) return;
    const struct value_curve curve = read_curve(plot, column, row);
    if (!curve.steps) return;
    *least = fmin(*least, curve.step[curve.steps - 1]);
    *most = fmax(*most, curve.step[curve.steps - 1]);
}

/* Adds the series of a row or column. */
static void put_line(struct plot *plot, const struct points_wanted *wanted)
{
    const struct value_curve curve = read_curve(plot, wanted->column, wanted->row);
    if (!curve.steps) {
        points_lack(plot, wanted->name, wanted->row, wanted->column);
        return;
    }
    points_read(plot, &plot->left, wanted->column, wanted->row);
    points_series(plot, SERIES_SOLID, wanted->name, false);
    points_curve(plot, &plot->left, wanted->row, wanted->column, &curve,
                 curve.step[curve.steps - 1]);
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
        put_line(plot, &wanted[i]);
        read_items(plot, wanted[i].column, wanted[i].row, &least, &most);
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
    .keys = FIGURE_LIMITS,
    .several = true,
    .read = read,
    .check = check,
    .fill = fill,
};
