/* Prints a sheet as a LaTeX table for papers, without vertical rules. The table needs only the
 * package booktabs and, if it is wide, graphicx. */
#include <ctype.h>
#include <string.h>

#include "results/sheet/escape.h"
#include "results/sheet/sheet_form.h"

/* Approximate widths in characters. A table wider than NARROW spans both columns of a paper; a
 * table wider than PAGE may be scaled down (put_wide). */
enum { NARROW = 48, PAGE = 80 };

struct latex {
    const struct sheet *sheet;
    FILE *out;
    bool *split; /* [columns] true: it becomes two LaTeX columns */
    int *pad;    /* [columns] width of the header minus width of the numbers, in digits. put_cell
                    indents the first number by half of it, and then sets it to 0 */
    int columns; /* number of LaTeX columns */
    int width;   /* approximate width of the table, in characters */
};

/* Returns the text of a cell from the point at which numbers are aligned; NULL if the cell is no
 * number. This text is in a second LaTeX column (r@{}l) if any cell of the column has decimals, a
 * mark or other text there. So decimal points are aligned in any font, also in bold, and marks do
 * not shift the numbers. */
static const char *cell_point(const struct sheet *sheet, int row, int column)
{
    const char *text = sheet_get(sheet, row, column);
    return sheet->column[column].align == SHEET_RIGHT ? text + strlen(text)
                                                      : sheet_cell_point(sheet, row, column);
}

static void measure_column(struct latex *latex, int column)
{
    const struct sheet *sheet = latex->sheet;
    int most = 0, header = sheet_width(sheet->column[column].header);
    for (int row = 0; row < sheet->rows; row++) {
        if (sheet_span_at(sheet, row, column)) continue;
        const char *mark = sheet_mark_of(sheet, row, column);
        const char *point = cell_point(sheet, row, column);
        if (point && (*point || *mark)) latex->split[column] = true;
        int width = sheet_width(sheet_get(sheet, row, column)) + sheet_width(mark);
        if (width > most) most = width;
    }
    if (latex->split[column] && header > most + 1) latex->pad[column] = header - most;
    latex->columns += latex->split[column] ? 2 : 1;
    latex->width += 2 + (header > most ? header : most);
}

/* Prints a mark: known marks as mathematics, any other mark as text. */
static void put_mark(const char *mark, FILE *out)
{
    static const char *const known[][2] = {
        {"†", "\\dagger"},
        {"‡", "\\ddagger"},
        {"*", "{*}"},
        {"**", "{*}{*}"},
        {"△", "\\triangle"},
        {"△△", "\\triangle\\triangle"},
        {"▽", "\\bigtriangledown"},
        {"▽▽", "\\bigtriangledown\\bigtriangledown"},
        {"⇑", "\\Uparrow"},
        {"↑", "\\uparrow"},
        {"⇓", "\\Downarrow"},
        {"↓", "\\downarrow"},
    };
    if (!*mark) return;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (!strcmp(known[i][0], mark)) {
            fprintf(out, "$^{%s}$", known[i][1]);
            return;
        }
    fputs("\\textsuperscript{", out);
    escape_latex(mark, out);
    fputc('}', out);
}

/* Prints a text. The minus of a number becomes $-$, which is as wide as a plus. */
static void put_text(const char *text, bool number, bool bold, FILE *out)
{
    if (!*text) return;
    if (bold) fputs("\\textbf{", out);
    if (number && *text == '-') {
        fputs("$-$", out);
        text++;
    }
    escape_latex(text, out);
    if (bold) fputc('}', out);
}

static void put_whole(const char *text, const char *mark, bool bold, FILE *out)
{
    if (strcmp(text, "-"))
        put_text(text, sheet_point(text) != NULL, bold, out);
    else
        fputs("--", out);
    put_mark(mark, out);
}

static void put_cell(const struct latex *latex, int row, int column, struct arena *arena)
{
    const struct sheet *sheet = latex->sheet;
    const char *text = sheet_get(sheet, row, column), *mark = sheet_mark_of(sheet, row, column);
    const char *point = cell_point(sheet, row, column);
    bool bold = sheet_is_bold(sheet, row, column);
    if (!latex->split[column]) {
        put_whole(text, mark, bold, latex->out);
    } else if (!*text && !*mark) {
        fputs(" & ", latex->out);
    } else if (!point) {
        bool missing = !strcmp(text, sheet->missing);
        fprintf(latex->out, "\\multicolumn{2}{%c}{", missing ? 'c' : 'r');
        put_whole(text, mark, bold, latex->out);
        fputc('}', latex->out);
    } else {
        const char *before = arena_text_range(arena, text, (size_t)(point - text));
        if (latex->pad[column]) /* pads by half of the difference; a digit is half an em wide */
            fprintf(latex->out, "\\hspace*{%d.%02dem}", latex->pad[column] / 4,
                    latex->pad[column] % 4 * 25);
        latex->pad[column] = 0;
        put_text(before, true, bold, latex->out);
        fputs(" & ", latex->out);
        put_text(point, false, bold, latex->out);
        put_mark(mark, latex->out);
    }
}

/* Returns the number of LaTeX columns of `count` columns of the sheet, from column `first` on. */
static int latex_columns(const struct latex *latex, int first, int count)
{
    int columns = count;
    for (int i = 0; i < count; i++) columns += latex->split[first + i];
    return columns;
}

static void put_span(const struct latex *latex, const struct sheet_span *span)
{
    fprintf(latex->out, "\\multicolumn{%d}{c}{", latex_columns(latex, span->first, span->count));
    put_whole(span->text, span->mark, span->bold, latex->out);
    fputc('}', latex->out);
}

static void put_header(const struct latex *latex, int column)
{
    const char *header = latex->sheet->column[column].header;
    if (latex->split[column]) fputs("\\multicolumn{2}{c}{", latex->out);
    escape_latex(header, latex->out);
    if (latex->split[column]) fputc('}', latex->out);
}

/* Prints the headings of the groups, with a rule below each. */
static void put_groups(const struct latex *latex)
{
    const struct sheet *sheet = latex->sheet;
    FILE *out = latex->out;
    for (int rule = 0; rule < 2; rule++) {
        int at = 1; /* number of the next LaTeX column, from 1 */
        for (int i = 0; i < sheet->columns; i++) {
            const struct sheet_group *group = sheet_group_of(sheet, i);
            int first = at, last = group ? group->first + group->count - 1 : i;
            if (i && !rule) fputs(" & ", out);
            at += latex_columns(latex, i, last - i + 1);
            i = last;
            if (rule) {
                if (group && *group->header) fprintf(out, "\\cmidrule(lr){%d-%d}", first, at - 1);
                continue;
            }
            if (at - first > 1) fprintf(out, "\\multicolumn{%d}{c}{", at - first);
            if (group) escape_latex(group->header, out);
            if (at - first > 1) fputc('}', out);
        }
        fputs(rule ? "\n" : " \\\\\n", out);
    }
}

/* Prints a caption with a final period, because in LaTeX captions are part of a paragraph. */
static void put_sentence(const char *text, FILE *out)
{
    size_t length = strlen(text);
    escape_latex(text, out);
    if (length && !strchr(".?!:;", text[length - 1])) fputc('.', out);
}

static void put_caption(const struct latex *latex)
{
    const struct sheet *sheet = latex->sheet;
    FILE *out = latex->out;
    const char *text = sheet->sentence ? sheet->sentence : sheet->title;
    if (!text) return;
    fputs("\\caption{", out);
    put_sentence(text, out);
    fputs("}\n", out);
    if (!sheet->name) return;
    fputs("\\label{tab:", out);
    for (const char *at = sheet->name; *at; at++)
        fputc(isalnum((unsigned char)*at) && (unsigned char)*at < 0x80 ? *at : '-', out);
    fputs("}\n", out);
}

/* Prints the captions except `sentence`, one paragraph each, in a box as wide as the line. */
static void put_notes(const struct sheet *sheet, FILE *out)
{
    if (sheet->captions == (sheet->sentence != NULL)) return;
    fputs("\n\\vspace{4pt}\n\\begin{minipage}{\\linewidth}\n\\footnotesize\\raggedright\n", out);
    for (int i = 0, notes = 0; i < sheet->captions; i++) {
        if (sheet->caption[i] == sheet->sentence) continue;
        fputs(notes++ ? "\n" : "", out);
        put_sentence(sheet->caption[i], out);
        fputs("\n", out);
    }
    fputs("\\end{minipage}\n", out);
}

static void put_tabular(struct latex *latex)
{
    const struct sheet *sheet = latex->sheet;
    SCOPED(arena_free) struct arena arena = {0};
    FILE *out = latex->out;
    static const char *const letter[] = {
        [SHEET_LEFT] = "l", [SHEET_RIGHT] = "r", [SHEET_NUMBER] = "r", [SHEET_CENTER] = "c"};
    fputs("\\begin{tabular}{", out);
    for (int i = 0; i < sheet->columns; i++)
        fputs(latex->split[i] ? "r@{}l" : letter[sheet->column[i].align], out);
    fputs("}\n\\toprule\n", out);
    if (sheet->groups) put_groups(latex);
    for (int i = 0; i < sheet->columns; i++) {
        if (i) fputs(" & ", out);
        put_header(latex, i);
    }
    fputs(" \\\\\n\\midrule\n", out);
    for (int row = 0; row < sheet->rows; row++) {
        if (sheet->rule[row] && row) fputs("\\midrule\n", out);
        if (sheet->section[row]) {
            if (row && !sheet->rule[row]) fputs("\\addlinespace\n", out);
            fprintf(out, "\\multicolumn{%d}{l}{\\textit{", latex->columns);
            escape_latex(sheet->section[row], out);
            fputs("}} \\\\\n", out);
        }
        if (sheet_in_section(sheet, row)) fputs("\\quad ", out);
        for (int i = 0; i < sheet->columns; i++) {
            const struct sheet_span *span = sheet_span_at(sheet, row, i);
            if (i) fputs(" & ", out);
            if (span) {
                put_span(latex, span);
                i += span->count - 1;
            } else {
                put_cell(latex, row, i, &arena);
            }
        }
        fputs(" \\\\\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}", out);
}

/* Prints a table that LaTeX scales down if it is wider than the line. Only LaTeX knows the exact
 * width. */
static void put_wide(struct latex *latex)
{
    fputs("\\sbox0{%\n", latex->out);
    put_tabular(latex);
    fputs("}%\n\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi",
          latex->out);
}

static struct latex latex_new(struct arena *arena, const struct sheet *sheet, FILE *out)
{
    struct latex latex = {.sheet = sheet,
                          .out = out,
                          .split = ARENA_ARRAY(arena, bool, sheet->columns),
                          .pad = ARENA_ARRAY(arena, int, sheet->columns)};
    for (int i = 0; i < sheet->columns; i++) measure_column(&latex, i);
    return latex;
}

void sheet_latex(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct latex latex = latex_new(&arena, sheet, out);
    const char *star = latex.width > NARROW ? "*" : "";
    const bool wide = latex.width > PAGE;
    fprintf(out, "%% \\usepackage{booktabs%s}\n\\begin{table%s}[t]\n\\centering\n",
            wide ? ",graphicx" : "", star);
    put_caption(&latex);
    if (wide)
        put_wide(&latex);
    else
        put_tabular(&latex);
    fputc('\n', out);
    put_notes(sheet, out);
    fprintf(out, "\\end{table%s}\n", star);
}

void sheet_latex_document(const struct sheet *sheet, FILE *out)
{
    static const char preamble[] =
        "\\setlength{\\belowcaptionskip}{6pt} % captions stand above\n"
        "\\makeatletter\\setlength{\\@fptop}{0pt}\\makeatother % a lone table begins its page\n"
        "\\pagestyle{empty}\n"
        "\\begin{document}\n";
    enum { MARGINS = 40 }; /* millimeters */
    SCOPED(arena_free) struct arena arena = {0};
    const int width = latex_new(&arena, sheet, out).width;
    fprintf(out, "\\documentclass{article}\n\\usepackage{booktabs%s}\n",
            width > PAGE ? ",graphicx" : "");
    if (width > PAGE) /* makes the page as wide as the table; a character is about 2 mm wide */
        fprintf(out, "\\usepackage[margin=2cm,paperwidth=%dmm]{geometry}\n",
                MARGINS + 2 * width + 10);
    else
        fputs("\\usepackage[margin=2cm]{geometry}\n", out);
    fputs(preamble, out);
    sheet_latex(sheet, out);
    fputs("\\end{document}\n", out);
}
