/* Divides the rows of a figure into frames, one for each value that the rows have on an axis. Finds
 * the cells of a heat map. */
#include <string.h>

#include "experiments/grid/axis.h"
#include "plots/figure.h"

int frames_of(const struct figure *figure, const struct grid *grid, int row, int place)
{
    const struct grid_coordinate *on = grid_row_coordinate(&grid->row[row], place, figure->frame);
    for (int f = 0; f < figure->frames && on; f++)
        if (!strcmp(figure->frame_value[f], on->value)) return f + 1;
    return 0;
}

void frames_read(struct figure *figure, const struct grid *grid, struct arena *arena)
{
    for (int i = 0; i < figure->rows; i++) {
        const struct grid_row *row = &grid->row[figure->row[i]];
        for (int p = 0; p <= row->more; p++) {
            const struct grid_coordinate *on = grid_row_coordinate(row, p, figure->frame);
            int values = figure->frames;
            if (!on || frames_of(figure, grid, figure->row[i], p)) continue;
            ARENA_ADD(arena, figure->frame_value, values, on->value);
            ARENA_ADD(arena, figure->frame_name, figure->frames, on->text);
        }
    }
    if (figure->frames > FIGURE_FRAMES)
        die_at(figure->at_frame,
               "figures.frame: %d frames for \"%s\" do not fit on a page; expected at most %d: "
               "select rows, as rows: [..]",
               figure->frames, figure->frame, FIGURE_FRAMES);
}

bool frames_show(const struct figure *figure, const struct grid *grid, int row, int frame)
{
    bool somewhere = false;
    for (int p = 0; p <= grid->row[row].more; p++) {
        const int at = frames_of(figure, grid, row, p);
        if (at == frame) return true;
        somewhere |= at > 0;
    }
    return !somewhere;
}

bool frames_alone(const struct figure *figure, const struct grid *grid)
{
    bool alone = figure->frames || figure->rows <= 1;
    for (int f = 1; f <= figure->frames; f++) {
        int rows = 0;
        for (int i = 0; i < figure->rows; i++) rows += frames_show(figure, grid, figure->row[i], f);
        alone &= rows <= 1;
    }
    return alone;
}

const char *frames_rest(const struct figure *figure, const struct grid *grid, int row, int place,
                        const struct grid_coordinate *without, struct arena *arena)
{
    const struct grid_row *of = &grid->row[row];
    const struct grid_coordinate *frame = grid_row_coordinate(of, place, figure->frame);
    if (!frame && !without) return of->name;
    const struct grid_coordinate *omitted[] = {without ? without : frame, frame, NULL};
    const char *name = grid_row_rest(of, place, of->line, omitted, arena);
    return name ? name : figure->left.header;
}

bool frames_cell(const struct figure *figure, const struct grid *grid, int row, int place,
                 struct frame_cell *cell, struct arena *arena)
{
    const struct grid_row *of = &grid->row[row];
    const char *axis[] = {figure->axis, figure->down}, **at = cell->at;
    cell->row = row;
    cell->frame = frames_of(figure, grid, row, place);
    for (int k = 0; k < 2; k++) {
        const struct grid_coordinate *on = grid_row_coordinate(of, place, axis[k]),
                                     *other = grid_row_coordinate(of, place, axis[!k]);
        at[k] = on ? on->value : NULL;
        if (!strcmp(axis[k], FIGURE_ROW))
            at[k] = frames_rest(figure, grid, row, place, other, arena);
        if (figure_dimension(axis[k])) at[k] = "";
    }
    return at[0] && at[1] && grid_row_computes(grid, row, column_first(&figure->left)->kind);
}
