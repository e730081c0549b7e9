/* Converts text to lower case. A table of single letters does not suffice for two capital letters.
 * I with a dot becomes two characters. The result for sigma depends on its neighbors (The Unicode
 * Standard, table 3-17, Final_Sigma). */
#include "core/text/lower.h"

#include <string.h>
#include <utf8proc.h>

#include "core/text/utf8.h"

enum { SIGMA = 0x3A3, SMALL_SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2, DOTTED_I = 0x130, DOT = 0x307 };

static bool is_cased(uint32_t code)
{
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LT) || code == 0xAA ||
           code == 0xBA || (code >= 0x2160 && code <= 0x217F) ||
           (code >= 0x24B6 && code <= 0x24E9) || (code >= 0x1F130 && code <= 0x1F149) ||
           (code >= 0x1F150 && code <= 0x1F169) || (code >= 0x1F170 && code <= 0x1F189);
}

/* True if the rule of the final sigma skips the character (Case_Ignorable). */
static bool is_ignorable(uint32_t code)
{
    static const uint32_t sign[] = {'\'',   '.',    ':',    0xB7,   0x387,  0x55F,
                                    0x5F4,  0x2018, 0x2019, 0x2024, 0x2027, 0xFE13,
                                    0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    for (size_t i = 0; i < COUNT_OF(sign); i++)
        if (sign[i] == code) return true;
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
           category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_LM ||
           category == UTF8PROC_CATEGORY_SK;
}

/* True if the sigma at `at` ends a word: without ignorable characters, the preceding character is a
 * cased letter, and the following one is not. */
static bool is_final(const char *text, size_t bytes, size_t at)
{
    uint32_t code = 0;
    bool before = false;
    for (size_t i = at; i > 0;) {
        do i--;
        while (((unsigned char)text[i] & 0xC0) == 0x80);
        utf8_decode(text + i, &code);
        if (is_ignorable(code)) continue;
        before = is_cased(code);
        break;
    }
    if (!before) return false;
    for (size_t i = at + (size_t)utf8_length(text + at); i < bytes;) {
        i += (size_t)utf8_decode(text + i, &code);
        if (!is_ignorable(code)) return !is_cased(code);
    }
    return true;
}

void lower_add(struct buffer *out, const char *text, size_t bytes)
{
    if (!bytes) return;
    char *to = buffer_room(out, 2 * bytes); /* two bytes become at most three */
    for (size_t i = 0; i < bytes;) {
        uint32_t code;
        if (!(text[i] & 0x80)) {
            const char byte = text[i++];
            *to++ = byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte;
            continue;
        }
        const size_t length = (size_t)utf8_decode(text + i, &code);
        const uint32_t lower =
            code == SIGMA      ? (is_final(text, bytes, i) ? FINAL_SIGMA : SMALL_SIGMA)
            : code == DOTTED_I ? 'i'
                               : (uint32_t)utf8proc_tolower((utf8proc_int32_t)code);
        to += utf8_put(lower, to);
        if (code == DOTTED_I) to += utf8_put(DOT, to);
        i += length;
    }
    out->bytes = (size_t)(to - out->text);
}

bool lower_is_special(const char *text, size_t bytes)
{
    return bytes && (memmem(text, bytes, "\xC4\xB0", 2) || memmem(text, bytes, "\xCE\xA3", 2));
}
