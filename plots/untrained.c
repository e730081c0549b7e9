/* The same column with the metric of the start; a line without any value is a gap. */
#include "plots/untrained.h"

#include <math.h>

static bool start_of(const struct column *column, struct column *start, struct arena *arena)
{
    const struct measure *measure = column->measure;
    const char *name = measure ? offer_number(column->kind, measure->name, "_start", arena) : NULL;
    if (!name || column->part || column->control) return false;
    *start = *column;
    start->value = name;
    start->name =
        arena_print(arena, "%s.%s%s", column->kind, name, dimensions_text(&column->of, arena));
    return true;
}

static double start_value(struct value_reader *reader, const struct column *at, int row,
                          struct column *start)
{
    if (!start_of(at, start, reader->arena)) return (double)NAN;
    return value_read(reader, start, row).mean;
}

static bool has_any(struct value_reader *reader, const struct untrained_line *line, int lines)
{
    struct column start;
    for (int i = 0; i < lines; i++)
        for (int k = 0; k < line[i].points; k++)
            if (isfinite(start_value(reader, &line[i].at[k], line[i].row, &start))) return true;
    return false;
}

int untrained_put(struct canvas *canvas, struct figure_side *side, struct value_reader *reader,
                  const struct untrained_line *line, int lines)
{
    const bool any = has_any(reader, line, lines);
    canvas_number(canvas, "untrained", any ? lines : 0);
    for (int i = 0; i < lines && any; i++) {
        canvas_next_series(canvas);
        for (int k = 0; k < line[i].points; k++) {
            struct column start;
            const struct figure_place *place = &line[i].place[k];
            const double value = start_value(reader, &line[i].at[k], line[i].row, &start);
            canvas_row(canvas, (double[]){place->number, value}, 2);
            if (!isfinite(value)) continue;
            figure_reach(side, value, value);
            figure_record(canvas, reader, &start, line[i].row,
                          &(struct figure_record){UNTRAINED_NAME, place->axis, place->text, value,
                                                  (double)NAN, (double)NAN});
        }
    }
    if (any) canvas_caption(canvas, "Dashed: of the parameters that training began with.");
    return any ? lines : 0;
}
