/* The kind lines along a dimension: a line for each row, for each column of one row, or for each
 * head of one row. layers, heads: by layer. classes, profile: by class. shares: by the share of the
 * training items. */
#include "plots/figure_points.h"

#define OUTPUT "output" /* name of the tic after the last layer */

void along_check_heads(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    const struct column *left = &figure->left;
    figure_check_by(left, DIMENSION_HEAD, arena);
    if (dimensions_have(&left->of, DIMENSION_HEAD))
        die_at(column_location(left),
               "figures: head: this figure draws every head; remove the key");
    if (!frames_alone(figure, grid))
        die_at(
            figure->at_left,
            "figures: heads of %d rows are too many lines; expected one row, as rows: [\"%s\"], or "
            "one row in each frame",
            figure->rows, grid->row[figure->row[0]].name);
}

static bool is_heads(const struct figure *figure)
{
    return figure->kind->by == DIMENSION_LAYER && !(figure->kind->traits & FIGURE_VIEWS);
}

/* Finds the lines of the figure. Returns their number. */
static int find_lines(struct plot *plot, struct along_line **line)
{
    const struct figure *figure = plot->figure;
    int count = 0;
    *line = NULL;
    for (int i = 0; i < figure->rows * figure->columns; i++) {
        const int row = figure->row[i / figure->columns];
        const struct column *column = &figure->column[i % figure->columns];
        const char *name = figure->columns > 1 ? column->header : points_line_name(plot, row);
        for (int head = 1; is_heads(figure); head++) {
            struct column *of = ARENA_NEW(plot->arena, struct column);
            *of = value_filter(column, (struct dimensions){.number[DIMENSION_HEAD] = head}, NULL,
                               plot->arena);
            if (!value_layers(plot->reader, of, row)) break;
            name = arena_print(plot->arena, "Head %d", head);
            ARENA_ADD(plot->arena, *line, count, (struct along_line){row, of, name, 0});
        }
        if (!is_heads(figure))
            ARENA_ADD(plot->arena, *line, count, (struct along_line){row, column, name, 0});
    }
    if (!count && figure->rows)
        points_lack(plot, points_row_name(plot, *figure->row), *figure->row, &figure->left);
    return count;
}

/* Sets the tics: the layers of all lines, then the output if a line has one. Heads have the same
 * layers. */
static void read_layers(struct plot *plot, struct along_line *line, int count)
{
    const char **name = ARENA_ARRAY(plot->arena, const char *, VALUE_LAYERS + 1);
    bool output = false;
    int most = 0;
    for (int i = 0; i < count; i++) {
        line[i].places = value_layers(plot->reader, line[i].column, line[i].row);
        if (line[i].places > most) most = line[i].places;
        output |=
            line[i].places && value_output(plot->reader, line[i].column, line[i].row).name != NULL;
    }
    for (int i = 0; i < count && is_heads(plot->figure); i++) line[i].places = most;
    for (int l = 0; l < most; l++) name[l] = arena_print(plot->arena, "%d", l + 1);
    if (output) name[most++] = OUTPUT;
    plot->tics = (struct tics){most, name, NULL, true, 0};
    if (output)
        canvas_caption(plot->canvas, OUTPUT ": the sum of the short-cut. Without a short-cut the "
                                            "last layer is the output.");
}

/* Returns the column of a line at a tic. At the tic after the layers of the figure, it is the
 * output. If the line has no value there, the name of the column is NULL. */
static struct column at(struct plot *plot, const struct along_line *line, int tic)
{
    const struct dimensions class = {.class = plot->tics.name[tic]};
    if (plot->figure->kind->by == DIMENSION_CLASS)
        return value_filter(line->column, class, NULL, plot->arena);
    if (tic < line->places) return value_at_layer(line->column, tic + 1, plot->arena);
    if (!line->places || tic + 1 < plot->tics.count) return (struct column){0};
    return value_output(plot->reader, line->column, line->row);
}

/* Adds the series of a line, if it has a value. */
static void put_line(struct plot *plot, const struct along_line *line)
{
    const struct figure *figure = plot->figure;
    const struct tics *tics = &plot->tics;
    const int first = plot->points, index = points_series(plot, SERIES_SOLID, line->name, false);
    if (figure->kind->by == FIGURE_SHARE) shares_put(plot, line);
    for (int i = 0; i < tics->count; i++) {
        const struct column column = at(plot, line, i);
        if (column.name)
            points_value(plot, &plot->left, &column, line->row, tics->x ? tics->x[i] : i + 1,
                         tics->name[i]);
    }
    if (points_has(plot, index)) return;
    plot->points = first;
    plot->series_count = index;
    const bool alone = figure->columns == 1 && figure->frames;
    points_lack(plot, alone ? points_row_name(plot, line->row) : line->name, line->row,
                line->column);
}

void along_fill(struct plot *plot)
{
    const struct figure *figure = plot->figure;
    const struct column *column = &figure->left;
    const bool layers = figure->kind->by == DIMENSION_LAYER;
    const char *label = layers ? FIGURE_LAYERS : "Share of tr (%)";
    struct along_line *line;
    const int count = find_lines(plot, &line);
    if (!is_heads(figure))
        plot->checked = layers ? value_at_layer(column, 1, plot->arena) : *column;
    if (layers) read_layers(plot, line, count);
    if (figure->kind->by == DIMENSION_CLASS) label = classes_read(plot);
    points_label(plot, label, points_label_of(plot, column));
    for (int i = 0; i < count; i++) put_line(plot, &line[i]);
    if (is_heads(figure) && !*figure->frame && count)
        canvas_caption(plot->canvas, "Heads of \"%s\".", points_row_name(plot, *figure->row));
    if (!plot->series_count) return;
    if (figure->kind->by == FIGURE_SHARE) shares_tics(plot);
    if (figure->kind->by == DIMENSION_CLASS) classes_mark(plot);
    if (figure->kind->traits & FIGURE_VIEWS) points_before(plot);
}
