/* The forms that a sheet can be printed in. */
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/sheet_form.h"

static const char *const names[] = {"text", "md", "latex", "csv", "html", NULL};

enum sheet_form sheet_form_read(const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) return (enum sheet_form)i;
    const char *near = word_nearest(name, names);
    die("there is no form \"%s\"%s%s%s (there are text, md, latex, csv, html)", name,
        near ? "; nearest is \"" : "", near ? near : "", near ? "\"" : "");
}

void sheet_print(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    static void (*const print[])(const struct sheet *, FILE *) = {
        [SHEET_TEXT] = sheet_text, [SHEET_MARKDOWN] = sheet_markdown, [SHEET_LATEX] = sheet_latex,
        [SHEET_CSV] = sheet_csv,   [SHEET_HTML] = sheet_html,
    };
    print[form](sheet, out);
}

void sheet_print_document(const struct sheet *sheet, enum sheet_form form, FILE *out)
{
    if (form == SHEET_LATEX)
        sheet_latex_document(sheet, out);
    else if (form == SHEET_HTML)
        sheet_html_document(sheet, out);
    else
        sheet_print(sheet, form, out);
}
