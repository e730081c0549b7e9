/* Lines along the share of items on which a classifier was trained. The online code of Voita and
 * Titov (2020) trains such classifiers. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/word.h"
#include "plots/figure_points.h"

/* Tics of the axis in per cent: the shares of the online code. */
static const char *tics[] = {"0.1",  "0.2",  "0.4", "0.8", "1.6", "3.2",
                             "6.25", "12.5", "25",  "50",  "100"};

/* Exits with an error unless the option for values by share is true in a row. */
void shares_check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    const struct column *column = column_first(&figure->left);
    const char *key = arena_print(arena, "%s.%s", offer_of(column->kind)->section,
                                  offer_share(column->kind, column->measure->name)->option);
    const char **asked;
    figure_options(grid, figure->row, figure->rows, key, &asked, arena);
    if (!word_known("true", asked) && !grid->words.varied)
        die_at(figure->at_left, "figures: no row has %s by share of tr; expected %s: true",
               column->name, key);
}

static struct value_curve read_curve(struct plot *plot, const struct column *column, int row)
{
    const struct column *of = column_first(column);
    const char *shares = offer_share(of->kind, of->measure->name)->name;
    const struct column metric = value_filter(column, (struct dimensions){0}, shares, plot->arena);
    return value_read_curve(plot->reader, row, &metric, true);
}

void shares_put(struct plot *plot, const struct along_line *line)
{
    const struct value_curve curve = read_curve(plot, line->column, line->row);
    if (!curve.steps) return;
    points_read(plot, &plot->left, line->column, line->row);
    points_curve(plot, &plot->left, line->row, line->column, &curve, curve.step[curve.steps - 1]);
}

void shares_tics(struct plot *plot)
{
    double *x = ARENA_ARRAY(plot->arena, double, COUNT_OF(tics)), least = INFINITY;
    size_t first = 0;
    for (int i = 0; i < plot->points; i++) least = fmin(least, plot->point[i].x);
    for (size_t i = 0; i < COUNT_OF(tics); i++) x[i] = number_read(tics[i]);
    while (first + 1 < COUNT_OF(tics) && x[first] < 0.9 * least) first++;
    plot->tics = (struct tics){(int)(COUNT_OF(tics) - first), tics + first, x + first, true, 0};
    points_log_x(plot);
}
