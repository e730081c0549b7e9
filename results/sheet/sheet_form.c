/* Prints a sheet in one of the output forms, and finds the parts of cells for all forms. */
#include "results/sheet/sheet_form.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mask_output.h"

const char *const sheet_forms[] = {"text", "md", "latex", "csv", "html", NULL};
static const struct {
    void (*print)(const struct sheet *, FILE *), (*document)(const struct sheet *, FILE *);
} forms[] = {
    [SHEET_TEXT] = {sheet_text, sheet_text},
    [SHEET_MARKDOWN] = {sheet_markdown, sheet_markdown},
    [SHEET_LATEX] = {sheet_latex, sheet_latex_document},
    [SHEET_CSV] = {sheet_csv, sheet_csv},
    [SHEET_HTML] = {sheet_html, sheet_html_document},
};

bool sheet_shows_bold(enum sheet_form form, FILE *out)
{
    if (form != SHEET_TEXT) return form != SHEET_CSV;
    const char *plain = getenv("NO_COLOR");
    return out && mask_is_terminal(out) && !(plain && *plain);
}

void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    forms[form].print(sheet, out);
}

void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    forms[form].document(sheet, out);
}

/* Returns the part of a text after its point; NULL if the text does not begin with a number. */
static const char *find_point(const char *text)
{
    const char *at = text + strspn(text, "<+-");
    if (!strncmp(at, "−", sizeof "−" - 1)) at += sizeof "−" - 1;
    const size_t digits = strspn(at, "0123456789,");
    const char *unit = at + strspn(at, "0123456789,.");
    if (!digits) return NULL;
    return *unit && strchr("KMGT", *unit) ? unit + 1 : at + digits;
}

struct cell_parts sheet_parts(const struct sheet *sheet, int row, int column)
{
    const struct sheet_cell *cell = sheet_at(sheet, row, column);
    const enum sheet_align align = sheet->column[column].align;
    const char *text = sheet_get(sheet, row, column);
    struct cell_parts parts = {
        .text = text, .mark = cell->mark ? cell->mark : "", .bold = cell->style & SHEET_BOLD};
    if (align == SHEET_RIGHT) parts.point = text + strlen(text);
    if (align == SHEET_NUMBER && !(cell->style & SHEET_APART)) parts.point = find_point(text);
    if (parts.point) parts.after = sheet_width(parts.point) + sheet_width(parts.mark);
    return parts;
}

int sheet_after(const struct sheet *sheet, int column)
{
    int most = 0, least = 1 << 20;
    for (int row = 0; row < sheet->rows; row++) {
        const struct cell_parts parts = sheet_parts(sheet, row, column);
        if (!parts.point) continue;
        if (parts.after > most) most = parts.after;
        if (parts.after < least) least = parts.after;
    }
    return most == least ? 0 : most;
}

int sheet_cells_width(const struct sheet *sheet, int column)
{
    const int after = sheet_after(sheet, column);
    int most = 0;
    for (int row = 0; row < sheet->rows; row++) {
        const struct cell_parts parts = sheet_parts(sheet, row, column);
        const int width = sheet_width(parts.text) + sheet_width(parts.mark) +
                          (parts.point && after ? after - parts.after : 0);
        if (width > most) most = width;
    }
    return most;
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
