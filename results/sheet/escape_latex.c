/* Escapes text for LaTeX. The output has only commands of the LaTeX kernel that work in the font
 * encoding OT1, and letters in UTF-8. */
#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

#include "core/base/base.h"
#include "core/base/mask.h"
#include "results/sheet/escape.h"

/* Pairs of a character and the text that replaces it. A blank follows each character and each
 * text. */
static const char commands[] =
    "\\ \\textbackslash{} { \\{ } \\} & \\& # \\# % \\% _ \\_ ^ \\textasciicircum{} "
    "~ \\textasciitilde{} < \\textless{} > \\textgreater{} ` \\`{} * {*} "
    "[ {[} "                       /* after \\ LaTeX would read * and [ as arguments */
    "$ $\\mathdollar$ "            /* since 2020, LaTeX takes \$ from another font encoding */
    "| \\textbar{}\\allowbreak{} " /* so that LaTeX can break the lines of long signatures */
    "\" \\texttt{\\char34} "       /* many languages of babel make it a command */
    "\u00a0 ~ ¡ !`{} £ \\pounds{} § \\S{} © \\copyright{} ° $^{\\circ}$ ² $^{2}$ ³ $^{3}$ "
    "¶ \\P{} ¹ $^{1}$ ¿ ?`{} "
    "\u2009 \\, \u200b \\allowbreak{} \u2010 - \u2011 \\mbox{-} \u2012 -- – -- — --- "
    "‘ `{} ’ '{} ‚ ,{} “ ``{} ” ''{} „ ,,{} … \\ldots{} \u202f \\, ‰ {\\%}$_{0}$ ′ $'$ "
    "− $-$ ⁰ $^{0}$ ⁴ $^{4}$ ⁵ $^{5}$ ⁶ $^{6}$ ⁷ $^{7}$ ⁸ $^{8}$ ⁹ $^{9}$ ₀ $_{0}$ ₁ $_{1}$ "
    "₂ $_{2}$ ₃ $_{3}$ ₄ $_{4}$ ₅ $_{5}$ ₆ $_{6}$ ₇ $_{7}$ ₈ $_{8}$ ₉ $_{9}$ ";

/* Pairs of a character and the NAME of its command in mathematics, $\NAME$. Check marks would need
 * a package, so they become the most similar signs of mathematics. */
static const char mathematics[] =
    "« ll ¬ neg ± pm µ mu · cdot » gg × times ÷ div "
    "Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega "
    "α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta κ kappa λ lambda "
    "μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau φ varphi χ chi ψ psi ω omega "
    "† dagger ‡ ddagger △ triangle ▽ bigtriangledown • bullet "
    "← leftarrow ↑ uparrow → rightarrow ↓ downarrow ↔ leftrightarrow ⇐ Leftarrow ⇑ Uparrow "
    "⇒ Rightarrow ⇓ Downarrow "
    "∂ partial ∅ emptyset ∈ in ∓ mp ∗ ast ∘ circ √ surd ∞ infty ∩ cap ∪ cup ∼ sim ≈ approx "
    "≠ neq ≡ equiv ≤ leq ≥ geq ⊕ oplus "
    "✓ surd ✔ surd ✕ times ✗ times ✘ times ′ prime ";

/* Searches a list of pairs "character text". Returns the text of a character; *length is its number
 * of bytes. NULL: the list lacks the character. */
static const char *find(const char *list, const char *character, size_t bytes, int *length)
{
    for (const char *at = list; *at; at += *length + 1) {
        const size_t key = strcspn(at, " ");
        const bool found = key == bytes && !memcmp(at, character, bytes);
        at += key + 1;
        *length = (int)strcspn(at, " ");
        if (found) return at;
    }
    return NULL;
}

/* Letters that pdflatex reads in UTF-8 and prints in every font encoding. */
static const char letters[] =
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĢģ"
    "ĤĥĨĩĪīĬĭİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽžǍǎǏǐǑǒǓǔǦǧǨǩǰ"
    "ǴǵȘșȚțȲȳḂḃḍḞḟḠḡḥḰḱḷṃṅṇṛṣṭẎẏẐẑỲỳ";

static bool put_command(const char *character, size_t bytes, FILE *out)
{
    int length;
    const char *text = find(commands, character, bytes, &length);
    if (text) {
        fprintf(out, "%.*s", length, text);
        return true;
    }
    text = find(mathematics, character, bytes, &length);
    if (text) fprintf(out, "$\\%.*s$", length, text);
    return text != NULL;
}

/* True if TeX would join the two characters into one sign: --, '', ,,, ?` and !`. */
static bool joins(int32_t character, int32_t next)
{
    if (character == '?' || character == '!') return next == '`' || next == 0x2018;
    return character == next && (character == '-' || character == '\'' || character == ',');
}

void escape_latex(const char *text, FILE *out)
{
    SCOPED(heap_free) char *composed = (char *)utf8proc_NFC((const utf8proc_uint8_t *)text);
    if (composed) text = composed; /* NULL: invalid UTF-8 */
    for (const char *first = text; *text;) {
        int32_t character, following = 0;
        const char *begin = text;
        text = mask_next(text, &character);
        const size_t bytes = (size_t)(text - begin);
        if (*text) mask_next(text, &following);
        if (character == '-' && (begin == first || begin[-1] == ' ') && following >= '0' &&
            following <= '9') {
            fputs("$-$", out); /* the minus of a number */
        } else if (character != '?' && put_command(begin, bytes, out)) {
            continue;
        } else if (character < 0x80) {
            fputc((int)character, out);
            if (joins(character, following)) fputs("{}", out);
        } else if (memmem(letters, sizeof letters - 1, begin, bytes)) {
            fwrite(begin, 1, bytes, out);
        } else {
            fprintf(out, "{[}U+%04X]", (unsigned)character);
        }
    }
}
