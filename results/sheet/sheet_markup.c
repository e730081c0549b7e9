/* Prints a sheet as Markdown, HTML or LaTeX. One walk prints the lines of a table. A form is a list
 * of texts that surround its cells, and functions for what surrounds the table. */
#include <ctype.h>
#include <string.h>

#include "results/sheet/escape.h"
#include "results/sheet/page.h"
#include "results/sheet/sheet_form.h"

enum { ALIGNS = SHEET_CENTER + 1 };

/* The texts around the parts of a table. A text with a number in it is given as two texts. NULL:
 * the form lacks the part. */
struct markup {
    void (*escape)(const char *text, FILE *out);
    const char *row[2], *between; /* before and after a row, and between cells */
    const char *ruled;            /* before a row with a line above it */
    const char *cell[ALIGNS], *cell_end;
    const char *name[2]; /* before the cell with the name of a row: a short name, a long one */
    const char *bold[2], *mark[2];
    const char *point[3];   /* around a number's part after its point: its width is in digits */
    const char *section[3]; /* around a heading of rows: number of columns */
    const char *group[3];   /* around a heading of columns: number of columns */
    const char *indent;     /* before the first cell of a row in a section */
};

static const struct markup markdown = {
    .escape = escape_markdown,
    .row = {"| ", " |\n"},
    .between = " | ",
    .ruled = "| ",
    .cell = {"", "", "", ""},
    .cell_end = "",
    .bold = {"**", "**"},
    .mark = {"", ""},
    .section = {"| **", NULL, "** |\n"},
    .indent = "",
};

static const struct markup html = {
    .escape = escape_html,
    .row = {"<tr>", "</tr>\n"},
    .between = "",
    .ruled = "<tr class=\"rule\">",
    .cell = {[SHEET_LEFT] = "<td class=\"text\">",
             [SHEET_RIGHT] = "<td class=\"right\">",
             [SHEET_NUMBER] = "<td class=\"right\">",
             [SHEET_CENTER] = "<td class=\"center\">"},
    .cell_end = "</td>",
    .name = {"<th scope=\"row\" class=\"short\">", "<th scope=\"row\">"},
    .bold = {"<strong>", "</strong>"},
    .mark = {"<sup>", "</sup>"},
    .point = {"<span class=\"after\" style=\"min-width:", "ch\">", "</span>"},
    .section = {"<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"", "\">", "</th></tr>\n"},
    .group = {"<th scope=\"colgroup\" colspan=\"", "\">", "</th>"},
    .indent = "",
};

static const struct markup latex = {
    .escape = escape_latex,
    .row = {"", " \\\\\n"},
    .between = " & ",
    .ruled = "\\midrule\n",
    .cell = {"", "", "", ""},
    .cell_end = "",
    .bold = {"\\textbf{", "}"},
    .mark = {"\\textsuperscript{", "}"},
    .point = {"\\makebox[", "\\fontcharwd\\font48][l]{", "}"}, /* 48: the digit 0 */
    .section = {"\\multicolumn{", "}{l}{\\textit{", "}} \\\\\n"},
    .group = {"\\multicolumn{", "}{c}{", "}"},
    .indent = "\\quad ",
};

static void put_text(const struct markup *form, const char *text, const char *const around[2],
                     FILE *out)
{
    if (!*text) return;
    if (around) fputs(around[0], out);
    form->escape(text, out);
    if (around) fputs(around[1], out);
}

/* Prints a text between three texts of the form, with a number after the first. */
static void put_counted(const struct markup *form, const char *const around[3], int number,
                        const char *text, FILE *out)
{
    fputs(around[0], out);
    if (around[1]) fprintf(out, "%d%s", number, around[1]);
    form->escape(text, out);
    fputs(around[2], out);
}

enum {
    SHORT = 24, /* width of the longest name of a row that HTML keeps on one line */
    LONG = 60   /* width of the widest cell that LaTeX keeps on one line */
};

/* after: sheet_after of the column */
static void put_cell(const struct markup *form, const struct sheet *sheet, int row, int column,
                     int after, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct cell_parts cell = sheet_parts(sheet, row, column);
    const char *const *bold = cell.bold ? form->bold : NULL;
    const int width = sheet_width(cell.text);
    const bool name = form->name[0] && column == sheet->names, split = cell.point && after,
               lines = form == &latex && width > LONG;
    fputs(name ? form->name[width > SHORT] : form->cell[sheet->column[column].align], out);
    if (lines) fprintf(out, "\\parbox[t]{%dem}{\\raggedright ", LONG / 2);
    if (!split || !form->point[0]) {
        put_text(form, cell.text, bold, out);
        put_text(form, cell.mark, form->mark, out);
    } else {
        const size_t before = (size_t)(cell.point - cell.text);
        put_text(form, arena_text_range(&arena, cell.text, before), bold, out);
        fprintf(out, "%s%d%s", form->point[0], after, form->point[1]);
        put_text(form, cell.point, bold, out);
        put_text(form, cell.mark, form->mark, out);
        fputs(form->point[2], out);
    }
    if (lines) fputs("\\strut}", out);
    fputs(name ? "</th>" : form->cell_end, out);
}

static void put_body(const struct markup *form, const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    int *after = ARENA_ARRAY(&arena, int, sheet->columns);
    const char *indent = "";
    for (int i = 0; i < sheet->columns; i++) after[i] = sheet_after(sheet, i);
    for (int row = 0; row < sheet->rows; row++) {
        const char *section = sheet->section[row];
        const bool ruled = row && (sheet->rule[row] || section);
        if (section) {
            if (ruled && form == &latex) fputs(form->ruled, out);
            put_counted(form, form->section, sheet->columns, section, out);
            indent = form->indent;
        }
        fputs(ruled && !section ? form->ruled : form->row[0], out);
        fputs(indent, out);
        for (int i = 0; i < sheet->columns; i++) {
            if (i) fputs(form->between, out);
            put_cell(form, sheet, row, i, after[i], out);
        }
        fputs(form->row[1], out);
    }
}

/* Prints the headings of the groups. */
static void put_groups(const struct markup *form, const struct sheet *sheet, FILE *out)
{
    fputs(form->row[0], out);
    for (int i = 0, count; i < sheet->columns; i += count) {
        const struct sheet_group *group = sheet_group_of(sheet, i);
        count = group ? group->count : 1;
        if (i) fputs(form->between, out);
        if (group)
            put_counted(form, form->group, count, group->header, out);
        else
            fprintf(out, "%s%s", form->cell[SHEET_LEFT], form->cell_end);
    }
    fputs(form->row[1], out);
}

/* ---- Markdown: the header of a group is a prefix of its columns' headers ---- */

void sheet_markdown(const struct sheet *sheet, FILE *out)
{
    static const char *const dashes[ALIGNS] = {"---|", "--:|", "--:|", ":-:|"};
    SCOPED(arena_free) struct arena arena = {0};
    if (sheet->title) {
        put_text(&markdown, sheet->title, markdown.bold, out);
        fputs("\n\n", out);
    }
    for (int i = 0; i < sheet->columns; i++) {
        fputs("| ", out);
        escape_markdown(sheet_full_header(&arena, sheet, i), out);
        fputs(" ", out);
    }
    fputs("|\n|", out);
    for (int i = 0; i < sheet->columns; i++) fputs(dashes[sheet->column[i].align], out);
    fputs("\n", out);
    put_body(&markdown, sheet, out);
    for (int i = 0; i < sheet->captions; i++) {
        fputs(i ? "\\\n" : "\n", out);
        escape_markdown_line(sheet->caption[i], out);
    }
    if (sheet->captions) fputc('\n', out);
}

/* ---- HTML: a scrolling box with the table, and the captions below it. For screen readers, headers
 * have the attribute scope, and the title is the <caption> of the table. ---- */

void sheet_html(const struct sheet *sheet, FILE *out)
{
    page_put("<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"",
             sheet->title ? sheet->title : "Table", "\">\n<table>\n", out);
    if (sheet->title) page_put("<caption>", sheet->title, "</caption>\n", out);
    fputs("<thead>\n", out);
    if (sheet->groups) put_groups(&html, sheet, out);
    fputs("<tr>", out);
    for (int i = 0; i < sheet->columns; i++) {
        const bool text = sheet->column[i].align == SHEET_LEFT;
        page_put(text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\" class=\"right\">",
                 sheet->column[i].header, "</th>", out);
    }
    fputs("</tr>\n</thead>\n<tbody>\n", out);
    put_body(&html, sheet, out);
    fputs("</tbody>\n</table>\n</div>\n<figcaption>\n", out);
    for (int i = 0; i < sheet->captions; i++) page_put("<p>", sheet->caption[i], "</p>\n", out);
    fputs("</figcaption>\n</figure>\n", out);
}

void sheet_html_document(const struct sheet *sheet, FILE *out)
{
    const char *title = sheet->title ? sheet->title : sheet->name ? sheet->name : "Table";
    struct sheet untitled = *sheet;
    untitled.title = NULL;
    page_begin(title, 0, out);
    page_put("<h1>", title, "</h1>\n", out);
    sheet_html(&untitled, out);
    page_end(out);
}

/* ---- LaTeX: a floating table, in one column of a page or in both. LaTeX scales a table that is
 * too wide. ---- */

/* Prints a caption with a final period, because in LaTeX captions are part of a paragraph. */
static void put_sentence(const char *text, FILE *out)
{
    const size_t length = strlen(text);
    escape_latex(text, out);
    if (length && !strchr(".?!:;", text[length - 1])) fputc('.', out);
}

static void put_caption(const struct sheet *sheet, FILE *out)
{
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
    for (int i = 0; i < sheet->captions; i++) {
        if (sheet->caption[i] == sheet->sentence) continue;
        put_sentence(sheet->caption[i], out);
        fputs("\n\n", out);
    }
    fputs("\\end{minipage}\n", out);
}

/* Returns the length of the line at the start of a header, in bytes. Lines end at blanks. They are
 * as wide as the column's cells or a third of the header, unless a word is wider. */
static size_t header_line(const char *text, int width)
{
    size_t end = strcspn(text, " ");
    for (size_t next; text[end]; end = next) {
        next = end + 1 + strcspn(text + end + 1, " ");
        if ((int)next > width) break;
    }
    return end;
}

/* Prints the header of a column, and returns about the width of the column in letters. */
static int put_header(const struct sheet *sheet, int i, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *text = sheet->column[i].header;
    const int whole = sheet_width(text), cells = sheet_cells_width(sheet, i),
              most = cells > whole / 3 ? cells : whole / 3;
    int widest = cells < LONG ? cells : LONG;
    if (whole > most) fprintf(out, "\\shortstack[%s]{\\strut ", i ? "r" : "l");
    for (size_t end = strlen(text); *text; text += end + (text[end] == ' ')) {
        if (whole > most) end = header_line(text, most);
        const char *line = arena_text_range(&arena, text, end);
        escape_latex(line, out);
        if (text[end]) fputs(" \\\\ ", out);
        if (sheet_width(line) > widest) widest = sheet_width(line);
    }
    if (whole > most) fputc('}', out);
    return widest;
}

static int put_head(const struct sheet *sheet, FILE *out)
{
    static const char *const letter[] = {"l", "r", "r", "c"};
    int width = 0;
    fputs("\\sbox0{%\n\\begin{tabular}{", out);
    for (int i = 0; i < sheet->columns; i++) fputs(letter[sheet->column[i].align], out);
    fputs("}\n\\toprule\n", out);
    if (sheet->groups) put_groups(&latex, sheet, out);
    for (int i = 0; i < sheet->groups; i++) {
        const struct sheet_group *group = &sheet->group[i];
        if (*group->header)
            fprintf(out, "\\cmidrule(lr){%d-%d}%s", group->first + 1, group->first + group->count,
                    i + 1 < sheet->groups ? "" : "\n");
    }
    for (int i = 0; i < sheet->columns; i++) {
        if (i) fputs(" & ", out);
        width += put_header(sheet, i, out) + 2;
    }
    fputs(" \\\\\n\\midrule\n", out);
    return width;
}

enum {
    COLUMN_LETTERS = 43, /* letters, about 5 pt wide, in a column of ACL's class, 219 pt */
    TALL = 30            /* number of rows of a table with a small font */
};

void sheet_latex(const struct sheet *sheet, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    ARENA_STREAM(head);
    const char *star = put_head(sheet, head.out) > COLUMN_LETTERS ? "*" : "";
    fprintf(out, "%% \\usepackage{booktabs,graphicx}\n\\begin{table%s}[t]\n\\centering\n", star);
    put_caption(sheet, out);
    if (sheet->rows > TALL) fputs("\\small\n", out);
    fputs(arena_stream_close(&arena, &head), out);
    put_body(&latex, sheet, out);
    fputs("\\bottomrule\n\\end{tabular}}%\n"
          "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n",
          out);
    put_notes(sheet, out);
    fprintf(out, "\\end{table%s}\n", star);
}

void sheet_latex_document(const struct sheet *sheet, FILE *out)
{
    fputs("\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n"
          "\\usepackage[margin=2cm]{geometry}\n"
          "\\setlength{\\belowcaptionskip}{6pt} % captions stand above\n"
          "\\makeatletter\\setlength{\\@fptop}{0pt}\\makeatother % a lone table begins its page\n"
          "\\pagestyle{empty}\n\\begin{document}\n",
          out);
    sheet_latex(sheet, out);
    fputs("\\end{document}\n", out);
}
