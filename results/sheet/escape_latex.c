/* Escapes text for LaTeX, and finds mathematics in a text (escape.h). The output has only commands
 * of the LaTeX kernel that work in the font encoding OT1. */
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
    "Æ \\AE{} Ø \\O{} ß \\ss{} æ \\ae{} ø \\o{} ı \\i{} Ł \\L{} ł \\l{} Œ \\OE{} œ \\oe{} "
    "\u2009 \\, \u200b \\allowbreak{} \u2010 - \u2011 \\mbox{-} \u2012 -- – -- — --- "
    "‘ `{} ’ '{} ‚ ,{} “ ``{} ” ''{} „ ,,{} … \\ldots{} \u202f \\, ‰ {\\%}$_{0}$ ′ $'$ "
    "− $-$ ";

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

/* Other commands of mathematics. functions[n] lists the commands with n arguments (groups in
 * braces). */
static const char *const functions[] = {
    " ell le ge ne to sum prod max min log exp cdots ldots mid phi epsilon ",
    " sqrt hat bar tilde vec mathrm mathbf mathit mathcal ", " frac "};

/* Searches a list of pairs "key text" for the pair whose key is `word` or, if `second` is true,
 * whose text is `word`. Returns the other half of the pair; *other is its number of bytes. Returns
 * NULL if there is no such pair. */
static const char *find(const char *list, const char *word, size_t bytes, bool second, int *other)
{
    for (const char *at = list; *at;) {
        const size_t key = strcspn(at, " "), text = strcspn(at + key + 1, " ");
        const char *one = second ? at + key + 1 : at;
        *other = (int)(second ? key : text);
        if ((second ? text : key) == bytes && !memcmp(one, word, bytes))
            return second ? at : at + key + 1;
        at += key + text + 2;
    }
    return NULL;
}

/* Returns the number of arguments of a command of mathematics; -1 if the lists above lack it. */
static int command_groups(const char *name, size_t length)
{
    int bytes;
    for (int groups = 0; groups < (int)COUNT_OF(functions); groups++)
        for (const char *at = functions[groups] + 1; *at; at += strcspn(at, " ") + 1)
            if (strcspn(at, " ") == length && !memcmp(at, name, length)) return groups;
    return find(mathematics, name, length, true, &bytes) ? 0 : -1;
}

static size_t letters(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static const char *list_end(const char *at, int depth);

/* Returns the end of the group in braces that begins at `at`; NULL if no valid group begins
 * there. */
static const char *group_end(const char *at, int depth)
{
    enum { DEEPEST = 16 };
    const char *end = *at == '{' && depth < DEEPEST ? list_end(at + 1, depth + 1) : NULL;
    return end && *end == '}' ? end + 1 : NULL;
}

/* Returns the end of the sign, the group, or the command with its arguments that begins at `at`.
 * Returns NULL if it is invalid in mathematics. */
static const char *atom_end(const char *at, int depth)
{
    static const char signs[] = "0123456789=<>+-*/()[]|,.:;!?";
    if (*at == '{') return group_end(at, depth);
    if (*at != '\\') return *at && (letters(at) || strchr(signs, *at)) ? at + 1 : NULL;
    const size_t command = letters(at + 1);
    if (!command) return at[1] && strchr(",;{}", at[1]) ? at + 2 : NULL;
    int groups = command_groups(at + 1, command);
    if (groups < 0) return NULL;
    for (at += 1 + command; at && groups; groups--) at = group_end(at, depth);
    return at;
}

/* Returns the end of the mathematics that begins at `at`: a $, a } that closes no group, or the end
 * of the text. Returns NULL if LaTeX would reject the mathematics, for example because a sign has
 * two indices. */
static const char *list_end(const char *at, int depth)
{
    bool low = false, high = false; /* low: the last sign has an index; high: an exponent */
    while (at && *at && !strchr("$}", *at)) {
        if (*at == ' ') {
            at++;
        } else if (strchr("_^'", *at)) {
            bool *has = *at == '_' ? &low : &high;
            if (*has) return NULL;
            *has = true;
            if (*at == '\'') {
                at += strspn(at, "'");
            } else {
                int bytes;
                if (at[1] == '\\' && !find(mathematics, at + 2, letters(at + 2), true, &bytes))
                    return NULL;
                at = atom_end(at + 1, depth);
            }
        } else {
            low = high = false;
            at = atom_end(at, depth);
        }
    }
    return at;
}

/* Returns the number of bytes of the mathematics with which the text begins, dollars included; 0 if
 * the text does not begin with mathematics. */
static size_t math_length(const char *text)
{
    if (*text != '$' || !text[1] || strchr(" $", text[1])) return 0;
    const char *end = list_end(text + 1, 0);
    if (!end || *end != '$' || end[-1] == ' ' || (end[1] >= '0' && end[1] <= '9')) return 0;
    return (size_t)(end + 1 - text);
}

static void put_plain(const char *text, size_t length, FILE *out)
{
    for (const char *end = text + length; text < end; text++) {
        const size_t command = *text == '\\' ? letters(text + 1) : 0;
        int bytes;
        const char *sign = command ? find(mathematics, text + 1, command, true, &bytes) : NULL;
        if (sign)
            fwrite(sign, 1, (size_t)bytes, out);
        else
            fputc(*text, out);
        if (sign) text += command;
    }
}

const char *escape_plain(struct arena *arena, const char *text)
{
    if (!text || !strchr(text, '$')) return text;
    ARENA_STREAM(plain);
    while (*text) {
        const size_t math = math_length(text);
        if (math)
            put_plain(text + 1, math - 2, plain.out);
        else
            fputc(*text, plain.out);
        text += math ? math : 1;
    }
    return arena_stream_close(arena, &plain);
}

static const struct accent {
    int32_t character;
    const char *command;
} accents[] = {
    {0x300, "\\`"}, {0x301, "\\'"}, {0x302, "\\^"},  {0x303, "\\~"}, {0x304, "\\="},
    {0x306, "\\u"}, {0x307, "\\."}, {0x308, "\\\""}, {0x30a, "\\r"}, {0x30b, "\\H"},
    {0x30c, "\\v"}, {0x323, "\\d"}, {0x327, "\\c"},
};

static bool put_command(const char *character, size_t bytes, FILE *out)
{
    int length;
    const char *text = find(commands, character, bytes, false, &length);
    if (text) {
        fprintf(out, "%.*s", length, text);
        return true;
    }
    text = find(mathematics, character, bytes, false, &length);
    if (text) fprintf(out, "$\\%.*s$", length, text);
    return text != NULL;
}

static const char *find_accent(int32_t character)
{
    for (size_t i = 0; i < COUNT_OF(accents); i++)
        if (accents[i].character == character) return accents[i].command;
    return NULL;
}

static bool is_letter(int32_t character)
{
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
}

static void put_accented(int32_t letter, const char *accent, FILE *out)
{
    const bool dotless = letter == 'i' || letter == 'j';
    fprintf(out, "%s{%s%c}", accent, dotless ? "\\" : "", (char)letter);
}

/* Prints a precomposed letter with one accent. Returns false for other characters. */
static bool put_composed(int32_t character, FILE *out)
{
    utf8proc_int32_t part[4];
    int boundary = 0;
    utf8proc_ssize_t parts = utf8proc_decompose_char(
        character, part, (utf8proc_ssize_t)COUNT_OF(part), UTF8PROC_DECOMPOSE, &boundary);
    const char *accent = parts == 2 ? find_accent(part[1]) : NULL;
    if (!accent || !is_letter(part[0])) return false;
    put_accented(part[0], accent, out);
    return true;
}

/* True if TeX would join the two characters into one sign: --, '', ,,, ?` and !`. */
static bool joins(int32_t character, int32_t next)
{
    if (character == '?' || character == '!') return next == '`' || next == 0x2018;
    return character == next && (character == '-' || character == '\'' || character == ',');
}

void escape_latex(const char *text, FILE *out)
{
    for (const char *first = text; *text;) {
        int32_t character, following = 0;
        const char *begin = text;
        const size_t math = math_length(text);
        if (math) {
            fwrite(text, 1, math, out);
            text += math;
            continue;
        }
        text = mask_next(text, &character);
        const char *after = *text ? mask_next(text, &following) : text;
        const char *accent = find_accent(following);
        if (accent && is_letter(character)) {
            put_accented(character, accent, out);
            text = after;
        } else if (character == '-' && begin > first && begin[-1] == ' ' && following >= '0' &&
                   following <= '9') {
            fputs("$-$", out); /* the minus of a number */
        } else if (character != '?' && put_command(begin, (size_t)(text - begin), out)) {
            continue;
        } else if (character < 0x80) {
            fputc((int)character, out);
            if (joins(character, following)) fputs("{}", out);
        } else if (!put_composed(character, out)) {
            fprintf(out, "{[}U+%04X]", (unsigned)character);
        }
    }
}
