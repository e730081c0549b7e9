/* Prints a sheet as a table of GitHub's Markdown. The header of a group is a prefix of its columns'
 * headers, and the heading of a section is a row. */
#include "results/sheet/escape.h"
#include "results/sheet/sheet_form.h"

/* Returns a cell as Markdown. The caller measures the widths of all cells before it prints them. */
static const char *cell_markdown(struct arena *arena, const char *text, const char *mark, bool bold)
{
    ARENA_STREAM(cell);
    const char *strong = bold && *text ? "**" : "";
    fputs(strong, cell.out);
    escape_markdown(text, cell.out);
    if (*mark) escape_markdown(mark, cell.out);
    fputs(strong, cell.out);
    return arena_stream_close(arena, &cell);
}

static void put_cells(const struct sheet *sheet, const char **cell, const int *width, FILE *out)
{
    for (int i = 0; i < sheet->columns; i++) {
        enum sheet_align align = sheet->column[i].align;
        int blanks = width[i] - sheet_width(cell[i]);
        int left = align == SHEET_LEFT ? 0 : align == SHEET_CENTER ? blanks / 2 : blanks;
        fprintf(out, "| %*s%s%*s ", left, "", cell[i], blanks - left, "");
    }
    fputs("|\n", out);
}

static void put_dashes(const struct sheet *sheet, const int *width, FILE *out)
{
    for (int i = 0; i < sheet->columns; i++) {
        enum sheet_align align = sheet->column[i].align;
        bool right = align != SHEET_LEFT, left = align == SHEET_CENTER;
        fputs(left ? "|:" : "|-", out);
        for (int at = 0; at < width[i]; at++) fputc('-', out);
        fputs(right ? ":" : "-", out);
    }
    fputs("|\n", out);
}

static void put_section(const struct sheet *sheet, const char **cell, const char *section,
                        const int *width, struct arena *arena, FILE *out)
{
    for (int i = 0; i < sheet->columns; i++)
        cell[i] = i ? "" : cell_markdown(arena, section, "", true);
    put_cells(sheet, cell, width, out);
}

static void widen(int *width, const char *text)
{
    int wanted = sheet_width(text);
    if (wanted > *width) *width = wanted;
}

void sheet_markdown(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    int columns = sheet->columns;
    const char **header = ARENA_ARRAY(&arena, const char *, columns);
    const char **cell = ARENA_ARRAY(&arena, const char *, columns *(sheet->rows + 1));
    int *width = ARENA_ARRAY(&arena, int, columns);
    for (int i = 0; i < columns; i++) {
        header[i] = cell_markdown(&arena, sheet_full_header(&arena, sheet, i), "", false);
        widen(&width[i], header[i]);
        for (int row = 0; row < sheet->rows; row++) {
            const char *text =
                cell_markdown(&arena, sheet_get(sheet, row, i), sheet_mark_of(sheet, row, i),
                              sheet_is_bold(sheet, row, i));
            cell[row * columns + i] = text;
            widen(&width[i], text);
        }
    }
    for (int row = 0; row < sheet->rows; row++)
        if (sheet->section[row])
            widen(&width[0], cell_markdown(&arena, sheet->section[row], "", true));

    if (sheet->title) fprintf(out, "%s\n\n", cell_markdown(&arena, sheet->title, "", true));
    put_cells(sheet, header, width, out);
    put_dashes(sheet, width, out);
    for (int row = 0; row < sheet->rows; row++) {
        if (sheet->section[row])
            put_section(sheet, header, sheet->section[row], width, &arena, out);
        put_cells(sheet, cell + row * columns, width, out);
    }
    for (int i = 0; i < sheet->captions; i++) {
        fputs(i ? "\\\n" : "\n", out);
        escape_markdown_line(sheet->caption[i], out);
    }
    if (sheet->captions) fputc('\n', out);
}
