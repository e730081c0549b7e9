/* Masks the kinds of characters that a terminal may interpret, and bytes that are not UTF-8. */
#include "core/base/mask.h"

#include <string.h>
#include <utf8proc.h>

/* True for overrides, embeddings and isolates, which show text in another order than stored. */
static bool turns_direction(int32_t character)
{
    return (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

size_t mask_take(const char *text, size_t left, int32_t *character)
{
    const utf8proc_ssize_t bytes =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, character);
    if (bytes <= 0) {
        *character = '?';
        return 1;
    }
    const utf8proc_category_t category = utf8proc_category(*character);
    if (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
        category == UTF8PROC_CATEGORY_ZP || turns_direction(*character))
        *character = '?';
    return (size_t)bytes;
}

const char *mask_next(const char *text, int32_t *character)
{
    return text + mask_take(text, strnlen(text, 4), character);
}

void mask_text(char *text)
{
    char *to = text;
    while (*text) {
        int32_t character;
        const char *next = mask_next(text, &character);
        const size_t bytes = (size_t)(next - text);
        if (character == '?')
            *to++ = '?';
        else
            to = (char *)memmove(to, text, bytes) + bytes;
        text += bytes;
    }
    *to = 0;
}

void mask_put(const char *text, FILE *out)
{
    while (*text) {
        int32_t character;
        const char *next = mask_next(text, &character);
        if (character == '?')
            fputc('?', out);
        else
            fwrite(text, 1, (size_t)(next - text), out);
        text = next;
    }
}

bool mask_spares(const char *lines)
{
    int32_t shown = 0;
    while (*lines) {
        const char *sign = lines;
        lines = mask_next(sign, &shown);
        if (shown == '?' && !strchr("?\n\t", *sign) && strncmp(sign, "\r\n", 2) != 0) return false;
    }
    return true;
}
