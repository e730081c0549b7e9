/* Prints a sheet as CSV for programs: a header line and one line per row. All lines have the same
 * number of fields. */
#include <string.h>

#include "core/base/number.h"
#include "results/sheet/escape.h"
#include "results/sheet/sheet_form.h"

/* The CSV columns for one column of numbers. Example: a cell of the column BLEU is "36.12 ± 0.21
 * (3)†". In CSV, BLEU is 36.12, "BLEU sd" is 0.21, "BLEU n" is 3, and "BLEU mark" is †. "BLEU note"
 * has other text of cells, such as "running" or "1/3, 1 failed". A CSV column that is empty in
 * every row is omitted, except the column of values. */
enum csv_field { FIELD_VALUE, FIELD_DEVIATION, FIELD_COUNT, FIELD_NOTE, FIELD_MARK, FIELDS };

static const char *const field_suffix[FIELDS] = {"", " sd", " n", " note", " mark"};

struct csv_fields {
    const char *text[FIELDS]; /* NULL: none */
};

/* Returns the number at *text, without plus sign and commas; NULL if it is invalid. Moves *text to
 * the end of the number. */
static const char *take_number(struct arena *arena, const char **text)
{
    const char *at = *text + (**text == '+');
    const size_t length = strspn(at, "0123456789,.eE+-");
    char *number = arena_text_range(arena, at, length), *to = number;
    for (const char *from = number; *from; from++)
        if (*from != ',') *to++ = *from;
    *to = 0;
    *text = at + length;
    return number_valid(number) ? number : NULL;
}

/* Splits a cell of the form "1.2 ± 0.3 (words)" into fields. A text of any other form becomes the
 * note. */
static struct csv_fields split(struct arena *arena, const char *text)
{
    static const char between[] = " ± ";
    const struct csv_fields note = {.text = {[FIELD_NOTE] = *text ? text : NULL}};
    struct csv_fields fields = {0};
    const char *at = text;
    if (!(fields.text[FIELD_VALUE] = take_number(arena, &at))) return note;
    if (!strncmp(at, between, sizeof between - 1)) {
        at += sizeof between - 1;
        if (!(fields.text[FIELD_DEVIATION] = take_number(arena, &at))) return note;
    }
    size_t length = strlen(at);
    if (length > 3 && !strncmp(at, " (", 2) && at[length - 1] == ')') {
        const char *inner = arena_text_range(arena, at + 2, length - 3);
        bool count = strspn(inner, "0123456789") == strlen(inner);
        fields.text[count ? FIELD_COUNT : FIELD_NOTE] = inner;
        at += length;
    }
    return *at ? note : fields;
}

/* Returns the CSV fields of one cell. */
static struct csv_fields row_fields(struct arena *arena, const struct sheet *sheet, int row,
                                    int column, bool numbers)
{
    const struct sheet_cell *cell = sheet_at(sheet, row, column);
    struct csv_fields fields = {0};
    if (cell->text && numbers) fields = split(arena, cell->text);
    if (cell->text && !numbers) fields.text[FIELD_VALUE] = cell->text;
    if (cell->seeds) fields.text[FIELD_COUNT] = arena_print(arena, "%d", cell->seeds);
    if (cell->note) fields.text[FIELD_NOTE] = cell->note;
    if (cell->mark && *cell->mark) fields.text[FIELD_MARK] = cell->mark;
    return fields;
}

static bool column_has_numbers(struct arena *arena, const struct sheet *sheet, int column)
{
    enum sheet_align align = sheet->column[column].align;
    for (int row = 0; row < sheet->rows && (align == SHEET_NUMBER || align == SHEET_RIGHT); row++)
        if (row_fields(arena, sheet, row, column, true).text[FIELD_VALUE]) return true;
    return false;
}

static void put_field(const char *text, bool *first, FILE *out)
{
    if (!*first) fputc(',', out);
    *first = false;
    if (text) escape_csv(text, out);
}

void sheet_csv(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    bool sections = sheet_has_sections(sheet);
    bool *numbers = ARENA_ARRAY(&arena, bool, sheet->columns);
    bool(*used)[FIELDS] = arena_alloc(&arena, sizeof *used * (size_t)sheet->columns);
    for (int i = 0; i < sheet->columns; i++) {
        numbers[i] = column_has_numbers(&arena, sheet, i);
        used[i][FIELD_VALUE] = true;
        for (int row = 0; row < sheet->rows; row++) {
            struct csv_fields fields = row_fields(&arena, sheet, row, i, numbers[i]);
            for (int field = 0; field < FIELDS; field++)
                used[i][field] |= fields.text[field] != NULL;
        }
    }
    const char *section = NULL;
    for (int row = -1; row < sheet->rows; row++) {
        bool first = true;
        if (row >= 0 && sheet->section[row]) section = sheet->section[row];
        if (sections) put_field(row < 0 ? "section" : section, &first, out);
        for (int i = 0; i < sheet->columns; i++) {
            const char *header = sheet_full_header(&arena, sheet, i);
            if (!*header && i == sheet->names) header = "row";
            struct csv_fields fields = {0};
            if (row >= 0) fields = row_fields(&arena, sheet, row, i, numbers[i]);
            for (int field = 0; field < FIELDS; field++)
                if (used[i][field])
                    put_field(row < 0 ? arena_print(&arena, "%s%s", header, field_suffix[field])
                                      : fields.text[field],
                              &first, out);
        }
        fputs("\r\n", out);
    }
}
