#include "results/sheet.h"

#include <stdarg.h>
#include <string.h>
#include <utf8proc.h>

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
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    CHECK(length >= 0, "caption %s", format);
    char *line = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(line, (size_t)length + 1, format, again);
    va_end(again);
    const char **caption = ARENA_ARRAY(arena, const char *, sheet->captions + 1);
    for (int i = 0; i < sheet->captions; i++) caption[i] = sheet->caption[i];
    caption[sheet->captions++] = line;
    sheet->caption = caption;
}

/* The next character of a text that need not be UTF-8; what a terminal must not get is '?'. */
static const char *next_character(const char *text, utf8proc_int32_t *character)
{
    utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, character);
    bool control = bytes > 0 && utf8proc_category(*character) == UTF8PROC_CATEGORY_CC;
    if (bytes <= 0 || control) *character = '?';
    return text + (bytes > 0 ? bytes : 1);
}

/* Width of the text before `end` (NULL: all of it). */
static int width_before(const char *text, const char *end)
{
    int width = 0;
    while (*text && text != end) {
        utf8proc_int32_t character;
        text = next_character(text, &character);
        width += utf8proc_charwidth(character);
    }
    return width;
}

int sheet_width(const char *text)
{
    return width_before(text, NULL);
}

void sheet_put(const char *text, FILE *out)
{
    while (*text) {
        utf8proc_int32_t character;
        const char *next = next_character(text, &character);
        if (character == '?')
            fputc('?', out);
        else
            fwrite(text, 1, (size_t)(next - text), out);
        text = next;
    }
}

static void put_line(const char *text, FILE *out)
{
    sheet_put(text, out);
    fputc('\n', out);
}

/* Where a number's whole part ends; NULL when the text does not begin with a number. */
static const char *number_point(const char *text)
{
    const char *at = text + strspn(text, "+-");
    size_t digits = strspn(at, "0123456789,");
    return digits ? at + digits : NULL;
}

/* How wide the cells of a column are: all of a cell, and before and after its decimal point. */
struct extent {
    int whole, before, after;
};

static struct extent cell_extent(const char *text, enum sheet_align align)
{
    const char *point = align == SHEET_NUMBER ? number_point(text) : NULL;
    int whole = sheet_width(text), before = point ? width_before(text, point) : 0;
    return (struct extent){whole, before, point ? whole - before : 0};
}

static struct extent column_extent(const struct sheet *sheet, int column)
{
    struct extent most = {.whole = sheet_width(sheet->column[column].header)};
    for (int row = 0; row < sheet->rows; row++) {
        struct extent cell =
            cell_extent(sheet_get(sheet, row, column), sheet->column[column].align);
        if (cell.whole > most.whole) most.whole = cell.whole;
        if (cell.before > most.before) most.before = cell.before;
        if (cell.after > most.after) most.after = cell.after;
    }
    if (most.before + most.after > most.whole) most.whole = most.before + most.after;
    return most;
}

/* Blanks are written only before the next text, so that no line ends in them. */
static void put_cell(const char *text, enum sheet_align align, struct extent column, int *blanks,
                     FILE *out)
{
    struct extent cell = cell_extent(text, align);
    int left = align == SHEET_LEFT ? 0 : column.whole - cell.whole;
    if (cell.before) left = column.whole - column.after - cell.before;
    *blanks += left;
    if (*text) {
        fprintf(out, "%*s", *blanks, "");
        sheet_put(text, out);
        *blanks = 0;
    }
    *blanks += column.whole - cell.whole - left + 2;
}

void sheet_text(const struct sheet *sheet, FILE *out)
{
    struct arena arena = {0};
    struct extent *extent = ARENA_ARRAY(&arena, struct extent, sheet->columns);
    int width = 2 * (sheet->columns - 1);
    for (int i = 0; i < sheet->columns; i++) {
        extent[i] = column_extent(sheet, i);
        width += extent[i].whole;
    }
    if (sheet->title) put_line(sheet->title, out);
    for (int row = -1; row < sheet->rows; row++) {
        int blanks = 0;
        for (int i = 0; i < sheet->columns; i++) {
            enum sheet_align align = sheet->column[i].align;
            const char *text = row < 0 ? sheet->column[i].header : sheet_get(sheet, row, i);
            if (row < 0 && align == SHEET_NUMBER) align = SHEET_RIGHT;
            put_cell(text, align, extent[i], &blanks, out);
        }
        fputc('\n', out);
        for (int i = 0; row < 0 && i < width; i++) fputs("─", out);
        if (row < 0) fputc('\n', out);
    }
    for (int i = 0; i < sheet->captions; i++) put_line(sheet->caption[i], out);
    arena_free(&arena);
}
