/* Prints a sheet as HTML: a scrolling box with the table, and the captions below it. For screen
 * readers, headers have the attribute scope, and the title is the <caption> of the table. */
#include <string.h>

#include "results/sheet/escape.h"
#include "results/sheet/page.h"
#include "results/sheet/sheet_form.h"

static const char *const align_class[] = {[SHEET_LEFT] = " class=\"text\"",
                                          [SHEET_RIGHT] = " class=\"right\"",
                                          [SHEET_NUMBER] = " class=\"right\"",
                                          [SHEET_CENTER] = " class=\"center\""};

enum { SHORT = 24 }; /* width of the longest row name that is kept on one line */

/* Returns the largest width of the text after the point of alignment in a column, with its mark, in
 * digits. Returns 0 if no cell has such a point. Also returns 0 if these texts all have the same
 * width, because the numbers are then aligned without padding. */
static int column_after(const struct sheet *sheet, int column)
{
    int most = 0, least = 1 << 20;
    for (int row = 0; row < sheet->rows; row++) {
        const char *point = sheet_cell_point(sheet, row, column);
        if (!point) continue;
        int after = sheet_width(point) + sheet_width(sheet_mark_of(sheet, row, column));
        if (after > most) most = after;
        if (after < least) least = after;
    }
    return most == least ? 0 : most;
}

/* Prints a text whose line may be broken after each bar. Signatures are long and have bars, but no
 * blanks. */
static void put_breakable(const char *text, struct arena *arena, FILE *out)
{
    for (const char *bar; (bar = strchr(text, '|')); text = bar + 1) {
        escape_html(arena_text_range(arena, text, (size_t)(bar + 1 - text)), out);
        fputs("<wbr>", out);
    }
    escape_html(text, out);
}

static void put_marked(const char *text, const char *mark, bool bold, struct arena *arena,
                       FILE *out)
{
    fputs(bold ? "<strong>" : "", out);
    put_breakable(text, arena, out);
    if (*mark) page_put("<sup>", mark, "</sup>", out);
    fputs(bold ? "</strong>" : "", out);
}

static void put_cell(const struct sheet *sheet, int row, int column, int after, struct arena *arena,
                     FILE *out)
{
    const char *text = sheet_get(sheet, row, column), *mark = sheet_mark_of(sheet, row, column);
    const char *point = after ? sheet_cell_point(sheet, row, column) : NULL;
    bool bold = sheet_is_bold(sheet, row, column), head = column == sheet->names;
    if (head)
        fputs(sheet_width(text) <= SHORT ? "<th scope=\"row\" class=\"short\">"
                                         : "<th scope=\"row\">",
              out);
    else
        fprintf(out, "<td%s>", align_class[sheet->column[column].align]);
    if (point) { /* the unit "ch" of the width is a digit that is not bold */
        put_marked(arena_text_range(arena, text, (size_t)(point - text)), "", bold, arena, out);
        fprintf(out, "<span class=\"after\" style=\"min-width:%dch\">", after);
        put_marked(point, mark, bold, arena, out);
        fputs("</span>", out);
    } else {
        put_marked(text, mark, bold, arena, out);
    }
    fputs(head ? "</th>" : "</td>", out);
}

static void put_groups(const struct sheet *sheet, FILE *out)
{
    fputs("<tr>", out);
    for (int i = 0; i < sheet->columns; i++) {
        const struct sheet_group *group = sheet_group_of(sheet, i);
        if (!group || !*group->header) {
            fputs("<td></td>", out);
            continue;
        }
        fprintf(out, "<th scope=\"colgroup\" colspan=\"%d\">", group->count);
        page_put("", group->header, "</th>", out);
        i += group->count - 1;
    }
    fputs("</tr>\n", out);
}

static void put_head(const struct sheet *sheet, FILE *out)
{
    fputs("<thead>\n", out);
    if (sheet->groups) put_groups(sheet, out);
    fputs("<tr>", out);
    for (int i = 0; i < sheet->columns; i++) {
        const char *header = sheet->column[i].header;
        fprintf(out, *header ? "<th scope=\"col\"%s>" : "<td%s>",
                align_class[sheet->column[i].align]);
        page_put("", header, *header ? "</th>" : "</td>", out);
    }
    fputs("</tr>\n</thead>\n", out);
}

static void put_body(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    int *after = ARENA_ARRAY(&arena, int, sheet->columns);
    for (int i = 0; i < sheet->columns; i++) after[i] = column_after(sheet, i);
    fputs("<tbody>\n", out);
    for (int row = 0; row < sheet->rows; row++) {
        if (sheet->section[row]) {
            if (row) fputs("</tbody>\n<tbody>\n", out);
            fprintf(out, "<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"%d\">",
                    sheet->columns);
            page_put("", sheet->section[row], "</th></tr>\n", out);
        }
        bool rule = sheet->rule[row] && row && !sheet->section[row];
        fputs(rule ? "<tr class=\"rule\">" : "<tr>", out);
        for (int i = 0; i < sheet->columns; i++) put_cell(sheet, row, i, after[i], &arena, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n", out);
}

void sheet_html(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    page_put("<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"",
             sheet->title ? sheet->title : "Table", "\">\n<table>\n", out);
    if (sheet->title) page_put("<caption>", sheet->title, "</caption>\n", out);
    put_head(sheet, out);
    put_body(sheet, out);
    fputs("</table>\n</div>\n", out);
    fputs(sheet->captions ? "<figcaption>\n" : "", out);
    for (int i = 0; i < sheet->captions; i++) {
        fputs("<p>", out);
        put_breakable(sheet->caption[i], &arena, out);
        fputs("</p>\n", out);
    }
    fputs(sheet->captions ? "</figcaption>\n</figure>\n" : "</figure>\n", out);
}

void sheet_html_document(const struct sheet *sheet, FILE *out)
{
    const char *title = sheet->title ? sheet->title : sheet->name ? sheet->name : "Table";
    struct sheet untitled = *sheet;
    untitled.title = NULL;
    page_begin(title, 0, out);
    page_put("<h1>", title, "</h1>\n", out);
    sheet_html(&untitled, out);
    page_end(out);
}
