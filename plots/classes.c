/* A measure by class (Xu et al. 2019, figure 4): points for each row above every class, with the
 * deviation over its seeds, or of one seed with the error that its stage says; a dashed line of
 * what it was before training. */
#include <math.h>

#include "plots/untrained.h"
#include "results/sheet/cell.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"
#include "results/store/offer.h"

static struct column read(const struct tree *item, struct arena *arena)
{
    return figure_read_by(item, DIMENSION_CLASS, arena);
}

enum {
    KEY_LETTERS = 54, /* of a line of the key */
    MARK = 5          /* of a point and the gaps beside it */
};

/* The classes of the figure, and what is known of the errors of its bars. */
struct classes {
    int count;
    const char **name;
    struct column *at;          /* [count] */
    struct figure_place *place; /* [count] */
    bool errors;                /* bars are standard errors of rows, and not deviations */
};

static struct classes classes_of(struct value_reader *reader, const struct column *column)
{
    struct arena *arena = reader->arena;
    struct classes classes = {.count = sample_classes(&reader->sampler, column, &classes.name)};
    classes.at = ARENA_ARRAY(arena, struct column, classes.count + 1);
    classes.place = ARENA_ARRAY(arena, struct figure_place, classes.count + 1);
    for (int c = 0; c < classes.count; c++) {
        classes.at[c] = *column;
        classes.at[c].of.class = classes.name[c];
        classes.place[c] = (struct figure_place){"class", classes.name[c], c + 1, NULL};
    }
    return classes;
}

/* The points of a row; of one seed the bars are what the stage says of its own error. False: it has
 * no value. */
static bool put_row(struct canvas *canvas, struct figure_side *side, struct value_reader *reader,
                    struct classes *classes, int row, bool first)
{
    struct value_of_row *value = ARENA_ARRAY(canvas->arena, struct value_of_row, classes->count);
    bool drawn = false;
    for (int c = 0; c < classes->count; c++) {
        value[c] = figure_value(side, reader, &classes->at[c], row);
        drawn |= isfinite(value[c].mean);
        if (value[c].spread != SPREAD_NONE) continue;
        value[c].deviation = value_error(reader, &classes->at[c], row);
        classes->errors |= isfinite(value[c].deviation);
    }
    if (!drawn) return false;
    if (!first) canvas_next_series(canvas);
    for (int c = 0; c < classes->count; c++)
        figure_put_point(canvas, side, reader, &classes->at[c], row, &classes->place[c], &value[c]);
    return true;
}

static const char unknown_words[] = "unknown_words";

/* True if rows of a class count words of a text. */
static bool counts_words(const struct column *column, struct arena *arena)
{
    return column->measure && offer_number(column->kind, "", unknown_words, arena);
}

/* "14.5% of the words are unknown to the train text." of a row. */
static void note_unknown(struct canvas *canvas, struct value_reader *reader, struct column column,
                         int row)
{
    column.of = (struct dimensions){0};
    column.value = unknown_words;
    const double share = value_read(reader, &column, row).mean;
    if (isfinite(share))
        canvas_caption(canvas, "%s%% of the words are unknown to the train text.",
                       number_fixed(canvas->arena, share, 1));
}

/* "n, words: NOUN 4,132; VERB 2,011" of a row. */
static void note_counted(struct canvas *canvas, struct value_reader *reader,
                         const struct classes *classes, int row)
{
    const struct column *column = &classes->at[0];
    const char *list = NULL;
    if (!counts_words(column, canvas->arena)) return;
    for (int c = 0; c < classes->count; c++) {
        const int64_t n = value_counted_at(reader, &classes->at[c], row);
        if (n > 0)
            list = cell_append(list, "; ",
                               arena_print(canvas->arena, "%s %s", classes->name[c],
                                           number_count(canvas->arena, (double)n)),
                               canvas->arena);
    }
    if (!list) return;
    canvas_caption(canvas, "n, words: %s.", list);
    note_unknown(canvas, reader, *column, row);
}

static void note(struct canvas *canvas, struct value_reader *reader, const struct figure *figure,
                 const struct figure_side *side, const struct classes *classes, const char *label,
                 int first)
{
    const struct measure *measure = figure->left.measure;
    figure_note_side(canvas, side, "Points", label);
    if (counts_words(&figure->left, canvas->arena) && measure->points)
        canvas_caption(canvas, "Each: %s.", measure->points);
    note_counted(canvas, reader, classes, first);
    if (classes->errors)
        canvas_caption(canvas, "Error bars: standard error by bootstrap over %s.",
                       measure->items ? measure->items : "items");
    figure_note_balance(canvas, measure);
    figure_note_seeds(canvas, figure, reader);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct column column = figure->left;
    column.of.every = false;
    const char *label = figure_label(figure->y, figure_label_of(&column, figure, reader));
    struct classes classes = classes_of(reader, &column);
    struct figure_side side = {0};
    int series = 0, longest = 0;
    const char **name = ARENA_ARRAY(canvas->arena, const char *, figure->rows + 2);
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    struct untrained_line *line =
        ARENA_ARRAY(canvas->arena, struct untrained_line, figure->rows + 1);
    const int lines = canvas_label(canvas, "label_x", figure->x);
    canvas_label(canvas, "label_y", label);
    if (!names_put_upright(canvas, classes.name, classes.count, 34, lines))
        names_put_lying(canvas, classes.name, classes.count, fmax(15, 4 * figure->rows), lines);
    for (int i = 0; i < figure->rows && classes.count; i++) {
        const int row = figure->row[i];
        drawn[i] = put_row(canvas, &side, reader, &classes, row, !series);
        if (!drawn[i]) continue;
        line[series] = (struct untrained_line){row, classes.count, classes.at, classes.place};
        name[series++] = reader->grid->row[row].name;
    }
    if (!series) {
        column.of.every = true;
        sample_check_names(&reader->sampler, &column);
    } else {
        canvas_number(canvas, "drawn", series);
        note(canvas, reader, figure, &side, &classes, label, line[0].row);
        if (untrained_put(canvas, &side, reader, line, series)) {
            canvas_number(canvas, "pointed", series);
            canvas_number(canvas, "solid", series);
            name[series++] = UNTRAINED_NAME;
            canvas_number(canvas, "marked", series);
        }
        for (int i = 0; i < series; i++) longest = (int)fmax(longest, sheet_width(name[i]));
        names_put_legend(canvas, "row", name, series, NAMES_SMALL);
        canvas_number(canvas, "lineless", 1);
        canvas_number(canvas, "series", series);
        canvas_number(canvas, "classes", classes.count);
        canvas_number(canvas, "longest", longest);
        canvas_number(canvas, "columns", fmax(1, KEY_LETTERS / (longest + MARK)));
        figure_put_axis(canvas, &side, column.measure);
    }
    figure_note_missing(canvas, figure, reader, drawn, &column);
    return series > 0;
}

const struct figure_kind figure_classes = {
    .name = "classes",
    .help = "a measure by class, points for each row",
    .read = read,
    .fill = fill,
};
