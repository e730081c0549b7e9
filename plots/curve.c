/* Learning curves of several rows: BLEU and loss against the optimizer step (Song et al. 2018,
 * figure 4). */
#include <math.h>
#include <string.h>

#include "core/config/scalar.h"
#include "core/config/word.h"
#include "plots/figure_kind.h"
#include "results/store/offer.h"
#include "results/table/name_list.h"

static const struct {
    const char *name, *label;
    bool loss;
} metrics[] = {{"dev_bleu", "Dev BLEU", false},
               {"dev_loss", "Dev loss", true},
               {"dev_smoothed", "Dev loss, smoothed", true},
               {"loss", "Training loss", true}};

/* A metric of whichever kind trains. */
static struct column read(const struct tree *item, struct arena *arena)
{
    const char **known = ARENA_ARRAY(arena, const char *, COUNT_OF(metrics) + 1);
    const char *name = scalar_text(item, "a metric of training");
    for (size_t i = 0; i < COUNT_OF(metrics); i++)
        if (!strcmp(known[i] = metrics[i].name, name))
            return (struct column){.name = name, .value = name};
    word_refuse(item->place, "figures", "training has no metric", name, known);
}

/* One axis: what is drawn on it, of every row of the figure. */
struct curve_axis {
    const char *metric, *label; /* NULL: nothing is drawn on it */
    const char *given;          /* the grid's label; "": none */
    bool loss;
    struct value_curve *curve; /* [rows] */
    double low, high, last;
    double least, most; /* with the deviations of seeds */
    int drawn;
    bool has_single; /* a curve of one step, which a line would not show */
    bool has_spread; /* a curve of several seeds */
};

enum { SHADED_MOST = 6 }; /* curves whose bands can be told apart */

static struct curve_axis read_side(const struct column *metric, const char *given,
                                   const struct figure *figure, struct value_reader *reader)
{
    struct curve_axis side = {.metric = metric->name,
                              .given = given,
                              .low = INFINITY,
                              .high = -INFINITY,
                              .least = INFINITY,
                              .most = -INFINITY};
    for (size_t i = 0; metric->name && i < COUNT_OF(metrics); i++)
        if (!strcmp(metrics[i].name, metric->name)) {
            side.label = metrics[i].label;
            side.loss = metrics[i].loss;
        }
    side.curve = ARENA_ARRAY(reader->arena, struct value_curve, figure->rows);
    for (int i = 0; metric->name && i < figure->rows; i++) {
        struct value_curve *curve = &side.curve[i];
        *curve = value_read_curve(reader, figure->row[i], metric, false);
        for (int k = 0; k < curve->steps; k++) {
            side.low = fmin(side.low, curve->value[k]);
            side.high = fmax(side.high, curve->value[k]);
            side.least = fmin(side.least, curve->value[k] - curve->deviation[k]);
            side.most = fmax(side.most, curve->value[k] + curve->deviation[k]);
            side.has_spread |= curve->steps > 1 && isfinite(curve->deviation[k]);
            side.last = fmax(side.last, curve->step[k]);
        }
        side.drawn += curve->steps > 0;
        side.has_single |= curve->steps == 1;
    }
    return side;
}

static void put_curve(struct canvas *canvas, const struct value_curve *curve, const char *metric,
                      const char *row)
{
    /* A series without a point would be no series. */
    const double none = (double)NAN;
    if (!curve->steps) canvas_row(canvas, (double[]){0, none, none}, 3);
    for (int k = 0; k < curve->steps; k++) {
        const double value = curve->value[k], deviation = curve->deviation[k];
        canvas_row(canvas, (double[]){curve->step[k], value, deviation}, 3);
        canvas_record(canvas,
                      &(struct canvas_record){
                          row, row, "step", arena_print(canvas->arena, "%.15g", curve->step[k]),
                          metric, NULL, none, value, value - deviation, value + deviation});
    }
}

static void note_running(struct canvas *canvas, const struct figure *figure,
                         struct value_reader *reader, const bool *drawn)
{
    struct name_list going_on = {.arena = canvas->arena}, diverged = going_on;
    for (int i = 0; i < figure->rows; i++) {
        const int row = figure->row[i];
        if (!drawn[i] || value_done(reader, row, &figure->left)) continue;
        const bool over = !strcmp(value_why(reader, row, &figure->left), "diverged");
        name_list_add(over ? &diverged : &going_on, reader->grid->row[row].name);
    }
    if (going_on.count)
        canvas_caption(canvas, "Not at its end yet: %s.", name_list_text(&going_on));
    if (diverged.count) canvas_caption(canvas, "Diverged: %s.", name_list_text(&diverged));
}

static const char *label_of(struct canvas *canvas, const struct curve_axis *side,
                            const struct offer *trains)
{
    const char *own = side->label;
    if (side->loss) own = arena_print(canvas->arena, "%s (nats per %s)", own, trains->loss_per);
    return figure_label(side->given, own);
}

/* How far the axes reach, and what is said of their lines. */
static void put_axes(struct canvas *canvas, const struct curve_axis *left,
                     const struct curve_axis *right, int series)
{
    const double last = fmax(left->last, right->last);
    const bool shaded = left->has_spread && series <= SHADED_MOST;
    canvas_number(canvas, "last", last);
    canvas_number(canvas, "large", last >= 10000);
    canvas_number(canvas, "single", right->has_single ? series : 0);
    canvas_number(canvas, "shaded", shaded ? series : 0);
    canvas_axis(canvas, "step", 0, last, 0, 0);
    canvas_axis(canvas, "left", shaded ? fmin(left->low, left->least) : left->low,
                shaded ? fmax(left->high, left->most) : left->high, 0.05, 0.05);
    if (shaded)
        canvas_caption(canvas, "Shaded: sample standard deviation of the seeds%s.",
                       right->drawn ? ", left axis" : "");
    if (!right->drawn) return;
    canvas_axis(canvas, "right", right->low, right->high, 0.05, 0.05);
    canvas_caption(canvas, "Solid, left axis: %s; dashed%s, right axis: %s.", left->label,
                   right->has_single ? ", or small marks" : "", right->label);
}

static bool fill(struct canvas *canvas, const struct figure *asked, struct value_reader *reader)
{
    struct figure own = *asked;
    const struct figure *figure = &own;
    const struct offer *trains = summary_training(reader->grid);
    if (!trains) trains = offer_that_trains();
    CHECK(trains, "no kind trains");
    own.left.kind = own.right.kind = trains->kind;
    struct curve_axis left = read_side(&figure->left, figure->y, figure, reader),
                      right = read_side(&figure->right, figure->y2, figure, reader);
    if (!left.drawn && right.drawn) { /* one axis is enough */
        canvas_caption(canvas, "There is no %s (train.validate_sentences).", left.label);
        left = right;
        right = (struct curve_axis){0};
    }
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    const char **name = ARENA_ARRAY(canvas->arena, const char *, figure->rows + 1);
    int series = 0;
    canvas_label(canvas, "label_x", figure_label(figure->x, "Optimizer steps"));
    canvas_label(canvas, "label_y", label_of(canvas, &left, trains));
    canvas_number(canvas, "right", right.drawn > 0);
    if (right.drawn) canvas_label(canvas, "label_y2", label_of(canvas, &right, trains));
    for (int i = 0; i < figure->rows; i++) {
        if (!left.curve[i].steps && !(right.drawn && right.curve[i].steps)) continue;
        drawn[i] = true;
        if (series) canvas_next_series(canvas);
        name[series] = reader->grid->row[figure->row[i]].name;
        put_curve(canvas, &left.curve[i], left.metric, name[series]);
        canvas_next_series(canvas);
        put_curve(canvas, right.drawn ? &right.curve[i] : &(struct value_curve){0}, right.metric,
                  name[series++]);
    }
    if (series) {
        names_put_legend(canvas, "name", name, series, NAMES_LETTERS);
        canvas_number(canvas, "series", series);
        put_axes(canvas, &left, &right, series);
        figure_note_seeds(canvas, figure, reader);
    }
    note_running(canvas, figure, reader, drawn);
    figure_note_missing(canvas, figure, reader, drawn, &figure->left);
    return series > 0;
}

const struct figure_kind figure_curve = {
    .name = "curve",
    .help = "learning curves against optimizer steps: Song et al. 2018, figure 4",
    .left = "dev_bleu",
    .right = "dev_loss",
    .pair = true,
    .read = read,
    .fill = fill,
};
