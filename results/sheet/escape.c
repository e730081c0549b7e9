#include "results/sheet/escape.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/mask.h"
#include "core/base/number.h"

/* Copies the text; an ASCII character that `replace` knows becomes what it says. */
static void put_replaced(const char *text, const char *(*replace)(int32_t), FILE *out)
{
    while (*text) {
        int32_t character;
        const char *next = mask_next(text, &character);
        const char *other = replace(character);
        if (other)
            fputs(other, out);
        else if (character == '?')
            fputc('?', out);
        else
            fwrite(text, 1, (size_t)(next - text), out);
        text = next;
    }
}

static const char *replace_html(int32_t character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    }
    return NULL;
}

void escape_html(const char *text, FILE *out)
{
    put_replaced(text, replace_html, out);
}

/* Entities where a backslash would still leave HTML; a pipe ends a cell even within backquotes. */
static const char *replace_markdown(int32_t character)
{
    switch (character) {
    case '&':
    case '<':
    case '>':
        return replace_html(character);
    case '\\':
        return "\\\\";
    case '`':
        return "\\`";
    case '*':
        return "\\*";
    case '_':
        return "\\_";
    case '~':
        return "\\~";
    case '[':
        return "\\[";
    case ']':
        return "\\]";
    case '|':
        return "\\|";
    case '$': /* mathematics on GitHub */
        return "\\$";
    case '#':
        return "\\#";
    }
    return NULL;
}

void escape_markdown(const char *text, FILE *out)
{
    put_replaced(text, replace_markdown, out);
}

void escape_markdown_line(const char *text, FILE *out)
{
    size_t digits = strspn(text, "0123456789");
    fwrite(text, 1, digits, out);
    text += digits;
    if (*text && strchr(digits ? ".)" : "+-=", *text)) fputc('\\', out);
    escape_markdown(text, out);
}

static const char *replace_csv(int32_t character)
{
    return character == '"' ? "\"\"" : NULL;
}

static bool begins_formula(const char *text)
{
    int32_t first;
    text += strspn(text, " ");
    if (!text[number_length(text)]) return false; /* nothing, or a number */
    mask_next(text, &first);
    /* Full width ones are taken for the same. */
    return first < 0x80 ? strchr("=+-@", (int)first) != NULL
                        : first == 0xff1d || first == 0xff0b || first == 0xff0d || first == 0xff20;
}

void escape_csv(const char *text, FILE *out)
{
    bool quoted = strpbrk(text, "\",;") != NULL || *text == ' ';
    if (quoted) fputc('"', out);
    if (begins_formula(text)) fputc('\'', out);
    put_replaced(text, replace_csv, out);
    if (quoted) fputc('"', out);
}

void escape_folder(const char *row, char name[ESCAPE_FOLDER])
{
    enum { MOST = 120, DIGITS = 8 };
    static const char good[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._=,+-";
    size_t length = 0;
    bool changed = !*row;
    for (const char *at = row; *at && length < MOST; at++) {
        bool stays = strchr(good, *at) && (length || (*at != '.' && *at != '-'));
        if (stays)
            name[length++] = *at;
        else if (!length || name[length - 1] != '_')
            name[length++] = '_';
        changed |= !stays || (length == MOST && at[1]);
    }
    if (!length) name[length++] = '_';
    name[length] = 0;
    if (!changed) return;
    char digest[DIGEST_TEXT];
    digest_bytes(row, strlen(row), digest);
    snprintf(name + length, ESCAPE_FOLDER - length, "-%.*s", DIGITS, digest);
}
