/* Prints a sheet in one of the output forms. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/config/word.h"
#include "results/sheet/escape.h"
#include "results/sheet/sheet_form.h"

static const struct {
    const char *name;
    bool math; /* mathematics is not changed to plain text */
    void (*print)(const struct sheet *, FILE *), (*document)(const struct sheet *, FILE *);
} forms[] = {
    [SHEET_TEXT] = {"text", false, sheet_text, sheet_text},
    [SHEET_MARKDOWN] = {"md", false, sheet_markdown, sheet_markdown},
    [SHEET_LATEX] = {"latex", true, sheet_latex, sheet_latex_document},
    [SHEET_CSV] = {"csv", true, sheet_csv, sheet_csv},
    [SHEET_HTML] = {"html", false, sheet_html, sheet_html_document},
};

enum sheet_form sheet_form_read(const char *name)
{
    const char *names[COUNT_OF(forms) + 1] = {NULL};
    struct arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (!strcmp(names[i] = forms[i].name, name)) return (enum sheet_form)i;
    char near[WORD_NEAR];
    die("there is no form \"%s\"%s; expected one of: %s", name, word_near(near, name, names),
        arena_join(&arena, names, COUNT_OF(forms), ", "));
}

/* Copies an array of the sheet, with mathematics as plain text (escape_plain). */
#define PLAIN(type, array, count, text)                                                            \
    do {                                                                                           \
        type *copy = ARENA_ARRAY(arena, type, count);                                              \
        for (int i = 0; i < (count); i++) copy[i] = from->array[i];                                \
        for (int i = 0; i < (count); i++) copy[i] text = escape_plain(arena, copy[i] text);        \
        sheet.array = copy;                                                                        \
    } while (0)

/* Returns a copy of the sheet for forms without mathematics. */
static struct sheet plain_sheet(struct arena *arena, const struct sheet *from)
{
    struct sheet sheet = *from;
    sheet.title = escape_plain(arena, from->title);
    PLAIN(struct sheet_cell, cell, from->rows * from->columns, .text);
    PLAIN(const char *, section, from->rows, );
    PLAIN(const char *, caption, from->captions, );
    PLAIN(struct sheet_column, column, from->columns, .header);
    PLAIN(struct sheet_group, group, from->groups, .header);
    return sheet;
}

static void print(const struct sheet *sheet, enum sheet_form form,
                  void (*put)(const struct sheet *, FILE *), FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    if (forms[form].math) {
        put(sheet, out);
    } else {
        const struct sheet plain = plain_sheet(&arena, sheet);
        put(&plain, out);
    }
}

bool sheet_shows_bold(enum sheet_form form, FILE *out)
{
    if (form != SHEET_TEXT) return form != SHEET_CSV;
    const char *plain = getenv("NO_COLOR");
    return out && mask_is_terminal(out) && !(plain && *plain);
}

void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    print(sheet, form, forms[form].print, out);
}

void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    print(sheet, form, forms[form].document, out);
}
