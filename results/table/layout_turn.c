/* A sheet with rows and columns changed: sections become groups of columns, groups sections. And a
 * sheet without some of its lines. */
#include <string.h>

#include "results/sheet/sheet.h"
#include "results/table/layout.h"
#include "results/table/table_maker.h"

static bool is_shown(const struct layout *layout, int line, const bool *only)
{
    bool shown = false;
    for (int f = 0; f < layout->factors; f++) {
        const int row = layout->line[line].row[f];
        shown |= row >= 0 && only[row];
    }
    return shown;
}

struct sheet *layout_keep(const struct sheet *from, const struct layout *layout, const bool *only,
                          struct arena *arena)
{
    int rows = 0;
    for (int i = 0; i < from->rows; i++) rows += is_shown(layout, i, only);
    struct sheet *sheet = sheet_new(arena, rows, from->columns), fresh = *sheet;
    *sheet = *from;
    sheet->rows = fresh.rows;
    sheet->cell = fresh.cell;
    sheet->mark = fresh.mark;
    sheet->style = fresh.style;
    sheet->rule = fresh.rule;
    sheet->section = fresh.section;
    sheet->spans = 0;
    sheet->span = NULL;
    const char *section = NULL;
    bool rule = false;
    for (int i = 0, at = 0; i < from->rows; i++) {
        if (from->section[i]) section = from->section[i];
        rule |= from->rule[i];
        if (!is_shown(layout, i, only)) continue;
        for (int k = 0; k < from->columns; k++) {
            const int cell = i * from->columns + k;
            sheet_set(sheet, at, k, from->cell[cell]);
            sheet_mark(sheet, at, k, from->mark[cell]);
            sheet_style(sheet, at, k, from->style[cell]);
        }
        for (int k = 0; k < from->spans; k++)
            if (from->span[k].row == i) {
                struct sheet_span span = from->span[k];
                span.row = at;
                sheet_span(arena, sheet, span);
            }
        sheet->section[at] = section; /* of the lines before it, when those are gone */
        sheet->rule[at] = rule && at;
        at++;
        section = NULL;
        rule = false;
    }
    sheet_caption(arena, sheet, "%d of %d lines are shown%s.", rows, from->rows,
                  layout->test.wanted || from->about_bold ? "; all are tested" : "");
    return sheet;
}

struct sheet *layout_turn(const struct sheet *from, const char *names, struct arena *arena)
{
    int first = names ? 1 : 0, rows = from->columns - first;
    bool decimals = false; /* in some row */
    struct sheet *sheet = sheet_new(arena, rows, from->rows + 1);
    sheet->title = from->title;
    sheet->name = from->name;
    sheet->missing = from->missing;
    sheet->captions = from->captions;
    sheet->caption = from->caption;
    sheet->sentence = from->sentence;
    sheet->about_bold = from->about_bold;
    sheet->column[0] = (struct sheet_column){names ? names : "", SHEET_LEFT, 0};
    for (int i = 0; i < rows; i++) decimals |= from->column[first + i].decimals > 0;
    for (int i = 0; i < rows; i++) {
        const bool whole = decimals && !from->column[first + i].decimals;
        sheet_set(sheet, i, 0, from->column[first + i].header);
        for (int k = 0; k < from->rows; k++) {
            int at = k * from->columns + first + i;
            sheet_set(sheet, i, 1 + k, from->cell[at]);
            sheet_mark(sheet, i, 1 + k, from->mark[at]);
            const bool apart = whole && from->cell[at] && !strchr(from->cell[at], '.');
            sheet_style(sheet, i, 1 + k, from->style[at] | (apart ? SHEET_APART : 0));
            if (from->column[first + i].decimals > sheet->column[1 + k].decimals)
                sheet->column[1 + k].decimals = from->column[first + i].decimals;
        }
    }
    for (int k = 0, count; k < from->rows; k += count) {
        for (count = 1; k + count < from->rows && !from->section[k + count];) count++;
        if (from->section[k]) sheet_group(arena, sheet, 1 + k, count, from->section[k]);
    }
    for (int k = 0; k < from->rows; k++) {
        sheet->column[1 + k].header = first ? sheet_get(from, k, 0) : "";
        sheet->column[1 + k].align = SHEET_NUMBER;
    }
    for (int i = 0; i < from->groups; i++) {
        int begin = from->group[i].first - first, end = begin + from->group[i].count;
        sheet->section[begin] = from->group[i].header;
        if (end < rows) sheet->rule[end] = true; /* the end of a section */
    }
    for (int i = 0; i < rows; i++)
        if (sheet->section[i]) sheet->rule[i] = false;
    return sheet;
}
