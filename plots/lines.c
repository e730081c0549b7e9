/* A metric against an axis of the grid's sweep: a line through the means of each group of rows that
 * differ only in that axis. A row that is not on the axis is a line across, dotted or dashed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "plots/figure_kind.h"
#include "results/table/axis.h"
#include "results/table/layout.h"

/* A row of the figure. */
struct line_point {
    int row;
    const char *place; /* its value on the axis; NULL: it has none */
    const char *group; /* its name without the axis */
    int seeds;         /* that have a value */
    double x, mean, low, high, *each;
};

/* Rows that one line joins, by x. */
struct line_group {
    const char *name;
    int count;
    struct line_point **point;
    bool baseline; /* all of them are baselines of the table, or off the axis */
};

struct line_figure {
    struct canvas *canvas;
    const struct figure *figure;
    struct value_reader *reader;
    struct figure_side side;
    int points;
    struct line_point *point; /* [points] */
    int places, groups, solid, across;
    const char **place; /* [places] values of the axis, in its order */
    double *x;          /* [places] */
    bool numeric;
    struct line_group *group; /* [groups] solid ones, baselines, [across] across */
};

/* "gate, layers 1-2": what a row is called at a place, without the axis. */
static const char *group_name(const struct summary_row *row, int place,
                              const struct summary_factor *on, const char *fallback,
                              struct arena *arena)
{
    if (!on) return row->name;
    const char *name = summary_row_rest(row, place, row->line, on, arena);
    return name ? name : fallback;
}

static int find_place(const struct line_figure *lines, const char *text)
{
    for (int i = 0; i < lines->places; i++)
        if (!strcmp(lines->place[i], text)) return i;
    return -1;
}

/* The values that the figure's rows have, in the order of the grid; where all are numbers, by size
 * and to scale. */
static void read_places(struct line_figure *lines)
{
    const struct summary_grid *grid = lines->reader->grid;
    struct arena *arena = lines->canvas->arena;
    const char *const *value = axis_values(grid, lines->figure->axis, arena);
    int values = 0;
    while (value[values]) values++;
    lines->numeric = true;
    lines->place = ARENA_ARRAY(arena, const char *, values + 1);
    lines->x = ARENA_ARRAY(arena, double, values + 1);
    for (int i = 0; i < values; i++) {
        double number;
        bool has = false;
        for (int p = 0; p < lines->points; p++)
            has |= lines->point[p].place && !strcmp(lines->point[p].place, value[i]);
        if (!has) continue;
        lines->place[lines->places++] = value[i];
        lines->numeric &= real_parse(value[i], &number);
    }
    if (lines->numeric) qsort(lines->place, (size_t)lines->places, sizeof(char *), number_compare);
    for (int i = 0; i < lines->places; i++)
        lines->x[i] = lines->numeric ? number_read(lines->place[i]) : i + 1;
}

/* The 95% interval of the mean by Student's t, where there are values enough. */
static void read_values(struct line_figure *lines, struct line_point *point)
{
    const struct column *column = &lines->figure->left;
    const struct value_of_row value = figure_value(&lines->side, lines->reader, column, point->row);
    const struct sample sample = value_sample(lines->reader, column, point->row);
    point->each = ARENA_ARRAY(lines->canvas->arena, double, sample.total + 1);
    point->mean = value.mean;
    point->low = point->high = (double)NAN;
    if (!isfinite(point->mean)) return;
    for (int i = 0; i < sample.total; i++)
        if (isfinite(sample.value[i])) point->each[point->seeds++] = sample.value[i];
    if (!point->place) {
        figure_reach(&lines->side, point->mean, point->mean);
        return;
    }
    for (int i = 0; i < point->seeds; i++)
        figure_reach(&lines->side, point->each[i], point->each[i]);
    const double reach = value_reach(&value);
    if (!isfinite(reach)) return;
    point->low = point->mean - reach;
    point->high = point->mean + reach;
    figure_reach(&lines->side, point->low, point->high);
}

static bool is_baseline(const struct line_figure *lines, int row)
{
    const struct layout *layout = lines->reader->grid->layout;
    for (int i = 0; layout && i < layout->baselines; i++)
        for (int f = 0; f < layout->factors; f++) {
            const struct layout_cell cell = layout_cell_at(layout->baseline[i], f);
            if (layout->line[cell.line].row[cell.factor] == row) return true;
        }
    return false;
}

static int by_x(const void *a, const void *b)
{
    const double one = (*(struct line_point *const *)a)->x,
                 other = (*(struct line_point *const *)b)->x;
    return (one > other) - (one < other);
}

static struct line_group *find_group(struct line_figure *lines, const char *name)
{
    for (int i = 0; i < lines->groups; i++)
        if (!strcmp(lines->group[i].name, name)) return &lines->group[i];
    struct line_group *group = &lines->group[lines->groups++];
    group->name = name;
    group->baseline = true;
    group->point = ARENA_ARRAY(lines->canvas->arena, struct line_point *, lines->points);
    return group;
}

static bool is_across(const struct line_group *group)
{
    return !group->point[0]->place;
}

/* Solid lines first, what goes across last; each in the order of the grid. */
static void order_groups(struct line_figure *lines)
{
    struct line_group *ordered =
        ARENA_ARRAY(lines->canvas->arena, struct line_group, lines->groups + 1);
    int count = 0;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < lines->groups; i++) {
            const struct line_group *group = &lines->group[i];
            const int kind = is_across(group) ? 2 : group->baseline;
            if (kind == pass) ordered[count++] = *group;
            lines->solid += kind == pass && kind == 0;
            lines->across += kind == pass && kind == 2;
        }
    lines->group = ordered;
}

/* A point for each place of each row. */
static void read_points(struct line_figure *lines, const char *fallback)
{
    const struct figure *figure = lines->figure;
    const struct summary_row *all = lines->reader->grid->row;
    struct arena *arena = lines->canvas->arena;
    int most = 0;
    for (int i = 0; i < figure->rows; i++) most += 1 + all[figure->row[i]].more;
    lines->point = ARENA_ARRAY(arena, struct line_point, most + 1);
    for (int i = 0; i < figure->rows; i++) {
        const struct summary_row *row = &all[figure->row[i]];
        for (int place = 0; place <= row->more; place++) {
            const struct summary_factor *on = summary_row_factor(row, place, figure->axis);
            if (!on && place) continue;
            lines->point[lines->points++] =
                (struct line_point){.row = figure->row[i],
                                    .place = on ? on->value : NULL,
                                    .group = group_name(row, place, on, fallback, arena)};
        }
    }
}

static void read_groups(struct line_figure *lines)
{
    lines->group = ARENA_ARRAY(lines->canvas->arena, struct line_group, lines->points + 1);
    for (int i = 0; i < lines->points; i++) {
        struct line_point *point = &lines->point[i];
        point->x = point->place ? lines->x[find_place(lines, point->place)] : 0;
        read_values(lines, point);
        figure_record(lines->canvas, lines->reader, &lines->figure->left, point->row,
                      &(struct figure_record){point->group, lines->figure->axis, point->place,
                                              point->mean, point->low, point->high});
        if (!isfinite(point->mean)) continue;
        struct line_group *group = find_group(lines, point->group);
        group->point[group->count++] = point;
        group->baseline &= !point->place || is_baseline(lines, point->row);
    }
    for (int i = 0; i < lines->groups; i++)
        qsort(lines->group[i].point, (size_t)lines->group[i].count, sizeof(struct line_point *),
              by_x);
    order_groups(lines);
}

/* Two blocks of a group: x, mean, low, high; x, a seed's value. One of what goes across: a mean. */
static void put_group(struct canvas *canvas, const struct line_group *group)
{
    if (is_across(group)) {
        canvas_row(canvas, &group->point[0]->mean, 1);
        return;
    }
    for (int i = 0; i < group->count; i++) {
        const struct line_point *at = group->point[i];
        canvas_row(canvas, (double[]){at->x, at->mean, at->low, at->high}, 4);
    }
    canvas_next_series(canvas);
    for (int i = 0; i < group->count; i++)
        for (int s = 0; s < group->point[i]->seeds; s++)
            canvas_row(canvas, (double[]){group->point[i]->x, group->point[i]->each[s]}, 2);
}

/* A tic at every value; of numbers that are too close to each other the later ones have no text. */
static void put_places(struct line_figure *lines, int label)
{
    struct canvas *canvas = lines->canvas;
    const int last = lines->places - 1;
    const double span = last > 0 ? lines->x[last] - lines->x[0] : 1;
    double least = span;
    for (int i = 1; i <= last; i++) least = fmin(least, lines->x[i] - lines->x[i - 1]);
    /* Lines stand beside one another (lines.gp): the outer ones, too, within the frame. */
    const double dodge = fmin(0.0085 * (lines->groups - lines->across) * span, 0.2 * least);
    const double beside = lines->numeric ? fmax(0.06 * span, 0.03 * span + dodge) : 0.5;
    canvas_number(canvas, "x_low", lines->places ? lines->x[0] - beside : 0);
    canvas_number(canvas, "x_high", lines->places ? lines->x[last] + beside : 1);
    canvas_number(canvas, "x_least", least);
    canvas_number(canvas, "tics", lines->places);
    for (int i = 0; i < lines->places; i++)
        canvas_number(canvas, arena_print(canvas->arena, "tic_%d", i + 1), lines->x[i]);
    if (lines->numeric)
        names_put_scale(canvas, lines->place, lines->x, lines->places, 1.12 * span, label);
    else
        names_put_below(canvas, lines->place, lines->places, 34, label);
}

static void note(struct line_figure *lines, const char *label)
{
    struct canvas *canvas = lines->canvas;
    int most = 0, intervals = 0;
    for (int i = 0; i < lines->points; i++) {
        const struct line_point *point = &lines->point[i];
        if (point->seeds > most) most = point->seeds;
        intervals += isfinite(point->low);
    }
    if (most > 1)
        canvas_caption(canvas, "Points: %s, one a seed; lines: means over seeds.", label);
    else
        canvas_caption(canvas, "Points: %s.", label);
    if (intervals)
        canvas_caption(canvas,
                       "Bars: 95%% t interval of the mean over seeds, where there are %d or more.",
                       VALUE_INTERVAL);
    else if (most > 1)
        canvas_caption(canvas, "No bars: an interval of the mean takes %d seeds.", VALUE_INTERVAL);
    if (lines->solid < lines->groups - lines->across)
        canvas_caption(canvas, "Dotted with points: the baseline.");
    if (lines->across)
        canvas_caption(canvas, "%s of what is not on the axis %s.",
                       lines->across == 1 ? "Dotted: mean" : "Lines without points: means",
                       lines->figure->axis);
    figure_note_signature(canvas, &lines->side, label);
}

static bool fill(struct canvas *canvas, const struct figure *figure, struct value_reader *reader)
{
    const char *label = figure_label(figure->y, figure_label_of(&figure->left, figure, reader));
    struct line_figure lines = {.canvas = canvas, .figure = figure, .reader = reader};
    bool *drawn = ARENA_ARRAY(canvas->arena, bool, figure->rows);
    read_points(&lines, label);
    read_places(&lines);
    read_groups(&lines);
    for (int i = 0; i < figure->rows; i++)
        for (int p = 0; p < lines.points; p++)
            drawn[i] |= lines.point[p].row == figure->row[i] && lines.point[p].seeds > 0;
    if (lines.groups) {
        const char **name = ARENA_ARRAY(canvas->arena, const char *, lines.groups);
        for (int i = 0; i < lines.groups; i++) {
            name[i] = lines.group[i].name;
            if (i) canvas_next_series(canvas);
            put_group(canvas, &lines.group[i]);
        }
        const int label_lines = canvas_label(
            canvas, "label_x", figure_label(figure->x, column_last_word(figure->axis)));
        canvas_label(canvas, "label_y", label);
        canvas_number(canvas, "series", lines.groups);
        canvas_number(canvas, "solid", lines.solid);
        canvas_number(canvas, "pointed", lines.groups - lines.across);
        names_put_legend(canvas, "row", name, lines.groups, NAMES_LETTERS);
        put_places(&lines, label_lines);
        figure_put_axis(canvas, &lines.side, figure->left.measure);
        note(&lines, label);
        figure_note_seeds(canvas, figure, reader);
    } else if (dimensions_some(&figure->left.of)) {
        sample_check_names(&reader->sampler, &figure->left);
    }
    figure_note_missing(canvas, figure, reader, drawn, &figure->left);
    return lines.groups > 0;
}

const struct figure_kind figure_lines = {
    .name = "lines",
    .help = "a value against an axis of the sweep, a line for each group of rows, points for seeds",
    .left = "bleu",
    .axis = true,
    .read = figure_read_value,
    .fill = fill,
};
