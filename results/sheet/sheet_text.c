/* Prints a sheet on a terminal. Widths are in terminal columns: a digit has 1, a Han character 2. A
 * row that is wider than the terminal is folded between columns of the sheet. */
#include "core/base/fold.h"
#include "core/base/mask.h"
#include "core/base/mask_output.h"
#include "results/sheet/sheet_form.h"

enum {
    INDENT = 2,     /* indentation of the rows of a section */
    FOLD_INDENT = 4 /* indentation of the further lines of a folded row */
};

int sheet_width(const char *text)
{
    return fold_width(text, NULL);
}

void sheet_put(const char *text, FILE *out)
{
    mask_put(text, out);
}

/* A table that is being printed. */
struct text_table {
    const struct sheet *sheet;
    FILE *out;
    bool bold;    /* the output shows bold */
    bool grouped; /* some group has a heading */
    int at;       /* width of the line so far */
    int folds;    /* number of lines of a row */
    struct text_column {
        int width, after; /* after: sheet_after */
        int fold, x;      /* line of the row, and place in this line */
    } * column;           /* [columns] */
};

/* Prints a text at a place of the line. */
static void put(struct text_table *table, int x, const char *text, bool bold)
{
    if (!*text) return;
    fprintf(table->out, "%*s", x - table->at, "");
    if (bold && table->bold) mask_pass(table->out, "\033[1m");
    sheet_put(text, table->out);
    if (bold && table->bold) mask_pass(table->out, "\033[0m");
    table->at = x + sheet_width(text);
}

static void end_line(struct text_table *table)
{
    fputc('\n', table->out);
    table->at = 0;
}

static void put_rule(struct text_table *table, int x, int width)
{
    for (int i = 0; i < width; i++) put(table, x + i, "─", false);
}

/* Returns the width of adjacent columns. */
static int span(const struct text_table *table, int first, int count)
{
    int width = 2 * (count - 1);
    for (int i = first; i < first + count; i++) width += table->column[i].width;
    return width;
}

static void measure(struct text_table *table)
{
    const struct sheet *sheet = table->sheet;
    for (int i = 0; i < sheet->columns; i++) {
        struct text_column *column = &table->column[i];
        const int header = sheet_width(sheet->column[i].header);
        column->after = sheet_after(sheet, i);
        column->width =
            sheet_cells_width(sheet, i) + (!i && sheet_has_sections(sheet) ? INDENT : 0);
        if (header > column->width) column->width = header;
    }
    for (int i = 0; i < sheet->groups; i++) {
        const struct sheet_group *group = &sheet->group[i];
        const int lacks = sheet_width(group->header) - span(table, group->first, group->count);
        if (lacks > 0) table->column[group->first + group->count - 1].width += lacks;
        table->grouped |= *group->header != 0;
    }
}

/* Places the columns in lines of at most `columns`. A group, or a column, may be wider. Returns the
 * width of the longest line. */
static int place(struct text_table *table, int columns)
{
    int x = 0, most = 0;
    for (int i = 0, count; i < table->sheet->columns; i += count) {
        const struct sheet_group *group = sheet_group_of(table->sheet, i);
        count = group ? group->count : 1;
        if (i && x + span(table, i, count) > columns) {
            table->folds++;
            x = FOLD_INDENT;
        }
        for (int k = i; k < i + count; k++) {
            table->column[k].fold = table->folds;
            table->column[k].x = x;
            x += table->column[k].width + 2;
        }
        if (x - 2 > most) most = x - 2;
    }
    table->folds++;
    return most;
}

static void put_groups(struct text_table *table, int fold)
{
    for (int under = 0; under < 2 && table->grouped; under++) {
        for (int i = 0; i < table->sheet->groups; i++) {
            const struct sheet_group *group = &table->sheet->group[i];
            const struct text_column *first = &table->column[group->first];
            const int width = span(table, group->first, group->count);
            if (first->fold != fold || !*group->header) continue;
            if (under)
                put_rule(table, first->x, width);
            else
                put(table, first->x + (width - sheet_width(group->header)) / 2, group->header,
                    false);
        }
        end_line(table);
    }
}

/* Prints a cell; row -1: the header. */
static void put_cell(struct text_table *table, int row, int i, int indent)
{
    const struct text_column *column = &table->column[i];
    const enum sheet_align align = table->sheet->column[i].align;
    struct cell_parts cell = {.text = table->sheet->column[i].header, .mark = ""};
    if (row >= 0) cell = sheet_parts(table->sheet, row, i);
    const int width = sheet_width(cell.text) + sheet_width(cell.mark);
    int left = column->width - width;
    if (cell.point && column->after) left -= column->after - cell.after;
    if (align == SHEET_CENTER) left /= 2;
    if (align == SHEET_LEFT) left = i ? 0 : indent;
    put(table, column->x + left, cell.text, cell.bold);
    put(table, column->x + left + width - sheet_width(cell.mark), cell.mark, cell.bold);
}

/* Prints the lines of a row; row -1: the headers. A text that is alone in its line is folded. A
 * further line without any text is left out. */
static void put_row(struct text_table *table, int row, int indent)
{
    const struct sheet *sheet = table->sheet;
    for (int fold = 0, i = 0; fold < table->folds; fold++) {
        const int first = i;
        bool empty = fold && row >= 0;
        for (; i < sheet->columns && table->column[i].fold == fold; i++)
            empty &= row >= 0 && !*sheet_parts(sheet, row, i).text;
        if (row < 0) put_groups(table, fold);
        if (empty) continue;
        if (row >= 0 && fold && i == first + 1 && sheet->column[first].align == SHEET_LEFT) {
            SCOPED(arena_free) struct arena arena = {0};
            const struct cell_parts cell = sheet_parts(sheet, row, first);
            fold_line(table->out, mask_columns(table->out), FOLD_INDENT + INDENT,
                      arena_print(&arena, "%*s%s%s", FOLD_INDENT, "", cell.text, cell.mark));
            continue;
        }
        for (int k = first; k < i; k++) put_cell(table, row, k, indent);
        end_line(table);
    }
}

void sheet_text(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct text_table table = {.sheet = sheet,
                               .out = out,
                               .bold = sheet_shows_bold(SHEET_TEXT, out),
                               .column = ARENA_ARRAY(&arena, struct text_column, sheet->columns)};
    const int columns = mask_columns(out);
    measure(&table);
    const int width = place(&table, columns);
    if (sheet->title) fold_line(out, columns, INDENT, sheet->title);
    put_row(&table, -1, 0);
    put_rule(&table, 0, width);
    end_line(&table);
    for (int row = 0, indent = 0; row < sheet->rows; row++) {
        if (sheet->rule[row] && row > 0) {
            put_rule(&table, 0, width);
            end_line(&table);
        }
        if (sheet->section[row]) {
            put(&table, 0, sheet->section[row], true);
            end_line(&table);
            indent = INDENT;
        }
        put_row(&table, row, indent);
    }
    for (int i = 0; i < sheet->captions; i++)
        if (table.bold || sheet->about_bold != i + 1)
            fold_line(out, columns, INDENT, sheet->caption[i]);
}
