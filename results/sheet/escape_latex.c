/* escape_latex (escape.h): only what the kernel of LaTeX knows in the encoding OT1. */
#include <stdbool.h>
#include <utf8proc.h>

#include "core/base/base.h"
#include "core/base/mask.h"
#include "results/sheet/escape.h"

struct symbol {
    int32_t character;
    const char *command;
};

static const struct symbol symbols[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "$\\mathdollar$"}, /* \$ is of another encoding since 2020 */
    {'&', "\\&"},
    {'#', "\\#"},
    {'%', "\\%"},
    {'_', "\\_"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}\\allowbreak{}"}, /* signatures are long */
    {'"', "\\texttt{\\char34}"},        /* active in many languages of babel */
    {'`', "\\`{}"},
    {'[', "{[}"}, /* after \\ these two would belong to it */
    {'*', "{*}"},
    {0xa0, "~"},
    {0xa1, "!`{}"},
    {0xa3, "\\pounds{}"},
    {0xa7, "\\S{}"},
    {0xa9, "\\copyright{}"},
    {0xab, "$\\ll$"},
    {0xac, "$\\neg$"},
    {0xb0, "$^{\\circ}$"},
    {0xb1, "$\\pm$"},
    {0xb2, "$^{2}$"},
    {0xb3, "$^{3}$"},
    {0xb5, "$\\mu$"},
    {0xb6, "\\P{}"},
    {0xb7, "$\\cdot$"},
    {0xb9, "$^{1}$"},
    {0xbb, "$\\gg$"},
    {0xbf, "?`{}"},
    {0xc6, "\\AE{}"},
    {0xd7, "$\\times$"},
    {0xd8, "\\O{}"},
    {0xdf, "\\ss{}"},
    {0xe6, "\\ae{}"},
    {0xf7, "$\\div$"},
    {0xf8, "\\o{}"},
    {0x131, "\\i{}"},
    {0x141, "\\L{}"},
    {0x142, "\\l{}"},
    {0x152, "\\OE{}"},
    {0x153, "\\oe{}"},
    {0x393, "$\\Gamma$"},
    {0x394, "$\\Delta$"},
    {0x398, "$\\Theta$"},
    {0x39b, "$\\Lambda$"},
    {0x39e, "$\\Xi$"},
    {0x3a0, "$\\Pi$"},
    {0x3a3, "$\\Sigma$"},
    {0x3a6, "$\\Phi$"},
    {0x3a8, "$\\Psi$"},
    {0x3a9, "$\\Omega$"},
    {0x3b1, "$\\alpha$"},
    {0x3b2, "$\\beta$"},
    {0x3b3, "$\\gamma$"},
    {0x3b4, "$\\delta$"},
    {0x3b5, "$\\varepsilon$"},
    {0x3b6, "$\\zeta$"},
    {0x3b7, "$\\eta$"},
    {0x3b8, "$\\theta$"},
    {0x3ba, "$\\kappa$"},
    {0x3bb, "$\\lambda$"},
    {0x3bc, "$\\mu$"},
    {0x3bd, "$\\nu$"},
    {0x3be, "$\\xi$"},
    {0x3c0, "$\\pi$"},
    {0x3c1, "$\\rho$"},
    {0x3c3, "$\\sigma$"},
    {0x3c4, "$\\tau$"},
    {0x3c6, "$\\varphi$"},
    {0x3c7, "$\\chi$"},
    {0x3c8, "$\\psi$"},
    {0x3c9, "$\\omega$"},
    {0x2009, "\\,"},
    {0x200b, "\\allowbreak{}"},
    {0x2010, "-"},
    {0x2011, "\\mbox{-}"},
    {0x2012, "--"},
    {0x2013, "--"},
    {0x2014, "---"},
    {0x2018, "`{}"},
    {0x2019, "'{}"},
    {0x201a, ",{}"},
    {0x201c, "``{}"},
    {0x201d, "''{}"},
    {0x201e, ",,{}"},
    {0x2020, "$\\dagger$"},
    {0x2021, "$\\ddagger$"},
    {0x2022, "$\\bullet$"},
    {0x2026, "\\ldots{}"},
    {0x202f, "\\,"},
    {0x2030, "{\\%}$_{0}$"},
    {0x2032, "$'$"},
    {0x2190, "$\\leftarrow$"},
    {0x2191, "$\\uparrow$"},
    {0x2192, "$\\rightarrow$"},
    {0x2193, "$\\downarrow$"},
    {0x2194, "$\\leftrightarrow$"},
    {0x21d0, "$\\Leftarrow$"},
    {0x21d1, "$\\Uparrow$"},
    {0x21d2, "$\\Rightarrow$"},
    {0x21d3, "$\\Downarrow$"},
    {0x2202, "$\\partial$"},
    {0x2205, "$\\emptyset$"},
    {0x2208, "$\\in$"},
    {0x2212, "$-$"},
    {0x2213, "$\\mp$"},
    {0x2217, "$\\ast$"},
    {0x2218, "$\\circ$"},
    {0x221a, "$\\surd$"},
    {0x221e, "$\\infty$"},
    {0x2229, "$\\cap$"},
    {0x222a, "$\\cup$"},
    {0x223c, "$\\sim$"},
    {0x2248, "$\\approx$"},
    {0x2260, "$\\neq$"},
    {0x2261, "$\\equiv$"},
    {0x2264, "$\\leq$"},
    {0x2265, "$\\geq$"},
    {0x2295, "$\\oplus$"},
    {0x2713, "$\\surd$"}, /* check marks; the usual ones are of other packages */
    {0x2714, "$\\surd$"},
    {0x2715, "$\\times$"},
    {0x2717, "$\\times$"},
    {0x2718, "$\\times$"},
};

static const struct symbol accents[] = {
    {0x300, "\\`"}, {0x301, "\\'"}, {0x302, "\\^"},  {0x303, "\\~"}, {0x304, "\\="},
    {0x306, "\\u"}, {0x307, "\\."}, {0x308, "\\\""}, {0x30a, "\\r"}, {0x30b, "\\H"},
    {0x30c, "\\v"}, {0x323, "\\d"}, {0x327, "\\c"},
};

static const char *find(const struct symbol *symbol, size_t count, int32_t character)
{
    for (size_t i = 0; i < count; i++)
        if (symbol[i].character == character) return symbol[i].command;
    return NULL;
}

static bool is_letter(int32_t character)
{
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
}

static void put_accented(int32_t letter, const char *accent, FILE *out)
{
    if (letter == 'i' || letter == 'j')
        fprintf(out, "%s{\\%c}", accent, (char)letter);
    else
        fprintf(out, "%s{%c}", accent, (char)letter);
}

/* A letter with one accent, in one character. */
static bool put_composed(int32_t character, FILE *out)
{
    utf8proc_int32_t part[4];
    int boundary = 0;
    utf8proc_ssize_t parts = utf8proc_decompose_char(
        character, part, (utf8proc_ssize_t)COUNT_OF(part), UTF8PROC_DECOMPOSE, &boundary);
    const char *accent = parts == 2 ? find(accents, COUNT_OF(accents), part[1]) : NULL;
    if (!accent || !is_letter(part[0])) return false;
    put_accented(part[0], accent, out);
    return true;
}

/* TeX would make one sign of these two: --, '', ,,, ?` and !`. */
static bool joins(int32_t character, int32_t next)
{
    if (character == '?' || character == '!') return next == '`' || next == 0x2018;
    return character == next && (character == '-' || character == '\'' || character == ',');
}

void escape_latex(const char *text, FILE *out)
{
    while (*text) {
        int32_t character, following = 0;
        text = mask_next(text, &character);
        const char *after = *text ? mask_next(text, &following) : text;
        const char *accent = find(accents, COUNT_OF(accents), following);
        const char *command = find(symbols, COUNT_OF(symbols), character);
        if (accent && is_letter(character)) {
            put_accented(character, accent, out);
            text = after;
        } else if (command) {
            fputs(command, out);
        } else if (character < 0x80) {
            fputc((int)character, out);
            if (joins(character, following)) fputs("{}", out);
        } else if (!put_composed(character, out)) {
            fprintf(out, "{[}U+%04X]", (unsigned)character);
        }
    }
}
