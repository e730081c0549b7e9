/* Tests results/sheet/escape: names that contain code, markup, a formula or a command are printed
 * as the user wrote them. */
#include "core/base/mask.h"
#include "tests/support/test.h"

#include "results/sheet/escape.h"

typedef void escape(const char *text, FILE *out);

static void becomes(escape *how, const char *text, const char *expected)
{
    char *made = PRINTED(how(text, out));
    assert_string_equal(made, expected);
}

TEST(control_characters_reach_no_form)
{
    escape *const every[] = {mask_put, escape_html, escape_markdown, escape_csv, escape_latex};
    for (size_t i = 0; i < COUNT_OF(every); i++) {
        becomes(every[i], "two\nlines\r\t.", "two?lines??.");
        becomes(every[i], "\x1b]0;x\a", i == 3 ? "\"?]0;x?\"" : i == 2 ? "?\\]0;x?" : "?]0;x?");
        becomes(every[i], "a\xff\xc3", "a??"); /* invalid UTF-8 */
        becomes(every[i],
                "\xe2\x80\xae"
                "abc\xe2\x81\xa9",
                "?abc?"); /* change the direction of text */
        becomes(every[i],
                "a\xe2\x80\xa8"
                "b\xc2\x85",
                "a?b?"); /* line separator, next line */
        becomes(every[i], "", "");
    }
}

TEST(html)
{
    becomes(escape_html, "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
    becomes(escape_html, "\" onload='x' &amp; Größe", "&quot; onload=&#39;x&#39; &amp;amp; Größe");
}

TEST(markdown)
{
    becomes(escape_markdown, "a|b\\|c `id`", "a\\|b\\\\\\|c \\`id\\`");
    becomes(escape_markdown, "![x](javascript:y) **b** _i_ <b> &lt; $1$ ~~s~~ #1",
            "!\\[x\\](javascript:y) \\*\\*b\\*\\* \\_i\\_ &lt;b&gt; &amp;lt; \\$1\\$ \\~\\~s\\~\\~ "
            "\\#1");
    becomes(escape_markdown, "+ Local", "+ Local");
    becomes(escape_markdown_line, "+ Local", "\\+ Local");
    becomes(escape_markdown_line, "- x", "\\- x");
    becomes(escape_markdown_line, "12. x", "12\\. x");
    becomes(escape_markdown_line, "12 x", "12 x");
}

TEST(csv)
{
    becomes(escape_csv, "plain text", "plain text");
    becomes(escape_csv, "a,b", "\"a,b\"");
    becomes(escape_csv, "say \"hi\"", "\"say \"\"hi\"\"\"");
    becomes(escape_csv, "=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0");
    becomes(escape_csv, "+ Local", "'+ Local");
    becomes(escape_csv, "-x", "'-x");
    becomes(escape_csv, "@SUM(1,2)", "\"'@SUM(1,2)\"");
    becomes(escape_csv, "  =1", "\"'  =1\"");
    becomes(escape_csv, "x;=1", "\"x;=1\""); /* semicolons separate fields in some programs */
    becomes(escape_csv, "\t=1", "?=1");
    becomes(escape_csv,
            "\xef\xbc\x9d"
            "1",
            "'\xef\xbc\x9d"
            "1"); /* full-width = */
    static const char *const numbers[] = {"-0.31", "+2", "1e-05", "-12", ".5"};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) becomes(escape_csv, numbers[i], numbers[i]);
    becomes(escape_csv, "-1+cmd()", "'-1+cmd()");
    becomes(escape_csv, "-", "'-");
}

TEST(latex)
{
    becomes(escape_latex, "\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}");
    becomes(escape_latex, "50% & #1 a_b", "50\\% \\& \\#1 a\\_b");
    becomes(escape_latex, "~^<>",
            "\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}");
    becomes(escape_latex, "$x", "$\\mathdollar$x");
    becomes(escape_latex, "[1] *", "{[}1] {*}");
    becomes(escape_latex, "a--b ?`", "a-{}-b ?{}\\`{}");
    becomes(escape_latex, "''''", "'{}'{}'{}'");
    becomes(escape_latex, "36 ± 1", "36 $\\pm$ 1");
    becomes(escape_latex, "Größe, naïve, Ćwik, Łódź", "Größe, naïve, Ćwik, Łódź");
    becomes(escape_latex, "e\xcc\x81", "é");  /* e, and a combining accent */
    becomes(escape_latex, "Ą", "{[}U+0104]"); /* needs another font encoding */
    becomes(escape_latex, "Δ → ✓ α", "$\\Delta$ $\\rightarrow$ $\\surd$ $\\alpha$");
    becomes(escape_latex, "d₁ ≤ 10⁴", "d$_{1}$ $\\leq$ 10$^{4}$");
    becomes(escape_latex, "日本", "{[}U+65E5]{[}U+672C]");
    becomes(escape_latex, "\xf0\x9f\x98\x80", "{[}U+1F600]");
}

/* Dollars begin no mathematics, whatever is between them. */
TEST(dollars)
{
    becomes(escape_latex, "window $m=1$", "window $\\mathdollar$m=1$\\mathdollar$");
    becomes(escape_latex, "$\\input{x}$",
            "$\\mathdollar$\\textbackslash{}input\\{x\\}$\\mathdollar$");
    becomes(escape_latex, "$x_$", "$\\mathdollar$x\\_$\\mathdollar$");
    becomes(escape_latex, "$$", "$\\mathdollar$$\\mathdollar$");
}
