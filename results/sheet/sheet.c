/* Makes, fills and transposes sheets. Cells are stored row by row in one array. */
#include "results/sheet/sheet.h"

#include <stdarg.h>
#include <string.h>

struct sheet *sheet_new(struct arena *arena, int rows, int columns)
{
    struct sheet *sheet = ARENA_NEW(arena, struct sheet);
    *sheet = (struct sheet){.columns = columns,
                            .rows = rows,
                            .column = ARENA_ARRAY(arena, struct sheet_column, columns),
                            .cell = ARENA_ARRAY(arena, struct sheet_cell, rows * columns),
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

struct sheet_cell *sheet_at(const struct sheet *sheet, int row, int column)
{
    CHECK(row >= 0 && row < sheet->rows && column >= 0 && column < sheet->columns,
          "cell %d, %d of %d x %d", row, column, sheet->rows, sheet->columns);
    return &sheet->cell[row * sheet->columns + column];
}

void sheet_set(struct sheet *sheet, int row, int column, const char *text)
{
    sheet_at(sheet, row, column)->text = text;
}

void sheet_group(struct arena *arena, struct sheet *sheet, int first, int count, const char *header)
{
    CHECK(first >= 0 && count > 0 && first + count <= sheet->columns, "group %d + %d of %d columns",
          first, count, sheet->columns);
    ARENA_ADD(arena, sheet->group, sheet->groups, (struct sheet_group){first, count, header});
}

const char *sheet_get(const struct sheet *sheet, int row, int column)
{
    const char *text = sheet_at(sheet, row, column)->text;
    return text ? text : sheet->missing;
}

void sheet_caption(struct arena *arena, struct sheet *sheet, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    ARENA_ADD(arena, sheet->caption, sheet->captions, arena_print_list(arena, format, list));
    va_end(list);
}

void sheet_keep(struct sheet *sheet, const bool *keep)
{
    const char *section = NULL;
    bool rule = false;
    int rows = 0;
    for (int i = 0; i < sheet->rows; i++) {
        if (sheet->section[i]) section = sheet->section[i];
        rule |= sheet->rule[i];
        if (!keep[i]) continue;
        memmove(sheet->cell + rows * sheet->columns, sheet->cell + i * sheet->columns,
                (size_t)sheet->columns * sizeof *sheet->cell);
        sheet->section[rows] = section;
        sheet->rule[rows] = rule && rows;
        rows++;
        section = NULL;
        rule = false;
    }
    sheet->rows = rows;
}

struct sheet *sheet_turn(struct arena *arena, const struct sheet *from, const char *names)
{
    const int first = names ? 1 : 0, rows = from->columns - first;
    const struct sheet_column *row = from->column + first;
    bool decimals = false; /* true if a row has decimals */
    struct sheet *sheet = sheet_new(arena, rows, from->rows + 1), fresh = *sheet;
    *sheet = *from;
    sheet->rows = fresh.rows;
    sheet->columns = fresh.columns;
    sheet->column = fresh.column;
    sheet->cell = fresh.cell;
    sheet->rule = fresh.rule;
    sheet->section = fresh.section;
    sheet->groups = sheet->names = 0;
    sheet->group = NULL;
    sheet->column[0] = (struct sheet_column){names ? names : "", SHEET_LEFT, 0};
    for (int i = 0; i < rows; i++) decimals |= row[i].decimals > 0;
    for (int i = 0; i < rows; i++) sheet_set(sheet, i, 0, row[i].header);
    for (int k = 0; k < from->rows; k++) {
        struct sheet_column *column = &sheet->column[1 + k];
        *column = (struct sheet_column){first ? sheet_get(from, k, 0) : "", SHEET_NUMBER, 0};
        for (int i = 0; i < rows; i++) {
            struct sheet_cell *cell = sheet_at(sheet, i, 1 + k);
            *cell = *sheet_at(from, k, first + i);
            if (decimals && !row[i].decimals && cell->text && !strchr(cell->text, '.'))
                cell->style |= SHEET_APART;
            if (row[i].decimals > column->decimals) column->decimals = row[i].decimals;
        }
    }
    for (int k = 0, count; k < from->rows; k += count) {
        for (count = 1; k + count < from->rows && !from->section[k + count];) count++;
        if (from->section[k]) sheet_group(arena, sheet, 1 + k, count, from->section[k]);
    }
    for (int i = 0; i < from->groups; i++) {
        const int begin = from->group[i].first - first, end = begin + from->group[i].count;
        sheet->section[begin] = from->group[i].header;
        if (end < rows) sheet->rule[end] = true; /* the section ends above this row */
    }
    for (int i = 0; i < rows; i++) sheet->rule[i] &= !sheet->section[i];
    return sheet;
}
