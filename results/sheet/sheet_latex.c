/* Prints a sheet as a LaTeX table for papers, without vertical rules. The table needs only the
 * package booktabs and, if it must be scaled down, graphicx. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/base/mask.h"
#include "core/config/scalar.h"
#include "results/sheet/escape.h"
#include "results/sheet/sheet_form.h"

/* Widths in points of a column and of a page with two columns. They are those of the narrowest
 * usual class (ACL). LaTeX's article is 10 pt wider. */
enum { COLUMN_WIDTH = 219, PAGE_WIDTH = 450, GAP = 6 };
enum { READABLE = 70 }; /* smallest scale of \footnotesize that is readable, in percent */

/* The layouts of a table. The first in which it is narrow enough is used. */
static const struct fit {
    const char *star, *size;
    double scale; /* of the font */
    int gap;      /* on both sides of a column */
    bool wrapped; /* headers have several lines */
    int limit;    /* width */
} fits[] = {
    {"", "", 1, GAP, false, COLUMN_WIDTH},
    {"", "", 1, GAP, true, COLUMN_WIDTH},
    {"", "\\small", 0.94, 4, true, COLUMN_WIDTH},
    {"*", "", 1, GAP, false, PAGE_WIDTH},
    {"*", "", 1, GAP, true, PAGE_WIDTH},
    {"*", "\\small", 0.94, 4, true, PAGE_WIDTH},
    {"*", "\\footnotesize", 0.87, 3, true, PAGE_WIDTH},
};

/* A column of the sheet. Widths are in points, with a font of 10 pt. */
struct latex_column {
    bool split; /* two columns of LaTeX (r@{}l): the second begins at the point of alignment. So
                   points are aligned in any font, also in bold, and marks do not shift numbers */
    double cells;
    struct texts line; /* the lines of the wrapped header */
    double heading[2]; /* widths of the header in one line, and wrapped */
    double pad;  /* by which the first number is moved to the right, because the header is wider */
    double text; /* if cells have several lines: their width; else 0 */
};

struct latex {
    const struct sheet *sheet;
    FILE *out;
    struct arena *arena;
    struct latex_column *column; /* [columns] */
    int columns;                 /* number of LaTeX columns */
    const struct fit *fit;
    double width;
    bool scaled; /* LaTeX scales the table down */
};

/* Returns about the width of a text in points, in Computer Modern at 10 pt. Most fonts of papers
 * are narrower. */
static double width_of(const char *text)
{
    /* Widths of the ASCII characters from the blank on, in 1/36 em. */
    static const unsigned char ascii[] = {
        12, 10, 18, 30, 18, 30, 28, 10, 14, 14, 18, 28, 10, 12, 10, 18, 18, 18, 18,
        18, 18, 18, 18, 18, 18, 18, 10, 10, 28, 28, 28, 17, 28, 27, 26, 26, 28, 25,
        24, 28, 27, 13, 19, 28, 23, 33, 27, 28, 25, 28, 27, 20, 26, 27, 27, 37, 27,
        27, 22, 10, 18, 10, 18, 11, 10, 18, 20, 16, 20, 16, 11, 18, 20, 10, 11, 19,
        10, 30, 20, 18, 20, 19, 14, 14, 14, 20, 19, 26, 19, 19, 16, 18, 10, 18, 12};
    enum { OTHER = 28, EM = 10 };
    double width = 0;
    while (*text) {
        int32_t character;
        text = mask_next(text, &character);
        width += character >= 0x7f ? OTHER : ascii[character - ' '];
    }
    return width * EM / 36;
}

/* Adds a line to a header. */
static void add_line(struct latex_column *column, const char *begin, const char *end,
                     struct arena *arena)
{
    const char *line = arena_text_range(arena, begin, (size_t)(end - begin));
    texts_add(&column->line, line, (struct location){0}, arena);
    column->heading[true] = fmax(column->heading[true], width_of(line));
}

/* Divides a header at blanks into about three lines. Lines that are not wider than the cells or the
 * longest word are not divided. */
static void wrap_header(struct latex_column *column, const char *header, struct arena *arena)
{
    column->heading[false] = width_of(header);
    double limit = fmax(column->cells, column->heading[false] / 3);
    const char *line = header, *end;
    for (const char *at = header;; at = end + 1) {
        end = at + strcspn(at, " ");
        limit = fmax(limit, width_of(arena_text_range(arena, at, (size_t)(end - at))));
        if (!*end) break;
    }
    for (const char *at = header;; at = end + 1) {
        end = at + strcspn(at, " ");
        if (at > line && width_of(arena_text_range(arena, line, (size_t)(end - line))) > limit) {
            add_line(column, line, at - 1, arena);
            line = at;
        }
        if (!*end) break;
    }
    add_line(column, line, end, arena);
}

static void measure_column(struct latex *latex, int at)
{
    enum { QUAD = 10, DIGIT = 5 }; /* QUAD: before the first cell of a row in a section */
    const struct sheet *sheet = latex->sheet;
    struct latex_column *column = &latex->column[at];
    const double quad = !at && sheet_has_sections(sheet) ? QUAD : 0;
    for (int row = 0; row < sheet->rows; row++) {
        const char *point = sheet_cell_point(sheet, row, at), *mark = sheet_mark_of(sheet, row, at);
        column->split |= point && (*point || *mark);
        column->cells =
            fmax(column->cells, width_of(sheet_get(sheet, row, at)) + width_of(mark) + quad);
    }
    const struct cell_width aligned = sheet_cells_width(sheet, at);
    column->cells = fmax(column->cells, DIGIT * (aligned.before + aligned.after));
    wrap_header(column, sheet->column[at].header, latex->arena);
    latex->columns += column->split ? 2 : 1;
}

static double table_width(const struct latex *latex, const struct fit *fit)
{
    const struct sheet *sheet = latex->sheet;
    double *width = ARENA_ARRAY(latex->arena, double, sheet->columns), sum = 0;
    const double gaps = 2 * fit->gap;
    for (int i = 0; i < sheet->columns; i++) {
        const struct latex_column *column = &latex->column[i];
        width[i] = fit->scale * fmax(column->cells, column->heading[fit->wrapped]) + gaps;
    }
    for (int i = 0; i < sheet->groups; i++) { /* the last column of a group is as wide as needed */
        const struct sheet_group *group = &sheet->group[i];
        double lacks = fit->scale * width_of(group->header) + gaps;
        for (int k = 0; k < group->count; k++) lacks -= width[group->first + k];
        width[group->first + group->count - 1] += fmax(lacks, 0);
    }
    for (int i = 0; i < sheet->columns; i++) sum += width[i];
    for (int i = 0; i < sheet->rows; i++)
        if (sheet->section[i]) sum = fmax(sum, fit->scale * width_of(sheet->section[i]) + gaps);
    return sum;
}

/* Makes the widest column of texts narrower by wrapping its cells. Returns false if this is not
 * enough. */
static bool wrap_texts(struct latex *latex, double excess)
{
    enum { LEAST = 60 };
    const struct sheet *sheet = latex->sheet;
    struct latex_column *widest = NULL;
    for (int i = 0; i < sheet->columns; i++)
        if (sheet->column[i].align == SHEET_LEFT &&
            (!widest || latex->column[i].cells > widest->cells))
            widest = &latex->column[i];
    const double text = widest ? widest->cells - excess / latex->fit->scale : 0;
    if (text < LEAST || text < widest->heading[true]) return false;
    widest->text = text;
    latex->width -= excess;
    return true;
}

/* Selects the layout. */
static void fit_table(struct latex *latex)
{
    const struct fit *last = fits + COUNT_OF(fits) - 1;
    latex->fit = fits;
    while ((latex->width = table_width(latex, latex->fit)) > latex->fit->limit && latex->fit < last)
        latex->fit++;
    const double excess = latex->width - latex->fit->limit;
    latex->scaled = excess > 0 && !wrap_texts(latex, excess);
    for (int i = 0; i < latex->sheet->columns; i++) {
        struct latex_column *column = &latex->column[i];
        const double wider = column->heading[latex->fit->wrapped] - column->cells;
        if (column->split && wider > 0) column->pad = wider / 2;
    }
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

static void put_cell(const struct latex *latex, int row, int column)
{
    const struct sheet *sheet = latex->sheet;
    const char *text = sheet_get(sheet, row, column), *mark = sheet_mark_of(sheet, row, column);
    const char *point = sheet_cell_point(sheet, row, column);
    struct latex_column *of = &latex->column[column];
    bool bold = sheet_is_bold(sheet, row, column);
    if (!of->split) {
        const bool wrapped = of->text > 0 && width_of(text) > of->text;
        if (wrapped)
            fprintf(latex->out, "\\parbox[t]{%.0fpt}{\\raggedright ", of->text * latex->fit->scale);
        put_whole(text, mark, bold, latex->out);
        if (wrapped) fputs("\\strut}", latex->out);
    } else if (!*text && !*mark) {
        fputs(" & ", latex->out);
    } else if (!point) {
        bool missing = !strcmp(text, sheet->missing);
        fprintf(latex->out, "\\multicolumn{2}{%c}{", missing ? 'c' : 'r');
        put_whole(text, mark, bold, latex->out);
        fputc('}', latex->out);
    } else {
        const char *before = arena_text_range(latex->arena, text, (size_t)(point - text));
        if (of->pad > 0) fprintf(latex->out, "\\hspace*{%.2fem}", of->pad / 10);
        of->pad = 0;
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
    for (int i = 0; i < count; i++) columns += latex->column[first + i].split;
    return columns;
}

static void put_header(const struct latex *latex, int at)
{
    const struct latex_column *column = &latex->column[at];
    const struct sheet_column *of = &latex->sheet->column[at];
    const bool stack = latex->fit->wrapped && column->line.count > 1;
    if (column->split) fputs("\\multicolumn{2}{c}{", latex->out);
    if (stack)
        fprintf(latex->out, "\\shortstack%s{\\strut ", of->align == SHEET_LEFT ? "[l]" : "");
    else
        escape_latex(of->header, latex->out);
    for (int i = 0; stack && i < column->line.count; i++) {
        if (i) fputs(" \\\\ ", latex->out);
        escape_latex(column->line.text[i], latex->out);
    }
    if (stack) fputc('}', latex->out);
    if (column->split) fputc('}', latex->out);
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
    FILE *out = latex->out;
    static const char *const letter[] = {
        [SHEET_LEFT] = "l", [SHEET_RIGHT] = "r", [SHEET_NUMBER] = "r", [SHEET_CENTER] = "c"};
    fputs("\\begin{tabular}{", out);
    for (int i = 0; i < sheet->columns; i++)
        fputs(latex->column[i].split ? "r@{}l" : letter[sheet->column[i].align], out);
    fputs("}\n\\toprule\n", out);
    if (sheet->groups) put_groups(latex);
    for (int i = 0; i < sheet->columns; i++) {
        if (i) fputs(" & ", out);
        put_header(latex, i);
    }
    fputs(" \\\\\n\\midrule\n", out);
    const char *indent = "";
    for (int row = 0; row < sheet->rows; row++) {
        if (sheet->rule[row] && row) fputs("\\midrule\n", out);
        if (sheet->section[row]) {
            if (row && !sheet->rule[row]) fputs("\\addlinespace\n", out);
            fprintf(out, "\\multicolumn{%d}{l}{\\textit{", latex->columns);
            escape_latex(sheet->section[row], out);
            fputs("}} \\\\\n", out);
            indent = "\\quad ";
        }
        fputs(indent, out);
        for (int i = 0; i < sheet->columns; i++) {
            if (i) fputs(" & ", out);
            put_cell(latex, row, i);
        }
        fputs(" \\\\\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}", out);
}

/* Prints a table that LaTeX scales down if it is wider than the line. Only LaTeX knows the exact
 * width. */
static void put_scaled(struct latex *latex)
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
                          .arena = arena,
                          .column = ARENA_ARRAY(arena, struct latex_column, sheet->columns)};
    for (int i = 0; i < sheet->columns; i++) measure_column(&latex, i);
    fit_table(&latex);
    return latex;
}

static void put_table(struct latex *latex)
{
    const struct fit *fit = latex->fit;
    FILE *out = latex->out;
    fprintf(out, "%% \\usepackage{booktabs%s}\n\\begin{table%s}[t]\n\\centering\n",
            latex->scaled ? ",graphicx" : "", fit->star);
    put_caption(latex);
    if (*fit->size) fprintf(out, "%s\n", fit->size);
    if (fit->gap != GAP) fprintf(out, "\\setlength{\\tabcolsep}{%dpt}\n", fit->gap);
    if (latex->scaled)
        put_scaled(latex);
    else
        put_tabular(latex);
    fputc('\n', out);
    put_notes(latex->sheet, out);
    fprintf(out, "\\end{table%s}\n", fit->star);
}

void sheet_latex(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct latex latex = latex_new(&arena, sheet, out);
    const double percent = 100 * latex.fit->limit / latex.width;
    if (latex.scaled && percent < READABLE)
        warn("the table is too wide for a page: LaTeX scales it to %.0f%% of \\footnotesize. "
             "Divide it into sections (by: [DOWN, ACROSS, SECTIONS]), or give it fewer columns",
             percent);
    put_table(&latex);
}

void sheet_latex_document(const struct sheet *sheet, FILE *out)
{
    static const char preamble[] =
        "\\setlength{\\belowcaptionskip}{6pt} % captions stand above\n"
        "\\makeatletter\\setlength{\\@fptop}{0pt}\\makeatother % a lone table begins its page\n"
        "\\pagestyle{empty}\n"
        "\\begin{document}\n";
    enum { MARGINS = 130 }; /* points */
    SCOPED(arena_free) struct arena arena = {0};
    struct latex latex = latex_new(&arena, sheet, out);
    fprintf(out, "\\documentclass{article}\n\\usepackage{booktabs%s}\n",
            latex.scaled ? ",graphicx" : "");
    fputs("\\usepackage[margin=2cm", out);
    if (latex.scaled)
        fprintf(out, ",paperwidth=%.0fpt", latex.width + MARGINS); /* fits the table */
    fputs("]{geometry}\n", out);
    fputs(preamble, out);
    put_table(&latex);
    fputs("\\end{document}\n", out);
}
