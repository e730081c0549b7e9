/* Finds lines, cells and coordinates by name, and sets the baselines. A sweep may have made several
 * rows from the row that had a name. */
#include <stdlib.h>
#include <string.h>

#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/table/layout_part.h"

bool layout_row_runs(const struct grid_row *row)
{
    return !tree_get(row->entry, "quote") && !tree_get(row->entry, "hyp");
}

int layout_find_text(const char *const *text, int count, const char *wanted)
{
    for (int i = 0; i < count; i++)
        if (text[i] && !strcmp(text[i], wanted)) return i;
    return -1;
}

int layout_read_coordinate(const struct tree *scalar, const struct layout *layout,
                           struct arena *arena)
{
    const char *text = scalar_text(scalar, "a value of the axis");
    for (int i = 0; i < layout->coordinates; i++)
        if (word_same(layout->coordinate[i], text) || word_same(layout->heading[i], text)) return i;
    if (!layout->by) die_at(scalar->location, "\"%s\": the table has no axis (table.by)", text);
    const char **words = ARENA_ARRAY(arena, const char *, layout->coordinates + 1);
    for (int i = 0; i < layout->coordinates; i++) words[i] = layout->heading[i];
    word_refuse(scalar->location, layout->by, "there is no value", text, words);
}

/* Returns the cell of a row; line -1: none. */
static struct layout_cell cell_of_row(const struct layout *layout, int row)
{
    for (struct layout_cell at = {0}; row >= 0 && layout_next(layout, &at); at.coordinate++)
        if (layout_row(layout, at) == row) return at;
    return (struct layout_cell){-1, -1};
}

struct layout_cell layout_named(const char *name, const struct layout *layout,
                                const struct grid *grid)
{
    const int row = grid_row_called(grid, name);
    for (int i = 0; i < layout->lines; i++)
        if (!strcmp(layout->line[i].name, name)) return (struct layout_cell){i, -1};
    for (int i = 0; i < layout->lines && row >= 0; i++)
        if (word_same(layout->line[i].own, grid->row[row].name)) return (struct layout_cell){i, -1};
    if (row >= 0) return cell_of_row(layout, row);
    bool swept = false;
    for (int i = 0; i < grid->rows; i++)
        swept |= layout_row_runs(&grid->row[i]) && grid_row_meant(&grid->row[i], name);
    return (struct layout_cell){swept ? LAYOUT_SWEPT : -1, -1};
}

struct layout_cell layout_read_cell(const struct tree *name, int at, const struct layout *layout,
                                    const struct grid *grid, struct arena *arena)
{
    const struct tree *item = name->kind == TREE_LIST ? name->item[at] : name;
    const struct layout_cell cell = layout_named(scalar_text(item, "a row"), layout, grid);
    if (cell.line < 0) grid_name_require(grid, "table", name, at, arena);
    return cell.line < 0 ? (struct layout_cell){-1, -1} : cell;
}

const char *layout_cell_name(const struct layout *layout, const struct grid *grid,
                             struct layout_cell cell)
{
    const struct layout_line *line = &layout->line[cell.line];
    return cell.coordinate < 0 || line->row[cell.coordinate] < 0
               ? line->name
               : grid->row[line->row[cell.coordinate]].name;
}

/* Returns the line of the row that was called `name` before the sweeps and has the coordinates of
 * line `line`. If there is no such row, returns `line`. */
static int line_beside(const char *name, int line, const struct layout *layout,
                       const struct grid *grid)
{
    for (int f = 0; f < layout->coordinates; f++) {
        int row = layout->line[line].row[f];
        int beside = row < 0 ? -1 : grid_row_beside(grid, name, row);
        if (beside >= 0) return cell_of_row(layout, beside).line;
    }
    return line;
}

/* Sets the baselines if sweeps have made several rows from the baseline. The baseline of a line is
 * the one of these rows that has the coordinates of the line. Dies if no row has another row as
 * baseline in a table with two axes. */
static void read_swept_baseline(const struct tree *name, struct layout *layout,
                                const struct grid *grid)
{
    bool compared = false;
    for (int i = 0; i < layout->lines; i++) {
        const int line = line_beside(name->text, i, layout, grid);
        layout->line[i].baseline = (struct layout_cell){line, -1};
        if (line == i) layout->baseline[layout->baselines++] = layout->line[i].baseline;
    }
    for (int i = 0; i < grid->rows; i++) {
        const int beside = grid_row_beside(grid, name->text, i);
        compared |= beside >= 0 && beside != i;
    }
    if (layout->down && !compared && !grid->words.varied)
        die_at(name->location,
               "baseline: \"%s\" is several cells of the table, so nothing is compared; expected "
               "the full name of one",
               name->text);
}

void layout_compare_nothing(struct layout *layout, const char *unselected)
{
    layout->unselected = unselected;
    layout->baselines = 0;
    for (int i = 0; i < layout->lines; i++) layout->line[i].baseline = (struct layout_cell){i, -1};
}

/* Sets the baselines. The baseline of a line is the last baseline at or above the line or, if there
 * is none, the first one. So a single baseline, a line or a cell, is the baseline of all lines.
 * Default: the first line that is not quoted. `~`: no baseline. Nothing is compared if the command
 * line has not selected a baseline. */
void layout_read_baseline(const struct tree *baseline, struct layout *layout,
                          const struct grid *grid, struct arena *arena)
{
    if (baseline && tree_is_nothing(baseline)) return layout_compare_nothing(layout, NULL);
    if (baseline && baseline->kind == TREE_LIST) baseline = grid_names_join(grid, baseline, arena);
    const bool list = baseline && baseline->kind == TREE_LIST;
    const int names = list ? baseline->count : baseline ? 1 : 0;
    if (list && !names) die_at(baseline->location, "baseline: the list is empty; expected rows");
    layout->baselines = 0;
    layout->baseline = ARENA_ARRAY(arena, struct layout_cell, layout->lines + names + 1);
    for (int i = 0; i < names; i++) {
        const struct tree *item = list ? baseline->item[i] : baseline;
        if (names == 1 && item->kind == TREE_SCALAR &&
            layout_named(item->text, layout, grid).line == LAYOUT_SWEPT)
            return read_swept_baseline(item, layout, grid);
        const struct layout_cell cell = layout_read_cell(baseline, i, layout, grid, arena);
        if (cell.line < 0) return layout_compare_nothing(layout, item->text);
        layout->baseline[layout->baselines++] = cell;
    }
    if (!names && layout->lines) {
        int first = 0;
        while (first < layout->lines - 1 && layout->line[first].quote) first++;
        layout->baseline[layout->baselines++] = (struct layout_cell){first, -1};
    }
    qsort(layout->baseline, (size_t)layout->baselines, sizeof *layout->baseline, compare_ints);
    for (int i = 0, at = 0; i < layout->lines; i++) {
        while (at + 1 < layout->baselines && layout->baseline[at + 1].line <= i) at++;
        layout->line[i].baseline = layout->baseline[at];
    }
}
