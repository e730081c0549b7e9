/* Helper functions for the output forms of a sheet, for example to align numbers. */
#include "results/sheet/sheet_form.h"

#include <string.h>

const char *sheet_point(const char *text)
{
    const char *at = text + strspn(text, "<+-");
    if (!strncmp(at, "−", sizeof "−" - 1)) at += sizeof "−" - 1;
    size_t digits = strspn(at, "0123456789,");
    if (!digits) return NULL;
    const char *unit = at + strspn(at, "0123456789,.");
    return *unit && strchr("KMGT", *unit) ? unit + 1 : at + digits;
}

const char *sheet_cell_point(const struct sheet *sheet, int row, int column)
{
    const enum sheet_align align = sheet->column[column].align;
    const char *text = sheet_get(sheet, row, column);
    if (align == SHEET_RIGHT) return text + strlen(text);
    const bool apart = sheet_at(sheet, row, column)->style & SHEET_APART;
    return align == SHEET_NUMBER && !apart ? sheet_point(text) : NULL;
}

const char *sheet_mark_of(const struct sheet *sheet, int row, int column)
{
    const char *mark = sheet_at(sheet, row, column)->mark;
    return mark ? mark : "";
}

bool sheet_is_bold(const struct sheet *sheet, int row, int column)
{
    return sheet_at(sheet, row, column)->style & SHEET_BOLD;
}

bool sheet_has_sections(const struct sheet *sheet)
{
    for (int row = 0; row < sheet->rows; row++)
        if (sheet->section[row]) return true;
    return false;
}

const struct sheet_group *sheet_group_of(const struct sheet *sheet, int column)
{
    for (int i = 0; i < sheet->groups; i++)
        if (column >= sheet->group[i].first &&
            column < sheet->group[i].first + sheet->group[i].count)
            return &sheet->group[i];
    return NULL;
}

const char *sheet_full_header(struct arena *arena, const struct sheet *sheet, int column)
{
    const struct sheet_group *group = sheet_group_of(sheet, column);
    const char *header = sheet->column[column].header;
    if (!group || !*group->header) return header;
    return *header ? arena_print(arena, "%s: %s", group->header, header) : group->header;
}
