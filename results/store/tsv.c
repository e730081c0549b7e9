/* Reads and writes TSV files. The form of a file lists its columns. */
#include "results/store/tsv.h"

#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/number.h"

enum {
    COLUMNS = 10,    /* maximum number of columns */
    MOST = 100000000 /* maximum of a whole number */
};

static void put_cell(const struct tsv_form *form, int i, const struct tsv_column *column,
                     const void *cell, FILE *out)
{
    char digits[REAL_TEXT];
    if (column->cell >= TSV_INDEX) {
        fprintf(out, "%d", *(const int *)cell);
    } else if (column->cell == TSV_TEXT) {
        const char *text = *(const char *const *)cell;
        CHECK(!text[strcspn(text, "\t\r\n")], "%s %d: a tab or a line break in \"%s\"", form->what,
              i + 1, text);
        fputs(text, out);
    } else {
        const double number = *(const double *)cell;
        CHECK(isfinite(number) && (column->cell == TSV_NUMBER || number > 0), "%s %d has the %s %g",
              form->what, i + 1, column->name, number);
        real_print(number, digits);
        fputs(digits, out);
    }
}

static const void *cell_of(const struct tsv_form *form, const void *row, int i, int column)
{
    return (const char *)row + (size_t)i * form->bytes + form->column[column].offset;
}

void tsv_write(const char *path, const struct tsv_form *form, const void *row, int count)
{
    struct file_writer writer = file_create(path);
    const double *last =
        count && form->least < form->columns ? cell_of(form, row, 0, form->columns - 1) : NULL;
    const int columns = last && *last != 0 ? form->columns : form->least;
    for (int i = 0; i < count && columns < form->columns; i++) {
        const double *optional = cell_of(form, row, i, form->columns - 1);
        CHECK(*optional == 0, "%s %d has the %s %g; the first one has none", form->what, i + 1,
              form->column[form->columns - 1].name, *optional);
    }
    for (int i = -1; i < count; i++)
        for (int c = 0; c < columns; c++) {
            if (i < 0)
                fputs(form->column[c].name, writer.stream);
            else
                put_cell(form, i, &form->column[c], cell_of(form, row, i, c), writer.stream);
            fputc(c + 1 < columns ? '\t' : '\n', writer.stream);
        }
    file_commit(&writer);
}

/* Returns the names of the first `columns` columns. `between` joins the names, but `last` precedes
 * the last name. */
static const char *names(struct arena *arena, const struct tsv_form *form, int columns,
                         const char *between, const char *last)
{
    const char *list = NULL;
    for (int c = 0; c < columns; c++)
        list = arena_append(arena, list, c + 1 < columns ? between : last, form->column[c].name);
    return list;
}

/* Reads the text of a cell into *cell. Returns the reason why the text is invalid; NULL if it is
 * valid. */
static const char *read_cell(struct arena *arena, const struct tsv_column *column, const char *text,
                             void *cell)
{
    static const char *const expected[] = {[TSV_NUMBER] = "",
                                           [TSV_POSITIVE] = "; expected a number above 0",
                                           [TSV_INDEX] = "; expected a whole number from 1",
                                           [TSV_WHOLE] = "; expected a whole number from 0"};
    const bool whole = column->cell >= TSV_INDEX;
    double number;
    if (column->cell == TSV_TEXT) {
        *(const char **)cell = text;
        return NULL;
    }
    if (!real_parse(text, &number) || (column->cell == TSV_POSITIVE && number <= 0) ||
        (whole && (number < (column->cell == TSV_INDEX) || number > MOST || fmod(number, 1) != 0)))
        return arena_print(arena, "\"%.40s\" is not a %s%s", text, column->name,
                           expected[column->cell]);
    if (whole)
        *(int *)cell = (int)number;
    else
        *(double *)cell = number;
    return NULL;
}

/* Reads a line into *row. Returns the reason why the line is invalid; NULL if it is valid. */
static const char *read_line(struct arena *arena, const struct tsv_form *form, int columns,
                             char *line, void *row)
{
    const char *text[COLUMNS], *wrong = NULL;
    const int found = file_cut_columns(line, text, columns);
    if (found != columns)
        return arena_print(arena, "%d columns between tabs; expected %s", found,
                           names(arena, form, columns, ", ", " and "));
    for (int c = 0; c < columns && !wrong; c++)
        wrong = read_cell(arena, &form->column[c], text[c], (char *)row + form->column[c].offset);
    return wrong;
}

/* Returns the number of columns that the first line names; 0 if the line is not a header of the
 * form. */
static int read_header(struct arena *arena, const struct tsv_form *form, const char *line)
{
    for (int columns = form->columns; columns >= form->least; columns--)
        if (!strcmp(line, names(arena, form, columns, "\t", "\t"))) return columns;
    return 0;
}

void *tsv_read(struct arena *arena, const char *path, const struct tsv_form *form, char *text,
               size_t bytes, int *count, const char **problem)
{
    const bool torn = bytes && text[bytes - 1] != '\n';
    const char *wrong = NULL;
    int lines, columns = 0, at = 0;
    char **line = (char **)file_cut_lines(arena, text, bytes, &lines);
    char *rows = arena_alloc(arena, form->bytes * (size_t)(lines + 1)), *row = rows;
    for (; !wrong && at < lines; at++) {
        const char *next = at + 1 < lines ? line[at + 1] : text + bytes;
        if (torn && at == lines - 1) {
            wrong = "the line has no line break at its end; the file is truncated";
        } else if (line[at] + strlen(line[at]) + 1 != next) {
            wrong = "a NUL byte";
        } else if (at) {
            wrong = read_line(arena, form, columns, line[at], row);
            row += form->bytes;
        } else if (!(columns = read_header(arena, form, line[at]))) {
            wrong = arena_print(arena, "expected \"%s\", with tabs, as the first line",
                                names(arena, form, form->least, ", ", ", "));
        }
    }
    if (!wrong && lines < 2) {
        wrong = arena_print(arena, "there is no %s", form->what);
        at = lines + 1;
    }
    *count = lines - 1;
    if (wrong) *problem = arena_print(arena, "%s:%d: %s", path, at, wrong);
    return wrong ? NULL : rows;
}
