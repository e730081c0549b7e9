/* Prints a sheet in one of the output forms. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/config/word.h"
#include "results/sheet/sheet_form.h"

static const struct {
    const char *name;
    void (*print)(const struct sheet *, FILE *), (*document)(const struct sheet *, FILE *);
} forms[] = {
    [SHEET_TEXT] = {"text", sheet_text, sheet_text},
    [SHEET_MARKDOWN] = {"md", sheet_markdown, sheet_markdown},
    [SHEET_LATEX] = {"latex", sheet_latex, sheet_latex_document},
    [SHEET_CSV] = {"csv", sheet_csv, sheet_csv},
    [SHEET_HTML] = {"html", sheet_html, sheet_html_document},
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
