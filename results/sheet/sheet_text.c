/* Prints a sheet on a terminal. First measures all columns of the sheet, in terminal columns: a
 * digit has 1, a Han character 2. A row that is wider than the terminal is folded between columns
 * of the sheet. */

#include "core/base/fold.h"
#include "core/base/mask.h"
#include "core/base/mask_output.h"
#include "results/sheet/sheet_form.h"

int sheet_width(const char *text)
{
    return fold_width(text, NULL);
}

void sheet_put(const char *text, FILE *out)
{
    mask_put(text, out);
}

static void put_rule(int width, FILE *out)
{
    for (int i = 0; i < width; i++) fputs("─", out);
    fputc('\n', out);
}

/* The line that is being written. Blanks are counted and printed only before the next text, so that
 * no line ends with blanks. */
struct text_line {
    FILE *out;
    bool bold; /* the output shows bold */
    int blanks;
    int indent; /* of rows: in a section, INDENT */
};

static void line_put(struct text_line *line, const char *text, bool bold)
{
    if (!*text) return;
    fprintf(line->out, "%*s", line->blanks, "");
    line->blanks = 0;
    if (bold && line->bold) mask_pass(line->out, "\033[1m");
    sheet_put(text, line->out);
    if (bold && line->bold) mask_pass(line->out, "\033[0m");
}

static void line_end(struct text_line *line)
{
    fputc('\n', line->out);
    line->blanks = 0;
}

/* Returns the width of a cell. `point` is the sheet_cell_point of the cell, or NULL. */
static struct cell_width cell_extent(const char *text, const char *point, const char *mark)
{
    const int whole = sheet_width(text) + sheet_width(mark),
              before = point ? fold_width(text, point) : 0;
    return (struct cell_width){whole, before, point ? whole - before : 0};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

enum {
    INDENT = 2,     /* indentation of the rows of a section */
    FOLD_INDENT = 4 /* indentation of the further lines of a folded row */
};

struct cell_width sheet_cells_width(const struct sheet *sheet, int column)
{
    struct cell_width most = {0};
    for (int row = 0; row < sheet->rows; row++) {
        struct cell_width cell =
            cell_extent(sheet_get(sheet, row, column), sheet_cell_point(sheet, row, column),
                        sheet_mark_of(sheet, row, column));
        most.whole = larger(most.whole, cell.whole);
        most.before = larger(most.before, cell.before);
        most.after = larger(most.after, cell.after);
    }
    most.whole = larger(most.whole, most.before + most.after);
    return most;
}

static int span_width(const struct cell_width *extent, int first, int count)
{
    int width = 2 * (count - 1);
    for (int i = 0; i < count; i++) width += extent[first + i].whole;
    return width;
}

static void put_cell(struct text_line *line, const char *text, const char *point, const char *mark,
                     bool bold, enum sheet_align align, struct cell_width column)
{
    struct cell_width cell = cell_extent(text, point, mark);
    int left = 0;
    if (point)
        left = column.whole - column.after - cell.before;
    else if (align == SHEET_CENTER)
        left = (column.whole - cell.whole) / 2;
    else if (align != SHEET_LEFT)
        left = column.whole - cell.whole;
    line->blanks += left;
    line_put(line, text, bold);
    line_put(line, mark, bold);
    line->blanks += column.whole - cell.whole - left + 2;
}

/* The columns on one line of a folded row: `count` columns, from column `first` on. */
struct text_fold {
    int first, count;
};

static void put_groups(const struct sheet *sheet, const struct cell_width *extent,
                       struct text_fold fold, struct text_line *line)
{
    for (int under = 0; under < 2; under++) {
        line->blanks = fold.first ? FOLD_INDENT : 0;
        for (int i = fold.first; i < fold.first + fold.count; i++) {
            const struct sheet_group *group = sheet_group_of(sheet, i);
            if (!group || !*group->header) {
                line->blanks += extent[i].whole + 2;
                continue;
            }
            int span = span_width(extent, group->first, group->count),
                width = sheet_width(group->header);
            int left = under ? 0 : (span - width) / 2;
            line->blanks += left;
            if (under)
                for (int at = 0; at < span; at++) line_put(line, "─", false);
            else
                line_put(line, group->header, false);
            line->blanks += under ? 2 : span - width - left + 2;
            i += group->count - 1;
        }
        line_end(line);
    }
}

/* True for a further line of a folded row if all its cells are empty. */
static bool is_empty(const struct sheet *sheet, int row, struct text_fold fold)
{
    bool empty = fold.first > 0;
    for (int i = fold.first; i < fold.first + fold.count; i++) empty &= !*sheet_get(sheet, row, i);
    return empty;
}

/* Prints a cell that is alone on its line. Folds the text if it is wider than the terminal. */
static void put_alone(const char *text, const char *mark, const struct text_line *line)
{
    SCOPED(arena_free) struct arena arena = {0};
    fold_line(line->out, mask_columns(line->out), FOLD_INDENT + INDENT,
              arena_print(&arena, "%*s%s%s", FOLD_INDENT, "", text, mark));
}

/* Prints a row; -1: the headers. */
static void put_row(const struct sheet *sheet, int row, const struct cell_width *extent,
                    struct text_fold fold, struct text_line *line)
{
    const bool alone =
        row >= 0 && fold.first && fold.count == 1 && !sheet_is_bold(sheet, row, fold.first);
    if (alone && sheet->column[fold.first].align == SHEET_LEFT) {
        put_alone(sheet_get(sheet, row, fold.first), sheet_mark_of(sheet, row, fold.first), line);
        return;
    }
    line->blanks = fold.first ? FOLD_INDENT : line->indent;
    for (int i = fold.first; i < fold.first + fold.count; i++) {
        enum sheet_align align = sheet->column[i].align;
        struct cell_width column = extent[i];
        if (i == 0) column.whole -= line->indent;
        if (row < 0)
            put_cell(line, sheet->column[i].header, NULL, "", false, align, column);
        else
            put_cell(line, sheet_get(sheet, row, i), sheet_cell_point(sheet, row, i),
                     sheet_mark_of(sheet, row, i), sheet_is_bold(sheet, row, i), align, column);
    }
    line_end(line);
}

/* Divides the columns into folds of at most the given width. A group may be wider than that.
 * Returns the number of folds. */
static int fold_columns(const struct sheet *sheet, const struct cell_width *extent, int width,
                        struct text_fold *fold)
{
    int folds = 0;
    for (int at = 0; at < sheet->columns; folds++) {
        fold[folds] = (struct text_fold){at, 0};
        while (at < sheet->columns) {
            const struct sheet_group *group = sheet_group_of(sheet, at);
            const int count = (group ? group->first + group->count : at + 1) - fold[folds].first;
            const int needed = span_width(extent, fold[folds].first, count);
            if (fold[folds].count && needed + (folds ? FOLD_INDENT : 0) > width) break;
            fold[folds].count = count;
            at = fold[folds].first + count;
        }
    }
    return folds;
}

void sheet_text(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct text_line line = {.out = out, .bold = sheet_shows_bold(SHEET_TEXT, out)};
    struct cell_width *extent = ARENA_ARRAY(&arena, struct cell_width, sheet->columns);
    struct text_fold *fold = ARENA_ARRAY(&arena, struct text_fold, sheet->columns + 1);
    const int indent = sheet_has_sections(sheet) ? INDENT : 0, columns = mask_columns(out);
    for (int i = 0; i < sheet->columns; i++) {
        extent[i] = sheet_cells_width(sheet, i);
        extent[i].whole =
            larger(extent[i].whole + (i ? 0 : indent), sheet_width(sheet->column[i].header));
    }
    bool grouped = false;
    for (int i = 0; i < sheet->groups; i++) {
        const struct sheet_group *group = &sheet->group[i];
        const int lacks =
            sheet_width(group->header) - span_width(extent, group->first, group->count);
        extent[group->first + group->count - 1].whole += larger(lacks, 0);
        grouped |= *group->header != 0;
    }
    const int folds = fold_columns(sheet, extent, columns, fold);
    int width = 0;
    for (int f = 0; f < folds; f++)
        width =
            larger(width, span_width(extent, fold[f].first, fold[f].count) + (f ? FOLD_INDENT : 0));

    if (sheet->title) fold_line(out, columns, INDENT, sheet->title);
    for (int f = 0; f < folds; f++) {
        if (grouped) put_groups(sheet, extent, fold[f], &line);
        put_row(sheet, -1, extent, fold[f], &line);
    }
    put_rule(width, out);
    for (int row = 0; row < sheet->rows; row++) {
        if (sheet->rule[row] && row > 0) put_rule(width, out);
        if (sheet->section[row]) {
            line_put(&line, sheet->section[row], true);
            line_end(&line);
            line.indent = INDENT;
        }
        for (int f = 0; f < folds; f++)
            if (!is_empty(sheet, row, fold[f])) put_row(sheet, row, extent, fold[f], &line);
    }
    for (int i = 0; i < sheet->captions; i++)
        if (line.bold || sheet->about_bold != i + 1)
            fold_line(out, columns, INDENT, sheet->caption[i]);
}
