/* Figures with a place on the horizontal axis for each row: window (bars and a line); and bars,
 * which are points where the axis does not begin at 0. */
#include <math.h>

#include "plots/figure_kind.h"

/* What is drawn of one column. */
struct bar_series {
    const struct column *column;
    const char *label;
    struct value_of_row *value; /* [rows] */
    struct figure_side all;
};

static struct bar_series read_side(struct canvas *canvas, const struct column *column,
                                   const struct figure *figure, struct value_reader *reader,
                                   const char *label)
{
    struct bar_series side = {.column = column};
    side.label = figure_label(label, figure_label_of(column, figure, reader));
    side.value = ARENA_ARRAY(reader->arena, struct value_of_row, figure->rows);
    for (int i = 0; i < figure->rows; i++) {
        const struct value_of_row value = side.value[i] =
            figure_value(&side.all, reader, column, figure->row[i]);
        const double reach = isfinite(value.deviation) ? value.deviation : 0;
        figure_record(canvas, reader, column, figure->row[i],
                      &(struct figure_record){NULL, NULL, NULL, value.mean,
                                              value.mean - value.deviation,
                                              value.mean + value.deviation});
        if (isfinite(value.mean)) figure_reach(&side.all, value.mean - reach, value.mean + reach);
    }
    if (!side.all.drawn && dimensions_some(&column->of))
        sample_check_names(&reader->sampler, column);
    return side;
}

/* A bar's length says nothing on an axis without 0. */
static void note_axes(struct canvas *canvas, bool both, bool zero, bool right_zero)
{
    if (!zero && !right_zero)
        canvas_caption(canvas, "The axes do not begin at 0.");
    else if (!zero || !right_zero)
        canvas_caption(canvas, "The %saxis does not begin at 0.",
                       !both  ? ""
                       : zero ? "right "
                              : "left ");
}

/* The rows' names and their values; line NULL: bars alone. */
static void put_rows(struct canvas *canvas, const struct figure *figure,
                     const struct value_reader *reader, const struct value_of_row *bar,
                     const struct value_of_row *line, int label)
{
    const char **name = ARENA_ARRAY(canvas->arena, const char *, figure->rows + 1);
    for (int i = 0; i < figure->rows; i++) {
        name[i] = reader->grid->row[figure->row[i]].name;
        double value[] = {i + 1, bar[i].mean, bar[i].deviation, 0, 0};
        if (line) value[3] = line[i].mean;
        if (line) value[4] = line[i].deviation;
        canvas_row(canvas, value, line ? 5 : 3);
    }
    canvas_number(canvas, "rows", figure->rows);
    if (!names_put_upright(canvas, name, figure->rows, line ? 25 : 34, label))
        names_put_lying(canvas, name, figure->rows, 15, label);
}

static void note_missing(struct canvas *canvas, const char *what, const struct figure *figure,
                         struct value_reader *reader, const struct bar_series *side)
{
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    for (int i = 0; i < figure->rows; i++) drawn[i] = isfinite(side->value[i].mean);
    figure_note_lacking(canvas, what, figure, reader, drawn, side->column);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    const bool pair = figure->right.name;
    struct bar_series left = read_side(canvas, &figure->left, figure, reader, figure->y),
                      right = {0};
    if (pair) right = read_side(canvas, &figure->right, figure, reader, figure->y2);
    struct bar_series other = right;
    /* What alone has values is drawn as bars. */
    if (!left.all.drawn && right.all.drawn) other = left, left = right;
    const bool both = left.all.drawn && other.all.drawn;
    if (!both) canvas->template_name = "bars";
    const int label = canvas_label(canvas, "label_x", figure->x);
    canvas_label(canvas, "label_y", left.label);
    canvas_text(canvas, "key_left", left.label);
    if (both) canvas_label(canvas, "label_y2", right.label);
    if (both) canvas_text(canvas, "key_right", right.label);
    put_rows(canvas, figure, reader, left.value, both ? right.value : NULL, label);
    /* With a line, bars stay below and the line above: they do not cover one another. */
    bool zero = !left.all.drawn ||
                canvas_axis(canvas, "left", left.all.low, left.all.high, 0.4, both ? 1.3 : 0.2);
    const bool bars = both || zero; /* window has bars wherever its axis begins, as the paper */
    canvas_number(canvas, "from_zero", bars);
    bool right_zero =
        !both || canvas_axis(canvas, "right", right.all.low, right.all.high, 1.6, 0.15);
    figure_note_side(canvas, &left.all, bars ? "Bars" : "Points", left.label);
    if (both) figure_note_side(canvas, &right.all, "Line", right.label);
    if (left.all.drawn) figure_note_seeds(canvas, figure, reader);
    note_axes(canvas, both, zero, right_zero);
    note_missing(canvas, "Not drawn", figure, reader, &left);
    if (pair && left.all.drawn)
        note_missing(canvas,
                     both ? "Not on the line" : arena_print(canvas->arena, "No %s", other.label),
                     figure, reader, &other);
    return left.all.drawn > 0;
}

const struct figure_kind figure_window = {
    .name = "window",
    .help = "bars (left) and a line (right) for each row: Xu et al. 2019, figure 2",
    .left = "bleu",
    .right = "gates.gate",
    .pair = true,
    .read = figure_read_value,
    .fill = fill,
};
const struct figure_kind figure_bars = {
    .name = "bars",
    .help = "a bar for each row, or a point where the axis does not begin at 0",
    .left = "bleu",
    .read = figure_read_value,
    .fill = fill,
};
