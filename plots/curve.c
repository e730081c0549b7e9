/* Draws learning curves of several rows: BLEU and loss by optimizer step (Song et al. 2018, figure
 * 4). */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "plots/figure_points.h"

/* The metrics that a curve can show. They are in the journals of trainings. */
static const struct column known[] = {
    {.name = "dev_bleu", .value = "dev_bleu", .header = "Dev BLEU"},
    {.name = "dev_loss", .value = "dev_loss", .header = "Dev loss"},
    {.name = "dev_smoothed", .value = "dev_smoothed", .header = "Dev loss, smoothed"},
    {.name = "loss", .value = "loss", .header = "Training loss"},
    {0},
};

/* Maximum number of curves with bands. More bands could not be distinguished. */
enum { SHADED_MOST = 6 };

/* The curves of all rows for one axis. */
struct curves {
    const struct column *metric; /* with the name NULL: the axis is empty */
    const char *label;           /* label from the grid, or the default label */
    struct value_curve *curve;   /* [rows] */
    int drawn;
    bool single, spread; /* single: some curve has only one step, so a line would be invisible;
                            spread: some curve is a mean over several seeds */
};

/* Exits with an error if a curve of dev BLEU is requested and no row validates BLEU. The default on
 * the left axis is no such request, because the curve of the right axis then replaces it. */
static void check(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    static const char key[] = "train.validate_sentences";
    const char **set;
    const bool left = word_same(figure->left.name, known->name) &&
                      (figure->given_left || !figure->right.name),
               right = word_same(figure->right.name, known->name);
    figure_options(grid, figure->row, figure->rows, key, &set, arena);
    if ((left || right) && word_same(set[0], "0") && !set[1] && !grid->words.varied)
        die_at(left ? figure->at_left : figure->right.location,
               "figures: no row has %s; expected %s above 0, or left: dev_loss", known->name, key);
}

static struct curves read_side(struct plot *plot, const struct column *column, const char *label,
                               const struct offer *trains)
{
    const struct figure *figure = plot->figure;
    struct curves side = {
        column, label, ARENA_ARRAY(plot->arena, struct value_curve, figure->rows + 1), 0, 0, 0};
    struct column metric = *column;
    metric.kind = trains->kind;
    if (!metric.name) return side;
    const char *unit = offer_measure(trains->kind, OFFER_VALIDATION)->counted;
    if (!*label)
        side.label = !strcmp(metric.name, known->name)
                         ? metric.header
                         : arena_print(plot->arena, "%s (nats per %.*s)", metric.header,
                                       (int)strlen(unit) - 1, unit); /* "token" of "tokens" */
    for (int i = 0; i < figure->rows; i++) {
        const struct value_curve curve = side.curve[i] =
            value_read_curve(plot->reader, figure->row[i], &metric, false);
        side.drawn += curve.steps > 0;
        side.single |= curve.steps == 1;
        side.spread |= curve.steps > 1 && isfinite(*curve.deviation);
    }
    return side;
}

/* Writes the ranges of the axes, and captions about the styles of lines. */
static void put_axes(struct plot *plot, const struct curves *left, const struct curves *right)
{
    struct canvas *canvas = plot->canvas;
    const bool shaded = !plot->left.bare;
    double first = INFINITY, last = 0;
    for (int i = 0; i < plot->points; i++) {
        first = fmin(first, plot->point[i].x);
        last = fmax(last, plot->point[i].x);
    }
    canvas_number(canvas, "first", first);
    canvas_number(canvas, "last", last);
    canvas_number(canvas, "single", right->single);
    canvas_number(canvas, "shaded", shaded);
    canvas_number(canvas, "right", right->drawn);
    canvas_axis(canvas, "step", 0, last, 0, 0);
    points_left(plot, plot->left.low, plot->left.high, 0.05, 0.05);
    if (shaded)
        canvas_caption(canvas, "Shaded: sample standard deviation of the seeds%s.",
                       right->drawn ? ", left axis" : "");
    if (!right->drawn) return;
    canvas_axis(canvas, "right", plot->right.low, plot->right.high, 0.05, 0.05);
    canvas_caption(canvas, "Solid, left axis: %s; dashed%s, right axis: %s.", left->metric->header,
                   right->single ? ", or small marks" : "", right->metric->header);
}

static void fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct offer *trains = sample_trains(plot->reader->grid);
    if (!trains) trains = offer_that_trains();
    CHECK(trains, "no kind trains");
    struct column column = figure->left;
    column.kind = trains->kind;
    struct curves left = read_side(plot, &figure->left, figure->y, trains),
                  right = read_side(plot, &figure->right, figure->y2, trains);
    struct name_list open = {.arena = plot->arena}, diverged = open;
    if (!left.drawn && right.drawn) { /* draws the right side on the left axis */
        canvas_caption(plot->canvas, "No training has %s (train.validate_sentences).",
                       left.metric->header);
        left = right;
        right = (struct curves){.curve = left.curve};
    }
    int series = 0;
    plot->axis = "step";
    canvas_text(plot->canvas, "label_x", *figure->x ? figure->x : "Optimizer steps");
    canvas_text(plot->canvas, "label_y", left.label);
    if (right.drawn) canvas_text(plot->canvas, "label_y2", right.label);
    for (int i = 0; i < figure->rows; i++) series += left.curve[i].steps || right.curve[i].steps;
    plot->left.bare = !left.spread || series > SHADED_MOST;
    plot->right.bare = true;
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        const char *name = points_row_name(plot, row);
        if (!left.curve[i].steps && !right.curve[i].steps) {
            points_lack(plot, name, row, &column);
            continue;
        }
        const int of = points_series(plot, SERIES_SOLID, points_line_name(plot, row), true);
        points_curve(plot, &plot->left, row, left.metric, &left.curve[i], 0);
        if (right.drawn) {
            plot->series[points_series(plot, SERIES_RIGHT, NULL, true)].of = of;
            points_curve(plot, &plot->right, row, right.metric, &right.curve[i], 0);
        }
        if (value_done(plot->reader, row, &column)) continue;
        const bool over = !strcmp(value_why(plot->reader, row, &column), "diverged");
        name_list_add(over ? &diverged : &open, name);
    }
    if (!series) return;
    put_axes(plot, &left, &right);
    points_note_seeds(plot);
    if (open.count) canvas_caption(plot->canvas, "Not finished: %s.", name_list_text(&open));
    if (diverged.count) canvas_caption(plot->canvas, "Diverged: %s.", name_list_text(&diverged));
}

const struct figure_kind figure_curve = {
    .name = "curve",
    .help = "learning curves over optimizer steps (Song et al. 2018, figure 4)",
    .left = "dev_bleu",
    .right = "dev_loss",
    .keys = "x:log y:log from to",
    .pair = true,
    .known = known,
    .check = check,
    .fill = fill,
};
