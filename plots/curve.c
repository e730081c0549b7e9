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
    const char *name, *label, *unit;
} metrics[] = {{"dev_bleu", "Dev BLEU", ""},
               {"dev_loss", "Dev loss", " (nats per token)"},
               {"dev_smoothed", "Dev loss, smoothed", " (nats per token)"},
               {"loss", "Training loss", " (nats per token)"}};

/* A metric of the kind that trains. */
static struct column read(const struct tree *item, struct arena *arena)
{
    const char **known = ARENA_ARRAY(arena, const char *, COUNT_OF(metrics) + 1);
    const char *name = scalar_text(item, "a metric of training"), *kind = NULL;
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((*offer)->validation && !kind) kind = (*offer)->kind;
    for (size_t i = 0; i < COUNT_OF(metrics); i++)
        if (!strcmp(known[i] = metrics[i].name, name))
            return (struct column){.name = name, .kind = kind, .value = name};
    word_refuse(item->place, "figures", "training has no metric", name, known);
}

/* One axis: what is drawn on it, of every row of the figure. */
struct curve_axis {
    const char *label, *unit;
    struct value_curve *curve; /* [rows] */
    double low, high, last;
    int drawn;
    bool has_single; /* a curve of one step, which a line would not show */
};

static struct curve_axis read_side(const struct column *metric, const struct figure *figure,
                                   struct value_reader *reader)
{
    struct curve_axis side = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; metric->name && i < COUNT_OF(metrics); i++)
        if (!strcmp(metrics[i].name, metric->name)) {
            side.label = metrics[i].label;
            side.unit = metrics[i].unit;
        }
    side.curve = ARENA_ARRAY(reader->arena, struct value_curve, figure->rows);
    for (int i = 0; metric->name && i < figure->rows; i++) {
        struct value_curve *curve = &side.curve[i];
        *curve = value_read_curve(reader, figure->row[i], metric);
        for (int k = 0; k < curve->steps; k++) {
            side.low = fmin(side.low, curve->value[k]);
            side.high = fmax(side.high, curve->value[k]);
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
    if (!curve->steps) canvas_row(canvas, (double[]){0, (double)NAN}, 2);
    for (int k = 0; k < curve->steps; k++) {
        const double none = (double)NAN;
        canvas_row(canvas, (double[]){curve->step[k], curve->value[k]}, 2);
        canvas_record(canvas,
                      &(struct canvas_record){row, row, "step",
                                              arena_print(canvas->arena, "%.15g", curve->step[k]),
                                              metric, NULL, none, curve->value[k], none, none});
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

static const char *full_label(struct canvas *canvas, const struct curve_axis *side)
{
    return arena_print(canvas->arena, "%s%s", side->label, side->unit);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct curve_axis left = read_side(&figure->left, figure, reader),
                      right = read_side(&figure->right, figure, reader);
    const char *given[] = {figure->y, figure->y2}, *metric = figure->left.name;
    if (!left.drawn && right.drawn) { /* one axis is enough */
        canvas_caption(canvas, "There is no %s (train.validate_sentences).", left.label);
        left = right;
        metric = figure->right.name;
        right = (struct curve_axis){0};
        given[0] = figure->y2;
    }
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    const char **name = ARENA_ARRAY(canvas->arena, const char *, figure->rows + 1);
    int series = 0;
    canvas_label(canvas, "label_x", figure_label(figure->x, "Optimizer steps"));
    canvas_label(canvas, "label_y", figure_label(given[0], full_label(canvas, &left)));
    canvas_number(canvas, "right", right.drawn > 0);
    if (right.drawn)
        canvas_label(canvas, "label_y2", figure_label(given[1], full_label(canvas, &right)));
    for (int i = 0; i < figure->rows; i++) {
        if (!left.curve[i].steps && !(right.drawn && right.curve[i].steps)) continue;
        drawn[i] = true;
        if (series) canvas_next_series(canvas);
        name[series] = reader->grid->row[figure->row[i]].name;
        put_curve(canvas, &left.curve[i], metric, name[series]);
        canvas_next_series(canvas);
        put_curve(canvas, right.drawn ? &right.curve[i] : &(struct value_curve){0},
                  figure->right.name, name[series++]);
    }
    if (series) {
        names_put_legend(canvas, "name", name, series, NAMES_LETTERS);
        canvas_number(canvas, "series", series);
        const double last = fmax(left.last, right.last);
        canvas_number(canvas, "last", last);
        canvas_number(canvas, "large", last >= 10000);
        canvas_number(canvas, "single", right.has_single ? series : 0);
        canvas_axis(canvas, "step", 0, last, 0, 0);
        canvas_axis(canvas, "left", left.low, left.high, 0.05, 0.05);
        if (right.drawn) {
            canvas_axis(canvas, "right", right.low, right.high, 0.05, 0.05);
            canvas_caption(canvas, "Solid, left axis: %s; dashed%s, right axis: %s.", left.label,
                           right.has_single ? ", or small marks" : "", right.label);
        }
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
