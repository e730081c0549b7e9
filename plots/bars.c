/* Figures with a place on the horizontal axis for each row: window (bars and a line) and bars. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "plots/kind.h"

/* What is drawn of one column. */
struct side {
    struct column column;
    const char *label;
    struct value_of_row *value; /* [rows] */
    double low, high;           /* of means with their deviations */
    int drawn;
    enum spread spread; /* of the values that have one */
    int least, most;    /* values behind a bar */
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
        word_refuse(place, "figures", "there is no column", name, column_names(arena));
    if (column.delta || (column.source != COLUMN_VALUE && column.source != COLUMN_WALL))
        die_at(place, "figures: \"%s\" is no value of a row; expected one like bleu or gates.gate",
               name);
}

/* "BLEU on dev" of a score, else the column's heading. */
static const char *own_label(const struct column *column, const struct figure *figure,
                             const struct value_reader *reader)
{
    const struct tree *options = figure->rows ? reader->grid->row[figure->row[0]].options : NULL;
    if (column->kind && !strcmp(column->kind, "gates")) return "Mean gate";
    if (!column->kind || strcmp(column->kind, "score") != 0 || !options) return column->header;
    const struct tree *split = tree_find(options, "evaluate.bleu.split");
    return arena_print(reader->arena, "%s on %s", column->header, split ? split->text : "test");
}

static struct side read_side(const char *name, const struct figure *figure,
                             struct value_reader *reader, const char *label)
{
    struct side side = {.column = find(name, reader->arena), .low = INFINITY, .high = -INFINITY};
    side.label = figure_label(label, own_label(&side.column, figure, reader));
    side.value = ARENA_ARRAY(reader->arena, struct value_of_row, figure->rows);
    for (int i = 0; i < figure->rows; i++) {
        const struct value_of_row value = side.value[i] =
            value_read(reader, &side.column, figure->row[i]);
        if (!isfinite(value.mean)) continue;
        const double reach = isfinite(value.deviation) ? value.deviation : 0;
        side.low = fmin(side.low, value.mean - reach);
        side.high = fmax(side.high, value.mean + reach);
        side.least = side.drawn && side.least < value.count ? side.least : value.count;
        side.most = value.count > side.most ? value.count : side.most;
        side.drawn++;
        if (value.spread != SPREAD_NONE) side.spread = value.spread;
    }
    for (int i = 0; i < figure->rows; i++) {
        struct sample sample = sample_row(&reader->sampler, &side.column, figure->row[i]);
        if (!sample.signature) continue;
        side.mixed |= side.signature && strcmp(side.signature, sample.signature) != 0;
        side.signature = sample.signature;
    }
    return side;
}

static void note_side(struct canvas *canvas, const struct side *side, const char *what)
{
    static const char *const over[SPREAD_KINDS] = {NULL, "seeds", "best checkpoints"};
    if (!side->drawn) return;
    if (side->spread == SPREAD_NONE)
        canvas_caption(canvas, "%s: %s.", what, side->label);
    else
        canvas_caption(
            canvas, "%s: %s, mean of %s%d %s, with their sample standard deviation.", what,
            side->label,
            side->least == side->most ? "the " : arena_print(canvas->arena, "%d to ", side->least),
            side->most, over[side->spread]);
    if (side->mixed)
        canvas_caption(canvas, "%s: the rows have several signatures and do not compare.",
                       side->label);
    else if (side->signature)
        canvas_caption(canvas, "%s: %s", side->label, side->signature);
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
                     const struct value_of_row *line)
{
    enum { SLANTED = 24, NARROW = 6 };
    const int width = line ? 25 : 34; /* letters that the figure holds side by side */
    const int most = width / (figure->rows > 1 ? figure->rows : 1);
    int lines = 1, longest = 0;
    for (int i = 0; i < figure->rows; i++) {
        const int length = (int)strlen(reader->grid->row[figure->row[i]].name);
        if (length > longest) longest = length;
    }
    const bool slanted = most < NARROW && longest > most;
    for (int i = 0; i < figure->rows; i++) {
        const char *name = reader->grid->row[figure->row[i]].name;
        double value[] = {i + 1, bar[i].mean, bar[i].deviation, 0, 0};
        if (line) value[3] = line[i].mean;
        if (line) value[4] = line[i].deviation;
        const int needed = canvas_tic(canvas, i ? NULL : "name", name, slanted ? SLANTED : most);
        if (needed > lines) lines = needed;
        canvas_row(canvas, value, line ? 5 : 3);
    }
    canvas_number(canvas, "rows", figure->rows);
    canvas_number(canvas, "slanted", slanted ? fmin(longest, SLANTED) : 0);
    canvas_number(canvas, "lines", lines);
    canvas_number(canvas, "labeled", *figure->x != 0);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct side left = read_side(figure->left, figure, reader, figure->y), right = {0};
    if (figure->right) right = read_side(figure->right, figure, reader, figure->y2);
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    for (int i = 0; i < figure->rows; i++)
        drawn[i] =
            isfinite(left.value[i].mean) && (!figure->right || isfinite(right.value[i].mean));
    const char *kind = figure->right ? right.column.kind : left.column.kind;
    /* What alone has values is drawn as bars. */
    if (!left.drawn && right.drawn) left = right;
    const bool both = left.drawn && right.drawn && left.value != right.value;
    if (!both) canvas->template_name = "bars";
    canvas_label(canvas, "label_x", figure->x);
    canvas_label(canvas, "label_y", left.label);
    canvas_text(canvas, "key_left", left.label);
    if (both) canvas_label(canvas, "label_y2", right.label);
    if (both) canvas_text(canvas, "key_right", right.label);
    put_rows(canvas, figure, reader, left.value, both ? right.value : NULL);
    /* With a line, bars stay below and the line above: they do not cover one another. */
    bool zero =
        !left.drawn || canvas_axis(canvas, "left", left.low, left.high, 0.4, both ? 1.3 : 0.2);
    bool right_zero = !both || canvas_axis(canvas, "right", right.low, right.high, 1.6, 0.15);
    note_side(canvas, &left, "Bars");
    if (both) note_side(canvas, &right, "Line");
    if (left.drawn) figure_note_seeds(canvas, figure, reader);
    note_axes(canvas, both, zero, right_zero);
    figure_note_missing(canvas, figure, reader, drawn, kind ? kind : "");
    return left.drawn > 0;
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
