/* Finds the cells of a heat map. An axis is an axis of the sweep, a dimension of the value (layer,
 * class), or the rows. */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "experiments/grid/axis.h"
#include "plots/figure.h"

/* Returns the coordinate of a row at a place on an axis; NULL if the row is not on the axis. For a
 * dimension, returns "". other: the second axis of the figure */
static const char *coordinate(const struct figure *figure, const struct grid *grid, int row,
                              int place, const char *axis, const char *other, struct arena *arena)
{
    const struct grid_row *of = &grid->row[row];
    const struct grid_coordinate *on = grid_row_coordinate(of, place, axis);
    if (figure_dimension(axis)) return "";
    if (!strcmp(axis, FIGURE_ROW))
        return frames_rest(figure, grid, row, place, grid_row_coordinate(of, place, other), arena);
    return on ? on->value : NULL;
}

int cells_list(const struct figure *figure, const struct grid *grid, struct cell_place **list,
               struct arena *arena)
{
    int count = 0;
    *list = NULL;
    for (int i = 0; i < figure->rows; i++) {
        const int r = figure->row[i];
        const bool computes = grid_row_computes(grid, r, column_first(&figure->left)->kind);
        for (int p = 0; p <= grid->row[r].more && computes; p++) {
            const struct cell_place cell = {
                r, frames_of(figure, grid, r, p),
                coordinate(figure, grid, r, p, figure->axis, figure->down, arena),
                coordinate(figure, grid, r, p, figure->down, figure->axis, arena)};
            if (cell.x && cell.y) ARENA_ADD(arena, *list, count, cell);
        }
    }
    return count;
}

/* Returns the key of a further axis on which two rows differ; FIGURE_ROW: there is none. */
static const char *axis_between(const struct figure *figure, const struct grid_row *row,
                                const struct grid_row *other)
{
    const char *const known[] = {figure->axis, figure->down, NULL};
    for (int i = 0; i < row->coordinates; i++) {
        const struct grid_coordinate *its = grid_row_coordinate(other, 0, row->coordinate[i].key);
        if (its && strcmp(its->value, row->coordinate[i].value) != 0 &&
            !word_known(its->key, known))
            return its->key;
    }
    return FIGURE_ROW;
}

const char *cells_clash(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    struct cell_place *cell;
    const int count = cells_list(figure, grid, &cell, arena);
    struct hash_table *first = hash_table_new(arena, (size_t)count); /* text of a cell -> index */
    for (int i = 0; i < count; i++) {
        const char *at = arena_print(arena, "%d\n%s\n%s", cell[i].frame, cell[i].x, cell[i].y);
        const int64_t before = *hash_table_at(first, at, strlen(at), i);
        const struct grid_row *row = &grid->row[cell[i].row], *other = &grid->row[cell[before].row];
        if (other != row)
            return arena_print(arena,
                               "rows: \"%s\" and \"%s\" are in the same cell; expected frame: %s, "
                               "or one row, as rows: [\"%s\"]",
                               other->name, row->name, axis_between(figure, row, other), row->name);
    }
    return NULL;
}
