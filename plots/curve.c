/* Draws learning curves of several rows: BLEU and loss by optimizer step (Song et al. 2018, figure
 * 4). */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "plots/figure_points.h"

#define BLEU "dev_bleu"

/* Maximum number of curves with bands. More bands could not be distinguished. */
enum { SHADED_MOST = 6 };

/* The curves of all rows for one axis. */
struct curves {
    const struct column *metric;
    struct value_curve *curve; /* [rows] */
    int drawn;
    bool spread; /* some curve is a mean over several seeds */
};

/* Exits with an error if a curve of dev BLEU is requested and no row validates BLEU. The default on
 * the left axis is no such request, because the curve of the right axis then replaces it. */
void curve_check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    static const char key[] = "train.validate_sentences";
    const char **set;
    const bool left = word_same(figure->left.name, BLEU) &&
                      (figure->given_left || !figure->right.name),
               right = word_same(figure->right.name, BLEU);
    figure_options(grid, figure->row, figure->rows, key, &set, arena);
    if ((left || right) && word_same(set[0], "0") && !set[1] && !grid->words.varied)
        die_at(left ? figure->at_left : column_location(&figure->right),
               "figures: no row has %s; expected %s above 0, or left: dev_loss", BLEU, key);
}

/* Reads the curves of one axis, and sets its label. column->name NULL: the axis is empty. */
static struct curves read_side(struct plot *plot, struct figure_side *side,
                               const struct column *column, const char *label,
                               const struct offer *trains)
{
    const struct figure *figure = plot->figure;
    struct curves all = {.metric = column,
                         .curve = ARENA_ARRAY(plot->arena, struct value_curve, figure->rows + 1)};
    struct column metric = *column;
    metric.kind = trains->kind;
    if (!metric.name) return all;
    const char *unit = offer_measure(trains->kind, OFFER_VALIDATION)->counted;
    side->label = metric.header;
    if (strcmp(metric.name, BLEU) != 0) /* unit: "token" of "tokens" */
        side->label = arena_print(plot->arena, "%s (nats per %.*s)", metric.header,
                                  (int)strlen(unit) - 1, unit);
    if (*label) side->label = label;
    for (int i = 0; i < figure->rows; i++) {
        const struct value_curve curve = all.curve[i] =
            value_read_curve(plot->reader, figure->row[i], &metric, false);
        all.drawn += curve.steps > 0;
        all.spread |= curve.steps > 1 && isfinite(*curve.deviation);
    }
    return all;
}

/* Writes the ranges of the axes, which include what is drawn: bars only if shaded, on the left. */
static void put_axes(struct plot *plot, const struct curves *right, bool shaded)
{
    struct canvas *canvas = plot->canvas;
    double first = INFINITY, last = 0;
    plot->left.reaches = plot->right.reaches = false;
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        const bool is_right = plot->series[point->series].style == SERIES_RIGHT;
        struct figure_side *side = is_right ? &plot->right : &plot->left;
        first = fmin(first, point->x);
        last = fmax(last, point->x);
        points_reach(side, point->mean);
        if (!shaded || is_right) continue;
        points_reach(side, point->low);
        points_reach(side, point->high);
    }
    canvas_number(canvas, "first", first);
    canvas_number(canvas, "last", last);
    canvas_number(canvas, "shaded", shaded);
    canvas_number(canvas, "right", right->drawn);
    canvas_axis(canvas, "step", 0, last, 0, 0);
    points_left(plot, plot->left.low, plot->left.high, 0.05, 0.05);
    if (right->drawn) {
        canvas_axis(canvas, "right", plot->right.low, plot->right.high, 0.05, 0.05);
        canvas_caption(canvas, "Dashed, with small marks: right axis.");
    }
    plot->left.drawn = 1;
    plot->right.drawn = right->drawn;
    if (shaded) plot->left.bars = "standard deviation over seeds, shaded";
}

void curve_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct offer *trains = sample_trains(plot->reader->grid);
    if (!trains) trains = offer_that_trains();
    CHECK(trains, "no kind trains");
    struct column column = figure->left;
    column.kind = trains->kind;
    struct curves left = read_side(plot, &plot->left, &figure->left, figure->y, trains),
                  right = read_side(plot, &plot->right, &figure->right, figure->y2, trains);
    if (!left.drawn && right.drawn) { /* draws the right side on the left axis */
        plot->left = plot->right;
        left = right;
        right = (struct curves){.curve = left.curve};
    }
    int series = 0;
    canvas_text(plot->canvas, "label_x", *figure->x ? figure->x : "Optimizer steps");
    canvas_text(plot->canvas, "label_y", plot->left.label);
    if (right.drawn) canvas_text(plot->canvas, "label_y2", plot->right.label);
    for (int i = 0; i < figure->rows; i++) series += left.curve[i].steps || right.curve[i].steps;
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        const char *name = points_row_name(plot, row);
        const bool none = !left.curve[i].steps && !right.curve[i].steps;
        if (none || !value_done(plot->reader, row, &column))
            points_lack(plot, none ? name : arena_print(plot->arena, "the end of %s", name), row,
                        &column);
        if (none) continue;
        const int of = points_series(plot, SERIES_SOLID, points_line_name(plot, row), true);
        points_curve(plot, &plot->left, row, left.metric, &left.curve[i], 0);
        if (!right.drawn) continue;
        plot->series[points_series(plot, SERIES_RIGHT, NULL, true)].of = of;
        points_curve(plot, &plot->right, row, right.metric, &right.curve[i], 0);
    }
    if (series) put_axes(plot, &right, left.spread && series <= SHADED_MOST);
}
