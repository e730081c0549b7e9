/* Escapes the special characters of each output form, except LaTeX (escape_latex.c). mask_next
 * replaces unprintable characters by question marks. */
#include "results/sheet/escape.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/mask.h"
#include "core/base/number.h"

/* Prints the text. `put` prints an ASCII character that needs escaping and returns true. Other
 * characters are copied. */
static void put_escaped(const char *text, bool (*put)(char character, FILE *out), FILE *out)
{
    while (*text) {
        int32_t character;
        const char *next = mask_next(text, &character);
        const bool plain = character >= 0x80 || !put((char)character, out);
        if (plain && character == '?')
            fputc('?', out);
        else if (plain)
            fwrite(text, 1, (size_t)(next - text), out);
        text = next;
    }
}

static bool put_html(char character, FILE *out)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = strchr(special, character);
    if (at) fputs(entity[at - special], out);
    return at;
}

void escape_html(const char *text, FILE *out)
{
    put_escaped(text, put_html, out);
}

/* Escapes a character of Markdown. &, < and > become entities, because they could act as HTML even
 * after a backslash. | is escaped because it ends a table cell even within backquotes, and $
 * because GitHub reads text between dollars as mathematics. */
static bool put_markdown(char character, FILE *out)
{
    if (strchr("&<>", character)) return put_html(character, out);
    if (!strchr("\\`*_~[]|$#", character)) return false;
    fprintf(out, "\\%c", character);
    return true;
}

void escape_markdown(const char *text, FILE *out)
{
    put_escaped(text, put_markdown, out);
}

void escape_markdown_line(const char *text, FILE *out)
{
    size_t digits = strspn(text, "0123456789");
    fwrite(text, 1, digits, out);
    text += digits;
    if (*text && strchr(digits ? ".)" : "+-=", *text)) fputc('\\', out);
    escape_markdown(text, out);
}

static bool put_csv(char character, FILE *out)
{
    if (character != '"') return false;
    fputs("\"\"", out);
    return true;
}

static bool begins_formula(const char *text)
{
    int32_t first;
    text += strspn(text, " ");
    if (!text[number_length(text)]) return false; /* empty, or a number */
    mask_next(text, &first);
    /* Spreadsheets also accept the full-width forms of these signs. */
    return first < 0x80 ? strchr("=+-@", (int)first) != NULL
                        : first == 0xff1d || first == 0xff0b || first == 0xff0d || first == 0xff20;
}

static void put_field(const char *text, bool spreadsheet, FILE *out)
{
    bool quoted = strpbrk(text, "\",;") != NULL || *text == ' ';
    if (quoted) fputc('"', out);
    if (spreadsheet && begins_formula(text)) fputc('\'', out);
    put_escaped(text, put_csv, out);
    if (quoted) fputc('"', out);
}

void escape_field(const char *text, FILE *out)
{
    put_field(text, false, out);
}

void escape_csv(const char *text, FILE *out)
{
    put_field(text, true, out);
}
