/* Fills the cells of a table, column by column of its sheet, from left to right. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/tune.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/table/learned.h"
#include "results/table/table_maker.h"
#include "results/table/tuned.h"

/* A column of the sheet: a column of the layout at a coordinate, or values of the paper. */
struct position {
    const struct column *column;
    int index;      /* index into the columns of the layout or of the paper */
    int coordinate; /* -1: one column for all coordinates */
    bool paper;
};

static bool stands_once(const struct layout *layout, const struct column *column)
{
    const struct column *over = column_has(column, COLUMN_AXIS);
    return layout->by && (column_is_once(column) || (over && !strcmp(over->word, layout->by)));
}

static int list_positions(const struct layout *layout, struct position *position)
{
    int count = 0;
    for (int f = -1; f < layout->coordinates; f++) { /* first the columns that are common to all
                                                    coordinates */
        for (int c = 0; c < layout->columns; c++)
            if (stands_once(layout, &layout->column[c]) == (f < 0))
                position[count++] = (struct position){&layout->column[c], c, f, false};
        for (int p = 0; f >= 0 && p < layout->paper.columns; p++)
            position[count++] = (struct position){&layout->paper.column[p], p, f, true};
    }
    return count;
}

/* Returns the coordinate of a position's values in a line; -1: none. A line that spans the
 * coordinates has those of the first one. */
static int position_coordinate(const struct layout *layout, const struct position *position,
                               int line)
{
    if (position->coordinate >= 0) return layout->line[line].spans ? 0 : position->coordinate;
    for (int f = 0; f < layout->coordinates; f++)
        if (layout->line[line].row[f] >= 0) return f;
    return -1;
}

static const char *printed(const struct layout_values *values, const struct position *position,
                           int line)
{
    const struct layout_value *found = layout_find(
        values, position->column->name, (struct layout_cell){line, position->coordinate});
    return found ? found->text : NULL;
}

/* Returns the text of an option of the row at a coordinate. With coordinate -1, lists the different
 * texts at all coordinates, "1, 2". Returns "" if there is no row with a run. */
static const char *options_text(struct table_maker *maker, const struct column *column,
                                const struct layout_line *line, int coordinate)
{
    const struct layout *layout = maker->layout;
    const char **seen = ARENA_ARRAY(maker->arena, const char *, layout->coordinates + 1);
    const char *first = "", *list = NULL;
    for (int f = 0, count = 0; f < layout->coordinates; f++) {
        if (line->row[f] < 0 || (coordinate >= 0 && f != coordinate)) continue;
        const struct grid_row *row = &maker->grid->row[line->row[f]];
        const struct grid_coordinate *at = grid_row_coordinate(row, line->place[f], column->word);
        const char *text = at ? at->value : NULL;
        const bool several = tuned_searches(row) > 1 && tuned_key(row->tuned, column->word) >= 0;
        if (column->function == COLUMN_TUNED || (column->function == COLUMN_OPTION && several))
            text = tuned_option(&maker->sampler, line->row[f], column->word);
        else if (column->function == COLUMN_HAS)
            text = layout_has(maker->grid, row, column->word, maker->arena) ? "✓" : "";
        else if (!at)
            text = layout_option(maker->grid, row, column->word, maker->arena);
        const char *word = text && *text ? text : maker->sheet->missing;
        if (word_known(word, seen)) continue;
        if (!count) first = text;
        seen[count++] = word;
        list = arena_append(maker->arena, list, ", ", word);
    }
    return seen[0] && seen[1] ? list : first;
}

/* *seeds: see sample_text. */
static const char *our_text(struct table_maker *maker, const struct position *position, int line,
                            int *seeds)
{
    const struct layout *layout = maker->layout;
    const struct layout_line *at = &layout->line[line];
    const struct column *column = position->column;
    const int coordinate = position_coordinate(layout, position, line);
    if (column->function == COLUMN_NUMBER) return number_count(maker->arena, line + 1);
    if (column_is_option(column)) return options_text(maker, column, at, position->coordinate);
    if (at->quote) return printed(&layout->quoted, position, line);
    if (coordinate < 0) return NULL;
    const struct layout_cell cell = {line, coordinate},
                             base = layout_cell_at(at->baseline, coordinate);
    if (column_is_p(column)) return summary_p(maker, column, cell);
    const struct sample *ours = table_maker_sample(maker, cell, position->index);
    if (column->function == COLUMN_DELTA && !layout_same_cell(layout, base, cell))
        return sample_delta(&maker->sampler, column, ours,
                            table_maker_sample(maker, base, position->index));
    return column->function == COLUMN_DELTA && !column_shows_baseline(column)
               ? ""
               : sample_text(&maker->sampler, column, ours,
                             learned_row(&maker->sampler, at->row[coordinate]).failed, seeds);
}

static void fill_cell(struct table_maker *maker, const struct position *position, int line, int at)
{
    const struct layout_cell cell = {line, position_coordinate(maker->layout, position, line)};
    int seeds = 0;
    const char *text = position->paper ? printed(&maker->layout->of_paper, position, line)
                                       : our_text(maker, position, line, &seeds);
    sheet_set(maker->sheet, line, at, text);
    sheet_at(maker->sheet, line, at)->seeds = seeds;
    if (text && text == printed(&maker->layout->quoted, position, line))
        sheet_at(maker->sheet, line, at)->note = "quoted";
    if (!text || !*text || position->paper || position->column->function == COLUMN_NUMBER) return;
    if (cell.coordinate >= 0 && !maker->layout->line[line].quote)
        sheet_at(maker->sheet, line, at)->mark = summary_mark(maker, position->column, cell);
}

/* Adds the number of seeds to the texts of means, unless it is the same in all cells. */
static void count_seeds(struct table_maker *maker)
{
    const struct sheet *sheet = maker->sheet;
    const int cells = sheet->rows * sheet->columns;
    bool same = true;
    for (int i = 0; i < cells; i++) {
        const int seeds = sheet->cell[i].seeds;
        same &= !seeds || !maker->seeds || seeds == maker->seeds;
        if (seeds) maker->seeds = seeds;
    }
    if (same && maker->seeds > 1) return;
    maker->seeds = 0;
    for (int i = 0; i < cells; i++) {
        struct sheet_cell *cell = &sheet->cell[i];
        if (cell->seeds > 1)
            cell->text = arena_print(maker->arena, "%s (%d)", cell->text, cell->seeds);
        cell->seeds = 0;
    }
}

static void embolden(struct table_maker *maker, const struct position *position, int at)
{
    int *coordinate = ARENA_ARRAY(maker->arena, int, maker->layout->lines);
    if (position->paper) return;
    for (int i = 0; i < maker->layout->lines; i++)
        coordinate[i] = position_coordinate(maker->layout, position, i);
    summary_bold(maker, position->index, coordinate, at);
}

static struct sheet_column position_heading(struct table_maker *maker,
                                            const struct position *position)
{
    const struct column *column = position->column;
    enum sheet_align align = column->function == COLUMN_HAS ? SHEET_CENTER
                             : column_is_option(column)     ? SHEET_LEFT
                                                            : SHEET_NUMBER;
    const char *header = column->header;
    if (position->paper) header = arena_print(maker->arena, "%s, paper", header);
    return (struct sheet_column){header, align, column->measure->decimals};
}

/* Returns the group of which the column is a member or the mean; NULL: none. */
static const struct column *group_of(const struct layout *layout, const struct position *position)
{
    const struct column *column = position->column, *mean = column_has(column, COLUMN_GROUP);
    if (position->paper || column->function == COLUMN_DELTA) return NULL;
    if (column_is_p(column)) mean = NULL;
    for (const struct column *group = layout->group; group < layout->group + layout->groups;
         group++) {
        if (!group->item) continue;
        if (mean && !strcmp(mean->word, group->word)) return group;
        for (int k = 0; k < group->arguments; k++)
            if (!strcmp(column->name, group->argument[k].name)) return group;
    }
    return NULL;
}

/* Adds a heading over adjacent columns that have the same coordinate or the same group. */
static void group_positions(struct table_maker *maker, const struct position *position, int count,
                            int first)
{
    const struct layout *layout = maker->layout;
    struct sheet_column *column = maker->sheet->column + first;
    for (int i = 0, n; i < count; i += n) {
        int coordinate = layout->by ? position[i].coordinate : -1;
        const struct column *group = coordinate < 0 ? group_of(layout, &position[i]) : NULL;
        n = 1;
        while (i + n < count && (group             ? group_of(layout, &position[i + n]) == group
                                 : coordinate >= 0 ? position[i + n].coordinate == coordinate
                                                   : false))
            n++;
        if (!group && coordinate < 0) continue;
        const char *heading = group ? group->word : layout->heading[coordinate];
        /* Without several columns for each coordinate, the common heading names the axis. */
        const bool common = layout->down && layout->coordinates > 1 && n == 1;
        if (!group && layout->named && !common && heading == layout->coordinate[coordinate])
            heading = arena_print(maker->arena, "%s %s", column_last_word(layout->by), heading);
        if (n == 1) {
            if (coordinate >= 0) column[i].header = heading;
            continue;
        }
        sheet_group(maker->arena, maker->sheet, first + i, n, heading);
        for (int k = i; group && k < i + n; k++) {
            const struct column *mean = position[k].column;
            if (mean->function == COLUMN_GROUP && mean->header == mean->word)
                column[k].header = "Mean";
        }
    }
}

void summary_fill(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    const struct grid *grid = maker->grid;
    int most = layout->coordinates * (layout->columns + layout->paper.columns);
    struct position *position = ARENA_ARRAY(maker->arena, struct position, most);
    int count = list_positions(layout, position), names = layout->names ? 1 : 0;
    /* The column of row numbers is left of the names. */
    int lead = !layout->transpose && position[0].column->function == COLUMN_NUMBER;
    struct sheet *sheet = sheet_new(maker->arena, layout->lines, names + count);
    maker->sheet = sheet;
    sheet->title =
        grid->title ? arena_print(maker->arena, "%s (%s)", grid->title, grid->name) : grid->name;
    sheet->name = grid->name;
    if (names) {
        sheet->column[lead] = (struct sheet_column){layout->names, SHEET_LEFT, 0};
        sheet->names = lead;
    }
    for (int i = 0; i < layout->lines; i++) {
        if (names) sheet_set(sheet, i, lead, layout->line[i].label);
        sheet->section[i] = layout->line[i].section;
        sheet->rule[i] = layout->line[i].rule;
    }
    for (int k = 0; k < count; k++) {
        int at = k < lead ? k : names + k;
        sheet->column[at] = position_heading(maker, &position[k]);
        for (int i = 0; i < layout->lines; i++) fill_cell(maker, &position[k], i, at);
        if (layout->bold) embolden(maker, &position[k], at);
    }
    count_seeds(maker);
    group_positions(maker, position + lead, count - lead, lead + names);
    int once = 0;
    while (once < count && position[once].coordinate < 0) once++;
    /* With two axes and one column per coordinate: "BLEU by layers" */
    if (layout->down && layout->coordinates > 1 && count - once == layout->coordinates)
        sheet_group(maker->arena, sheet, names + once, count - once,
                    arena_print(maker->arena, "%s by %s",
                                position_heading(maker, &position[once]).header,
                                column_last_word(layout->by)));
}
