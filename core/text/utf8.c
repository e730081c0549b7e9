#include "core/text/utf8.h"

#include <string.h>

/* The bytes of a valid sequence at `at`, or 0. */
static size_t sequence(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0], low = 0x80, high = 0xBF;
    size_t length;
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0) low = 0xA0;  /* below: overlong */
        if (lead == 0xED) high = 0x9F; /* above: surrogates */
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0) low = 0x90;  /* below: overlong */
        if (lead == 0xF4) high = 0x8F; /* above: beyond U+10FFFF */
    } else {
        return 0;
    }
    if (left < length || at[1] < low || at[1] > high) return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    return length;
}

int64_t utf8_check(const char *text, size_t bytes)
{
    size_t i = 0;
    while (i < bytes) {
        uint64_t eight;
        if (bytes - i >= 8 && (memcpy(&eight, text + i, 8), !(eight & 0x8080808080808080u))) {
            i += 8; /* all ASCII */
            continue;
        }
        size_t length = sequence((const unsigned char *)text + i, bytes - i);
        if (!length) return (int64_t)i;
        i += length;
    }
    return -1;
}

void utf8_require(const char *path, int64_t line, const char *text, size_t bytes)
{
    int64_t bad = utf8_check(text, bytes);
    if (bad < 0) return;
    const char *begin = text, *end;
    while ((end = memchr(begin, '\n', (size_t)(text + bad - begin)))) {
        begin = end + 1;
        line++;
    }
    die("%s:%lld: byte %lld (0x%02x) is not valid UTF-8; convert the file, for example with iconv",
        path, (long long)line, (long long)(text + bad - begin) + 1, (unsigned char)text[bad]);
}

int utf8_decode(const char *at, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)at;
    int length = utf8_length(at);
    uint32_t value = length == 1 ? c[0] : c[0] & (0x7Fu >> length);
    for (int i = 1; i < length; i++) value = value << 6 | (c[i] & 0x3F);
    *code = value;
    return length;
}

int utf8_encode(uint32_t code, char out[UTF8_MOST])
{
    static const unsigned char mark[UTF8_MOST + 1] = {0, 0, 0xC0, 0xE0, 0xF0};
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(mark[length] | code);
    return length;
}
