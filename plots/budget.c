/* Draws the value of a budget of tuned rows: the expected best of k trials on dev, against k (Dodge
 * et al. 2019). */
#include <math.h>
#include <string.h>

#include "experiments/grid/tune.h"
#include "plots/figure_points.h"
#include "results/stats/best_of.h"
#include "results/table/expected.h"

void budget_check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    bool tuned = false;
    (void)arena;
    for (int i = 0; i < figure->rows; i++) tuned |= grid->row[figure->row[i]].tuned != NULL;
    expected_refuse(grid, figure->at_left, "figures: budget");
    if (!tuned) die_at(figure->at_left, "figures: budget: no row is tuned; expected the key tune");
}

/* Returns the trials of all searches of a row, [*count]. */
static const double *trials_of(struct plot *plot, int row, int *count)
{
    double *value = NULL;
    *count = 0;
    for (int s = 0; s < tuned_searches(&plot->reader->grid->row[row]); s++) {
        const struct expected_trials trials = expected_trials(plot->reader, row, s);
        for (int t = 0; t < trials.count; t++)
            ARENA_ADD(plot->arena, value, *count, trials.value[t]);
    }
    return value;
}

/* Adds a line up to half of the trials, with a band up to a third of them. */
static void put_row(struct plot *plot, int row, const double *value, int count, bool less)
{
    points_series(plot, SERIES_SOLID, points_line_name(plot, row), true);
    for (int k = 1; k <= count / 2; k++) {
        struct point point = points_plain(plot, row, plot->figure->left.name);
        const double best = best_of(value, count, k, less);
        const double reach = k <= count / 3 ? best_of_reach(value, count, k, less) : (double)NAN;
        point.low = best - reach;
        point.high = best + reach;
        points_at(plot, point, k, best);
    }
}

void budget_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct grid *grid = plot->reader->grid;
    const char *metric = "";
    struct column of;
    int most = 0;
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        int count;
        const double *value = trials_of(plot, row, &count);
        if (grid->row[row].tuned) metric = grid->row[row].tuned->metric->name;
        if (count)
            put_row(plot, row, value, count, grid->row[row].tuned->metric->less);
        else
            points_lack(plot, points_row_name(plot, row), row, &figure->left);
        if (count / 2 > most) most = count / 2;
    }
    points_label(plot, "Trials",
                 arena_print(plot->arena, "%s, expected best on dev",
                             column_find(metric, &of, NULL, plot->arena) ? of.header : metric));
    const char **name = ARENA_ARRAY(plot->arena, const char *, most);
    for (int k = 0; k < most; k++) name[k] = arena_print(plot->arena, "%d", k + 1);
    plot->tics = (struct tics){most, name, NULL, true, 0};
    canvas_number(plot->canvas, "loose", 1); /* lines are dotted where they have no band */
}
