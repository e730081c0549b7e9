/* A measure by class: points for each row above every class, with the deviation over its seeds. */
#include <math.h>

#include "plots/figure_kind.h"
#include "results/sheet/sheet.h"

static struct column read(const struct tree *item, struct arena *arena)
{
    return figure_read_by(item, DIMENSION_CLASS, arena);
}

enum {
    KEY_LETTERS = 54, /* of a line of the key */
    MARK = 5          /* of a point and the gaps beside it */
};

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    struct column column = figure->left;
    column.of.every = false;
    const char **class, *label = figure_label(figure->y, figure_label_of(&column, figure, reader));
    const int classes = sample_classes(&reader->sampler, &column, &class);
    struct figure_side side = {0};
    int series = 0, longest = 0;
    const char **name = ARENA_ARRAY(canvas->arena, const char *, figure->rows + 1);
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    const int lines = canvas_label(canvas, "label_x", figure->x);
    canvas_label(canvas, "label_y", label);
    if (!names_put_upright(canvas, class, classes, 34, lines))
        names_put_lying(canvas, class, classes, fmax(15, 4 * figure->rows), lines);
    for (int i = 0; i < figure->rows && classes; i++) {
        const int row = figure->row[i];
        struct value_of_row *value = ARENA_ARRAY(canvas->arena, struct value_of_row, classes);
        for (int c = 0; c < classes; c++) {
            column.of.class = class[c];
            value[c] = figure_value(&side, reader, &column, row);
            drawn[i] |= isfinite(value[c].mean);
        }
        if (!drawn[i]) continue;
        if (series) canvas_next_series(canvas);
        name[series] = reader->grid->row[row].name;
        longest = (int)fmax(longest, sheet_width(name[series++]));
        for (int c = 0; c < classes; c++) {
            column.of.class = class[c];
            figure_put_point(canvas, &side, reader, &column, row,
                             &(struct figure_place){"class", class[c], c + 1, NULL}, &value[c]);
        }
    }
    column.of.class = NULL;
    if (!series) {
        column.of.every = true;
        sample_check_names(&reader->sampler, &column);
    } else {
        names_put_legend(canvas, "row", name, series, NAMES_SMALL);
        canvas_number(canvas, "lineless", 1);
        canvas_number(canvas, "series", series);
        canvas_number(canvas, "classes", classes);
        canvas_number(canvas, "longest", longest);
        canvas_number(canvas, "columns", fmax(1, KEY_LETTERS / (longest + MARK)));
        figure_put_axis(canvas, &side, column.measure);
        figure_note_side(canvas, &side, "Points", label);
        figure_note_balance(canvas, column.measure);
        figure_note_seeds(canvas, figure, reader);
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
