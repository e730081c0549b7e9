#include "results/sheet.h"

#include <stdarg.h>

struct sheet *sheet_new(struct arena *arena, int rows, int columns)
{
    struct sheet *sheet = ARENA_NEW(arena, struct sheet);
    *sheet = (struct sheet){.columns = columns,
                            .rows = rows,
                            .column = ARENA_ARRAY(arena, struct sheet_column, columns),
                            .cell = ARENA_ARRAY(arena, const char *, rows *columns),
                            .mark = ARENA_ARRAY(arena, const char *, rows *columns),
                            .style = ARENA_ARRAY(arena, unsigned char, rows *columns),
                            .rule = ARENA_ARRAY(arena, bool, rows),
                            .section = ARENA_ARRAY(arena, const char *, rows),
                            .missing = "-"};
    return sheet;
}

static int cell_index(const struct sheet *sheet, int row, int column)
{
    CHECK(row >= 0 && row < sheet->rows && column >= 0 && column < sheet->columns,
          "cell %d, %d of %d x %d", row, column, sheet->rows, sheet->columns);
    return row * sheet->columns + column;
}

void sheet_set(struct sheet *sheet, int row, int column, const char *text)
{
    sheet->cell[cell_index(sheet, row, column)] = text;
}

void sheet_mark(struct sheet *sheet, int row, int column, const char *mark)
{
    sheet->mark[cell_index(sheet, row, column)] = mark;
}

void sheet_style(struct sheet *sheet, int row, int column, unsigned style)
{
    sheet->style[cell_index(sheet, row, column)] = (unsigned char)style;
}

void sheet_group(struct arena *arena, struct sheet *sheet, int first, int count, const char *header)
{
    CHECK(first >= 0 && count > 0 && first + count <= sheet->columns, "group %d + %d of %d columns",
          first, count, sheet->columns);
    struct sheet_group *group = ARENA_ARRAY(arena, struct sheet_group, sheet->groups + 1);
    for (int i = 0; i < sheet->groups; i++) group[i] = sheet->group[i];
    group[sheet->groups++] = (struct sheet_group){first, count, header};
    sheet->group = group;
}

const char *sheet_get(const struct sheet *sheet, int row, int column)
{
    const char *text = sheet->cell[row * sheet->columns + column];
    return text ? text : sheet->missing;
}

void sheet_caption(struct arena *arena, struct sheet *sheet, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    ARENA_MORE(arena, sheet->caption, sheet->captions);
    sheet->caption[sheet->captions++] = arena_print_list(arena, format, list);
    va_end(list);
}
