/* A line is a row and a column; what is said of all of them stands in captions. */
#include "plots/series.h"

#include <math.h>

#include "results/sheet/cell.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"
#include "results/table/name_list.h"

struct series_list series_of(const struct figure *figure, const struct value_reader *reader)
{
    const int count = figure->rows * figure->columns;
    struct series_list list = {.series =
                                   ARENA_ARRAY(reader->arena, struct figure_series, count + 1)};
    for (int i = 0; i < figure->rows; i++)
        for (int c = 0; c < figure->columns; c++) {
            const struct column *column = &figure->column[c];
            const int row = figure->row[i];
            const char *name = figure->columns > 1 ? column->header : reader->grid->row[row].name;
            list.series[list.count++] =
                (struct figure_series){.row = row, .column = column, .name = name};
        }
    return list;
}

void series_check(const struct figure *figure, const struct summary_grid *grid, struct place place)
{
    if (figure->columns > 1 && figure->rows > 1)
        die_at(
            place,
            "figures: %d values of %d rows are %d lines; expected one row, as rows: [\"%s\"], or "
            "one value, as left: %s",
            figure->columns, figure->rows, figure->columns * figure->rows,
            grid->row[figure->row[0]].name, figure->left.name);
}

void series_draw(struct canvas *canvas, struct series_list *list, int which)
{
    list->series[which].drawn = true;
    if (list->drawn++) canvas_next_series(canvas);
}

void series_lack(struct figure_series *series, const char *point, struct value_reader *reader,
                 const struct column *column)
{
    series->lacks = cell_append(
        series->lacks, ", ",
        arena_print(reader->arena, "%s (%s)", point, value_why(reader, series->row, column)),
        reader->arena);
}

void series_put_names(struct canvas *canvas, const struct series_list *list, const char *also)
{
    const char **name = ARENA_ARRAY(canvas->arena, const char *, list->drawn + 2);
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (list->series[i].drawn) name[count++] = list->series[i].name;
    if (also) {
        name[count++] = also;
        canvas_number(canvas, "marked", count);
        canvas_number(canvas, "pointed", list->drawn);
        canvas_number(canvas, "solid", list->drawn);
    }
    names_put_legend(canvas, "row", name, count, NAMES_LETTERS);
    canvas_number(canvas, "series", count);
    canvas_number(canvas, "drawn", list->drawn);
}

/* Whether a line there leaves half of the height to the data. */
static bool leaves_room(const struct figure_side *side, double line)
{
    const double span = side->high - side->low;
    return line >= side->low - span && line <= side->high + span;
}

void series_put_against(struct canvas *canvas, struct figure_side *side,
                        struct value_reader *reader, const struct figure *figure,
                        const struct series_list *list)
{
    const struct measure *measure = figure->left.measure;
    const struct measure *other =
        measure && measure->against ? offer_measure(figure->left.kind, measure->against) : NULL;
    if (!other || figure->left.control) return;
    const char *what = other->help ? other->help : other->name, *text = NULL, *last = NULL;
    double line = (double)NAN;
    bool same = true;
    for (int i = 0; i < list->count; i++) {
        struct column column = *list->series[i].column;
        column.value = other->name;
        column.measure = other;
        const double mean = value_read(reader, &column, list->series[i].row).mean;
        if (!list->series[i].drawn || !isfinite(mean)) continue;
        same &= !isfinite(line) || mean == line;
        line = mean;
        last = number_fixed(canvas->arena, mean, other->decimals);
        text =
            cell_append(text, ", ", arena_print(canvas->arena, "%s %s", list->series[i].name, last),
                        canvas->arena);
    }
    if (!text) return;
    side->across = figure->columns == 1 && same && leaves_room(side, line);
    side->line = line;
    if (side->across)
        canvas_caption(canvas, "Dotted: %s, %s.", what, last);
    else if (figure->columns == 1 && same)
        canvas_caption(canvas, "Not in the frame: %s, %s.", what, last);
    else
        canvas_caption(canvas, "%s, not drawn: %s.", other->header, text);
}

void series_note_counted(struct canvas *canvas, struct value_reader *reader,
                         const struct series_list *list)
{
    int64_t least = 0, most = 0;
    const struct measure *measure = NULL;
    for (int i = 0; i < list->count; i++) {
        const struct figure_series *series = &list->series[i];
        const int64_t n = series->drawn ? value_counted(reader, series->column, series->row) : 0;
        if (n <= 0) continue;
        measure = series->column->measure;
        least = !least || n < least ? n : least;
        most = n > most ? n : most;
    }
    if (!most || !measure || !measure->counted) return;
    const char *from = number_count(canvas->arena, (double)least),
               *to = number_count(canvas->arena, (double)most);
    if (least == most)
        canvas_caption(canvas, "n = %s %s a point.", to, measure->counted);
    else
        canvas_caption(canvas, "n = %s to %s %s a point.", from, to, measure->counted);
}

void series_note_missing(struct canvas *canvas, struct value_reader *reader,
                         const struct series_list *list)
{
    struct name_list names = {.arena = canvas->arena};
    for (int i = 0; i < list->count; i++) {
        const struct figure_series *series = &list->series[i];
        const char *why = value_why(reader, series->row, series->column);
        if (!series->drawn)
            name_list_add(&names, arena_print(canvas->arena, "%s (%s)", series->name, why));
        else if (series->lacks)
            name_list_add(&names,
                          arena_print(canvas->arena, "%s at %s", series->name, series->lacks));
    }
    if (names.count) canvas_caption(canvas, "Not drawn: %s.", name_list_text(&names));
}
