/* Figures with a place on the horizontal axis for each row: window (bars and a line) and bars. */
#include <math.h>
#include <string.h>

#include "plots/kind.h"

/* What is drawn of one column. */
struct side {
    struct column column;
    struct value_of_row *value; /* [rows] */
    double low, high;           /* of means with their deviations */
    int drawn;
    enum spread spread; /* of the values that have one */
    int count;
    const char *signature;
    bool mixed;
};

static struct column find(const char *name, struct arena *arena)
{
    struct column column;
    const char *nearest;
    CHECK(column_find(name, &column, &nearest, arena), "figure_read let the column %s pass", name);
    return column;
}

static void check(const char *name, struct place place, struct arena *arena)
{
    struct column column;
    const char *nearest = NULL;
    if (!column_find(name, &column, &nearest, arena))
        word_refuse(place, "figures", "there is no column", name, column_names);
    if (column.delta || (column.source != COLUMN_VALUE && column.source != COLUMN_WALL))
        die_at(place, "figures: \"%s\" is no value of a row; expected one like bleu or gates.gate",
               name);
}

static struct side read_side(const char *name, const struct figure *figure,
                             struct value_reader *reader)
{
    struct side side = {.column = find(name, reader->arena), .low = INFINITY, .high = -INFINITY};
    side.value = ARENA_ARRAY(reader->arena, struct value_of_row, figure->rows);
    for (int i = 0; i < figure->rows; i++) {
        const struct value_of_row value = side.value[i] =
            value_read(reader, &side.column, figure->row[i]);
        if (!isfinite(value.mean)) continue;
        const double reach = isfinite(value.deviation) ? value.deviation : 0;
        side.low = fmin(side.low, value.mean - reach);
        side.high = fmax(side.high, value.mean + reach);
        side.drawn++;
        if (value.spread == SPREAD_NONE) continue;
        side.spread = value.spread;
        side.count = value.count;
    }
    for (int i = 0; i < figure->rows; i++) {
        struct sample sample = sample_row(&reader->sampler, &side.column, figure->row[i]);
        if (!sample.signature) continue;
        side.mixed |= side.signature && strcmp(side.signature, sample.signature) != 0;
        side.signature = sample.signature;
    }
    return side;
}

/* "BLEU on dev" of a score, else the column's heading. */
static const char *own_label(const struct side *side, const struct figure *figure,
                             const struct value_reader *reader)
{
    const struct tree *options = figure->rows ? reader->grid->row[figure->row[0]].options : NULL;
    if (side->column.kind && !strcmp(side->column.kind, "gates")) return "Mean gate";
    if (!side->column.kind || strcmp(side->column.kind, "score") != 0 || !options)
        return side->column.header;
    const struct tree *split = tree_find(options, "evaluate.bleu.split");
    return arena_print(reader->arena, "%s on %s", side->column.header,
                       split ? split->text : "test");
}

static void note_side(struct canvas *canvas, const struct side *side, const char *what,
                      const char *label)
{
    static const char *const over[SPREAD_KINDS] = {NULL, "seeds", "checkpoints"};
    if (!side->drawn) return;
    if (side->spread == SPREAD_NONE)
        canvas_caption(canvas, "%s: %s.", what, label);
    else
        canvas_caption(canvas, "%s: %s, mean of %d %s, with their sample standard deviation.", what,
                       label, side->count, over[side->spread]);
    if (side->mixed)
        canvas_caption(canvas, "%s: the rows have several signatures and do not compare.", label);
    else if (side->signature)
        canvas_caption(canvas, "%s: %s", label, side->signature);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    const struct side left = read_side(figure->left, figure, reader);
    struct side right = {0};
    if (figure->right) right = read_side(figure->right, figure, reader);
    const char *label = figure_label(figure->y, own_label(&left, figure, reader)), *label2 = "";
    if (figure->right) label2 = figure_label(figure->y2, own_label(&right, figure, reader));
    canvas_label(canvas, "label_x", figure_label(figure->x, "Row"));
    canvas_label(canvas, "label_y", label);
    if (figure->right) canvas_label(canvas, "label_y2", label2);
    canvas_text(canvas, "key_left", label);
    canvas_text(canvas, "key_right", label2);
    canvas_number(canvas, "rows", figure->rows);
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    size_t letters = 0;
    for (int i = 0; i < figure->rows; i++) {
        const double gone = (double)NAN;
        const struct value_of_row *a = &left.value[i], *b = right.value ? &right.value[i] : NULL;
        const char *name = reader->grid->row[figure->row[i]].name;
        canvas_text(canvas, i ? NULL : "name", name);
        letters += strlen(name) + 2;
        canvas_row(
            canvas,
            (double[]){i + 1, a->mean, a->deviation, b ? b->mean : gone, b ? b->deviation : gone},
            b ? 5 : 3);
        drawn[i] = isfinite(a->mean) && (!b || isfinite(b->mean));
    }
    canvas_number(canvas, "slanted", letters > 45);
    const char *kind = figure->right ? right.column.kind : left.column.kind;
    figure_note_missing(canvas, figure, reader, drawn, kind ? kind : "");
    if (!left.drawn && !right.drawn) return false;
    /* With a line, bars stay below and the line above: they do not cover one another. */
    const bool both = left.drawn && right.drawn;
    canvas_number(canvas, "left", left.drawn > 0);
    canvas_number(canvas, "right", right.drawn > 0);
    if (left.drawn) canvas_axis(canvas, "left", left.low, left.high, 0.4, both ? 1.3 : 0.2);
    if (right.drawn) canvas_axis(canvas, "right", right.low, right.high, both ? 1.6 : 0.4, 0.15);
    note_side(canvas, &left, "Bars", label);
    note_side(canvas, &right, "Line", label2);
    figure_note_seeds(canvas, figure, reader);
    if (left.drawn && left.low > 0) canvas_caption(canvas, "The axes do not begin at 0.");
    return true;
}

const struct figure_kind figure_window = {
    .name = "window",
    .help = "bars (left) and a line (right) for each row: Xu et al. 2019, figure 2",
    .left = "bleu",
    .right = "gates.gate",
    .pair = true,
    .check = check,
    .fill = fill,
};
const struct figure_kind figure_bars = {
    .name = "bars",
    .help = "a bar for each row",
    .left = "bleu",
    .check = check,
    .fill = fill,
};
