/* The forms that a sheet can be printed in. */
#include <string.h>

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
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (!strcmp(names[i] = forms[i].name, name)) return (enum sheet_form)i;
    const char *near = word_nearest(name, names);
    die("there is no form \"%s\"%s%s%s (there are text, md, latex, csv, html)", name,
        near ? "; nearest is \"" : "", near ? near : "", near ? "\"" : "");
}

void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    forms[form].print(sheet, out);
}

void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    forms[form].document(sheet, out);
}
