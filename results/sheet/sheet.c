/* Cells, marks and styles are arrays of one shape, so that a form walks rows and columns alike. */
#include "results/sheet/sheet.h"

#include <stdarg.h>

struct sheet *sheet_new(struct arena *arena, int rows, int columns)
{
    const int cells = rows * columns;
    struct sheet *sheet = ARENA_NEW(arena, struct sheet);
    *sheet = (struct sheet){.columns = columns,
                            .rows = rows,
                            .column = ARENA_ARRAY(arena, struct sheet_column, columns),
                            .cell = ARENA_ARRAY(arena, const char *, cells),
                            .mark = ARENA_ARRAY(arena, const char *, cells),
                            .style = ARENA_ARRAY(arena, unsigned char, cells),
                            .rule = ARENA_ARRAY(arena, bool, rows),
                            .section = ARENA_ARRAY(arena, const char *, rows),
                            .missing = "-"};
    return sheet;
}

struct sheet *sheet_headed(struct arena *arena, int rows, int columns, const char *const *header,
                           int texts)
{
    struct sheet *sheet = sheet_new(arena, rows, columns);
    for (int i = 0; i < columns; i++)
        sheet->column[i] =
            (struct sheet_column){header[i], i < texts ? SHEET_LEFT : SHEET_RIGHT, 0};
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
    ARENA_MORE(arena, sheet->group, sheet->groups);
    sheet->group[sheet->groups++] = (struct sheet_group){first, count, header};
}

void sheet_span(struct arena *arena, struct sheet *sheet, struct sheet_span span)
{
    cell_index(sheet, span.row, span.first);
    cell_index(sheet, span.row, span.first + span.count - 1);
    ARENA_MORE(arena, sheet->span, sheet->spans);
    sheet->span[sheet->spans++] = span;
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
