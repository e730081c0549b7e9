#include "results/sheet_form.h"

#include <string.h>

#include "core/config/word.h"

static const char *const names[] = {"text", "md", "latex", "csv", "html", NULL};

enum sheet_form sheet_form_read(const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) return (enum sheet_form)i;
    const char *near = word_nearest(name, names);
    die("there is no form \"%s\"%s%s%s (there are text, md, latex, csv, html)", name,
        near ? "; nearest is \"" : "", near ? near : "", near ? "\"" : "");
}

void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    static void (*const print[])(const struct sheet *, FILE *) = {
        [SHEET_TEXT] = sheet_text, [SHEET_MARKDOWN] = sheet_markdown, [SHEET_LATEX] = sheet_latex,
        [SHEET_CSV] = sheet_csv,   [SHEET_HTML] = sheet_html,
    };
    print[form](sheet, out);
}

void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    if (form == SHEET_LATEX)
        sheet_latex_document(sheet, out);
    else if (form == SHEET_HTML)
        sheet_html_document(sheet, out);
    else
        sheet_print(sheet, form, out);
}

const char *sheet_point(const char *text)
{
    const char *at = text + strspn(text, "<+-");
    if (!strncmp(at, "−", sizeof "−" - 1)) at += sizeof "−" - 1;
    size_t digits = strspn(at, "0123456789,");
    if (!digits) return NULL;
    const char *unit = at + strspn(at, "0123456789,.");
    return *unit && strchr("KMGT", *unit) ? unit + 1 : at + digits;
}

const char *sheet_mark_of(const struct sheet *sheet, int row, int column)
{
    const char *mark = sheet->mark[row * sheet->columns + column];
    return mark ? mark : "";
}

bool sheet_is_bold(const struct sheet *sheet, int row, int column)
{
    return sheet->style[row * sheet->columns + column] & SHEET_BOLD;
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
