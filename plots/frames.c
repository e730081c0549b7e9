/* Divides the rows of a figure into frames. There is a frame for each value that the rows have on
 * an axis, or a frame for each row of the file. */
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/axis.h"
#include "plots/figure.h"

static bool by_row(const struct figure *figure)
{
    return !strcmp(figure->frame, FIGURE_ROW);
}

/* Returns the name of a row as written, which all rows of a sweep share. */
static const char *line_of(const struct grid_row *row)
{
    return row->line ? row->line : row->name;
}

/* Returns the value that determines the frame of a row at a place; NULL if the row is not on the
 * axis of frames. */
static const char *value_of(const struct figure *figure, const struct grid_row *row, int place)
{
    const struct grid_coordinate *on = grid_row_coordinate(row, place, figure->frame);
    if (by_row(figure)) return line_of(row);
    return on ? on->value : NULL;
}

int frames_of(const struct figure *figure, const struct grid *grid, int row, int place)
{
    const char *value = value_of(figure, &grid->row[row], place);
    for (int f = 0; f < figure->frames && value; f++)
        if (!strcmp(figure->frame_value[f], value)) return f + 1;
    return 0;
}

/* Returns the name of a row as written, with the values that all rows of its frame share. */
static const char *title_of(const struct figure *figure, const struct grid *grid,
                            const struct grid_row *row, struct arena *arena)
{
    const struct grid_coordinate **differs =
        ARENA_ARRAY(arena, const struct grid_coordinate *, row->coordinates + 1);
    for (int i = 0; i < figure->rows; i++) {
        const struct grid_row *other = &grid->row[figure->row[i]];
        for (int p = 0; p <= other->more && word_same(other->line, row->line); p++)
            grid_row_differs(row, 0, other, p, differs);
    }
    return grid_name_fill(arena, value_of(figure, row, 0), row->coordinate, row->coordinates,
                          differs);
}

void frames_read(struct figure *figure, const struct grid *grid, struct arena *arena)
{
    for (int i = 0; i < figure->rows; i++) {
        const struct grid_row *row = &grid->row[figure->row[i]];
        for (int p = 0; p <= row->more; p++) {
            const char *value = value_of(figure, row, p);
            int values = figure->frames;
            if (!value || frames_of(figure, grid, figure->row[i], p)) continue;
            ARENA_ADD(arena, figure->frame_value, values, value);
            ARENA_ADD(arena, figure->frame_name, figure->frames,
                      by_row(figure) ? title_of(figure, grid, row, arena)
                                     : grid_row_coordinate(row, p, figure->frame)->text);
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
    const bool rows = figure->frames && by_row(figure);
    if (!rows && !frame && !without) return of->name;
    const struct grid_coordinate *omitted[] = {without ? without : frame, frame, NULL};
    const char *name = grid_row_rest(of, place, rows ? NULL : of->line, omitted, arena);
    return name ? name : figure->left.header;
}
