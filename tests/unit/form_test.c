/* Tests results/sheet/sheet_*: one table in every format, byte for byte, and names that contain
 * markup. */
#include "tests/support/test.h"

#include "results/sheet/sheet.h"

static char *print(const struct sheet *sheet, enum sheet_form form)
{
    return PRINTED(sheet_print(sheet, form, out));
}

#define PRINTS(sheet, form, expected)                                                              \
    do {                                                                                           \
        assert_string_equal(print(sheet, form), expected);                                         \
    } while (0)

/* Returns a table with two language pairs, sections, a rule, marks, bold values, and a row that is
 * running. */
static struct sheet *paper_table(void)
{
    static const char *const cells[4][5] = {
        {"Transformer", "88,000,000", "36.47 ± 0.20 (3)", "28.10", ""},
        {"+ Local", "88,000,000", "38.55 ± 0.31 (3)", "28.23", "+0.13"},
        {"+ Gate", "88,027,552", "running", "28.66", "+0.56"},
        {"Quoted", NULL, "7.5", NULL, "-1.00"},
    };
    struct sheet *sheet = sheet_new(&arena, 4, 5);
    sheet->title = "Local and global";
    sheet->name = "xu2019-table2";
    sheet->column[0] = (struct sheet_column){"", SHEET_LEFT, 0};
    sheet->column[1] = (struct sheet_column){"Parameters", SHEET_RIGHT, 0};
    sheet->column[2] = (struct sheet_column){"BLEU", SHEET_NUMBER, 2};
    sheet->column[3] = (struct sheet_column){"BLEU", SHEET_NUMBER, 2};
    sheet->column[4] = (struct sheet_column){"Δ", SHEET_NUMBER, 2};
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 5; column++)
            sheet_set(sheet, row, column, cells[row][column]);
    sheet_group(&arena, sheet, 1, 2, "En-De");
    sheet_group(&arena, sheet, 3, 2, "Ja-En");
    sheet->section[0] = "Ours";
    sheet->section[3] = "Theirs";
    sheet->rule[3] = true;
    sheet_at(sheet, 1, 2)->mark = "†";
    sheet_at(sheet, 2, 3)->mark = "⇑";
    sheet_at(sheet, 1, 2)->style = SHEET_BOLD;
    sheet_at(sheet, 2, 3)->style = SHEET_BOLD;
    sheet_caption(&arena, sheet, "Mean ± sd (n).");
    sheet_caption(&arena, sheet, "BLEU: nrefs:1|tok:none");
    return sheet;
}

TEST(a_table_as_text)
{
    PRINTS(paper_table(), SHEET_TEXT,
           "Local and global\n"
           "                           En-De                  Ja-En\n"
           "               ─────────────────────────────  ─────────────\n"
           "               Parameters               BLEU    BLEU      Δ\n"
           "───────────────────────────────────────────────────────────\n"
           "Ours\n"
           "  Transformer  88,000,000  36.47 ± 0.20 (3)   28.10\n"
           "  + Local      88,000,000  38.55 ± 0.31 (3)†  28.23   +0.13\n"
           "  + Gate       88,027,552            running  28.66⇑  +0.56\n"
           "───────────────────────────────────────────────────────────\n"
           "Theirs\n"
           "  Quoted                -   7.5                    -  -1.00\n"
           "Mean ± sd (n).\n"
           "BLEU: nrefs:1|tok:none\n");
}

TEST(as_markdown)
{
    PRINTS(paper_table(), SHEET_MARKDOWN,
           "**Local and global**\n"
           "\n"
           "|  | En-De: Parameters | En-De: BLEU | Ja-En: BLEU | Ja-En: Δ |\n"
           "|---|--:|--:|--:|--:|\n"
           "| **Ours** |\n"
           "| Transformer | 88,000,000 | 36.47 ± 0.20 (3) | 28.10 |  |\n"
           "| + Local | 88,000,000 | **38.55 ± 0.31 (3)**† | 28.23 | +0.13 |\n"
           "| + Gate | 88,027,552 | running | **28.66**⇑ | +0.56 |\n"
           "| **Theirs** |\n"
           "| Quoted | - | 7.5 | - | -1.00 |\n"
           "\n"
           "Mean ± sd (n).\\\n"
           "BLEU: nrefs:1\\|tok:none\n");
}

/* The parts of numbers after the point have the width of 15 or 4 digits. */
#define FIFTEEN "\\makebox[15\\fontcharwd\\font48][l]"
#define FOUR "\\makebox[4\\fontcharwd\\font48][l]"
TEST(as_latex)
{
    PRINTS(paper_table(), SHEET_LATEX,
           "% \\usepackage{booktabs,graphicx}\n"
           "\\begin{table*}[t]\n"
           "\\centering\n"
           "\\caption{Local and global.}\n"
           "\\label{tab:xu2019-table2}\n"
           "\\sbox0{%\n"
           "\\begin{tabular}{lrrrr}\n"
           "\\toprule\n"
           " & \\multicolumn{2}{c}{En-De} & \\multicolumn{2}{c}{Ja-En} \\\\\n"
           "\\cmidrule(lr){2-3}\\cmidrule(lr){4-5}\n"
           " & Parameters & BLEU & BLEU & $\\Delta$ \\\\\n"
           "\\midrule\n"
           "\\multicolumn{5}{l}{\\textit{Ours}} \\\\\n"
           "\\quad Transformer & 88,000,000 & 36" FIFTEEN "{.47 $\\pm$ 0.20 (3)} & 28" FOUR
           "{.10} &  \\\\\n"
           "\\quad + Local & 88,000,000 & \\textbf{38}" FIFTEEN "{\\textbf{.55 $\\pm$ 0.31 (3)}"
           "\\textsuperscript{$\\dagger$}} & 28" FOUR "{.23} & +0.13 \\\\\n"
           "\\quad + Gate & 88,027,552 & running & \\textbf{28}" FOUR "{\\textbf{.66}"
           "\\textsuperscript{$\\Uparrow$}} & +0.56 \\\\\n"
           "\\midrule\n"
           "\\multicolumn{5}{l}{\\textit{Theirs}} \\\\\n"
           "\\quad Quoted & - & 7" FIFTEEN "{.5} & - & $-$1.00 \\\\\n"
           "\\bottomrule\n"
           "\\end{tabular}}%\n"
           "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n"
           "\n"
           "\\vspace{4pt}\n"
           "\\begin{minipage}{\\linewidth}\n"
           "\\footnotesize\\raggedright\n"
           "Mean $\\pm$ sd (n).\n"
           "\n"
           "BLEU: nrefs:1\\textbar{}\\allowbreak{}tok:none.\n"
           "\n"
           "\\end{minipage}\n"
           "\\end{table*}\n");
}

/* Bounds such as <0.001 are aligned like numbers. A heading that is wider than its numbers has
 * several lines. A document has the packages of its table. */
TEST(bounds_and_headings_as_latex)
{
    struct sheet *sheet = sheet_new(&arena, 2, 1);
    sheet->column[0] = (struct sheet_column){"p", SHEET_NUMBER, 3};
    sheet_set(sheet, 0, 0, "<0.001");
    sheet_set(sheet, 1, 0, "0.02");
    char *text = PRINTED(sheet_print_document(sheet, SHEET_LATEX, out));
    expect_part(text, "\\textless{}0" FOUR "{.001} \\\\\n0" FOUR "{.02} \\\\\n");
    expect_part(text, "\\usepackage{booktabs,graphicx}\n");
    sheet->column[0].header = "a heading of several words, α + β, in a column of short numbers";
    text = print(sheet, SHEET_LATEX);
    expect_part(text, "\\begin{table}");
    expect_part(text, "\\shortstack[l]{\\strut a heading of several \\\\ words, $\\alpha$");
}

/* A text of more than 60 letters has several lines. */
TEST(names_in_lines_as_latex)
{
    static const char name[] = "a system whose name describes each of its options in many words";
    static const char *const header[] = {"", "BLEU"};
    struct sheet *sheet = sheet_headed(&arena, 1, 2, header, 1);
    sheet_set(sheet, 0, 0, name);
    sheet_set(sheet, 0, 1, "27.50");
    expect_part(print(sheet, SHEET_LATEX),
                arena_print(&arena, "\\parbox[t]{30em}{\\raggedright %s\\strut} & 27.50", name));
}

/* The number of seeds that a text omits is a column of CSV. */
TEST(seeds_as_csv)
{
    static const char *const header[] = {"", "BLEU"};
    struct sheet *sheet = sheet_headed(&arena, 1, 2, header, 1);
    sheet_set(sheet, 0, 0, "Gate");
    sheet_set(sheet, 0, 1, "38.55 ± 0.31");
    sheet_at(sheet, 0, 1)->seeds = 3;
    PRINTS(sheet, SHEET_CSV, "row,BLEU,BLEU sd,BLEU n\r\nGate,38.55,0.31,3\r\n");
    assert_null(strstr(print(sheet, SHEET_MARKDOWN), "3)"));
}

/* In a column of percentages, a count does not shift their decimal points. */
TEST(numbers_of_another_kind_stand_to_the_right)
{
    struct sheet *sheet = sheet_new(&arena, 2, 2);
    sheet->column[0] = (struct sheet_column){"", SHEET_LEFT, 0};
    sheet->column[1] = (struct sheet_column){"SAN", SHEET_NUMBER, 1};
    sheet_set(sheet, 0, 0, "Parameters");
    sheet_set(sheet, 0, 1, "105,607");
    sheet_at(sheet, 0, 1)->style = SHEET_APART;
    sheet_set(sheet, 1, 0, "Dev");
    sheet_set(sheet, 1, 1, "68.1 ± 1.5");
    PRINTS(sheet, SHEET_TEXT,
           "                   SAN\n"
           "──────────────────────\n"
           "Parameters     105,607\n"
           "Dev         68.1 ± 1.5\n");
    char *latex = print(sheet, SHEET_LATEX), *html = print(sheet, SHEET_HTML);
    assert_non_null(strstr(latex, "Parameters & 105,607 \\\\\nDev & 68.1 $\\pm$ 1.5 \\\\\n"));
    assert_non_null(strstr(html, "<td class=\"right\">105,607</td>"));
}

TEST(as_csv)
{
    PRINTS(paper_table(), SHEET_CSV,
           "section,row,En-De: Parameters,En-De: BLEU,En-De: BLEU sd,En-De: BLEU n,En-De: "
           "BLEU note,En-De: BLEU mark,Ja-En: BLEU,Ja-En: BLEU mark,Ja-En: Δ\r\n"
           "Ours,Transformer,88000000,36.47,0.20,3,,,28.10,,\r\n"
           "Ours,'+ Local,88000000,38.55,0.31,3,,†,28.23,,0.13\r\n"
           "Ours,'+ Gate,88027552,,,,running,,28.66,⇑,0.56\r\n"
           "Theirs,Quoted,,7.5,,,,,,,-1.00\r\n");
}

TEST(names_after_numbers)
{
    static const char *const header[] = {"#", "", "BLEU"}, *const cell[] = {"1", "Gate", "38.55"};
    struct sheet *sheet = sheet_headed(&arena, 1, 3, header, 0);
    for (int i = 0; i < 3; i++) sheet_set(sheet, 0, i, cell[i]);
    sheet->names = 1;
    PRINTS(sheet, SHEET_CSV, "#,row,BLEU\r\n1,Gate,38.55\r\n");
    char *html = print(sheet, SHEET_HTML);
    assert_non_null(strstr(html, "<td class=\"right\">1</td>"));
    assert_non_null(strstr(html, "<th scope=\"row\" class=\"short\">Gate</th>"));
}

TEST(as_html)
{
    PRINTS(
        paper_table(), SHEET_HTML,
        "<figure>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Local and "
        "global\">\n"
        "<table>\n"
        "<caption>Local and global</caption>\n"
        "<thead>\n"
        "<tr><td class=\"text\"></td><th scope=\"colgroup\" colspan=\"2\">En-De</th><th "
        "scope=\"colgroup\" colspan=\"2\">Ja-En</th></tr>\n"
        "<tr><th scope=\"col\" class=\"text\"></th><th scope=\"col\" "
        "class=\"right\">Parameters</th><th "
        "scope=\"col\" "
        "class=\"right\">BLEU</th><th scope=\"col\" class=\"right\">BLEU</th><th "
        "scope=\"col\" class=\"right\">Δ</th></tr>\n"
        "</thead>\n"
        "<tbody>\n"
        "<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"5\">Ours</th></tr>\n"
        "<tr><th scope=\"row\" class=\"short\">Transformer</th><td "
        "class=\"right\">88,000,000</td><td "
        "class=\"right\">36<span class=\"after\" style=\"min-width:15ch\">.47 ± 0.20 "
        "(3)</span></td><td class=\"right\">28<span class=\"after\" "
        "style=\"min-width:4ch\">.10</span></td><td class=\"right\"></td></tr>\n"
        "<tr><th scope=\"row\" class=\"short\">+ Local</th><td class=\"right\">88,000,000</td><td "
        "class=\"right\"><strong>38</strong><span class=\"after\" "
        "style=\"min-width:15ch\"><strong>.55 ± 0.31 (3)</strong><sup>†</sup></span></td><td "
        "class=\"right\">28<span "
        "class=\"after\" style=\"min-width:4ch\">.23</span></td><td "
        "class=\"right\">+0.13</td></tr>\n"
        "<tr><th scope=\"row\" class=\"short\">+ Gate</th><td class=\"right\">88,027,552</td><td "
        "class=\"right\">running</td><td class=\"right\"><strong>28</strong><span class=\"after\" "
        "style=\"min-width:4ch\"><strong>.66</strong><sup>⇑</sup></span></td><td "
        "class=\"right\">+0.56</td></tr>\n"
        "<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"5\">Theirs</th></tr>\n"
        "<tr><th scope=\"row\" class=\"short\">Quoted</th><td class=\"right\">-</td><td "
        "class=\"right\">7<span class=\"after\" style=\"min-width:15ch\">.5</span></td><t"
        "d class=\"right\">-</td><td class=\"right\">-1.00</td></tr>\n"
        "</tbody>\n"
        "</table>\n"
        "</div>\n"
        "<figcaption>\n"
        "<p>Mean ± sd (n).</p>\n"
        "<p>BLEU: nrefs:1|tok:none</p>\n"
        "</figcaption>\n"
        "</figure>\n");
}

/* Numbers with units are aligned at their ends. The decimal points of millions are not aligned with
 * those of thousands. Marks stay at the end. */
TEST(numbers_with_units_end_together)
{
    static const char *const cells[] = {"11.9M", "+524K", "0", "213M"};
    struct sheet *sheet = sheet_new(&arena, 4, 2);
    sheet->column[0] = (struct sheet_column){"Method", SHEET_LEFT, 0};
    sheet->column[1] = (struct sheet_column){"Params", SHEET_NUMBER, 0};
    for (int row = 0; row < 4; row++) {
        sheet_set(sheet, row, 0, "x");
        sheet_set(sheet, row, 1, cells[row]);
    }
    PRINTS(sheet, SHEET_TEXT,
           "Method  Params\n──────────────\nx        11.9M\nx        +524K\nx            0\n"
           "x         213M\n");
    sheet_at(sheet, 3, 1)->mark = "a";
    PRINTS(sheet, SHEET_TEXT,
           "Method  Params\n──────────────\nx       11.9M\nx       +524K\nx           0\n"
           "x        213Ma\n");
}
