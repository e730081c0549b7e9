/* Checks UTF-8 with utf8proc. Eight bytes of ASCII are checked at once, without utf8proc. */
#include "core/text/utf8.h"

#include <string.h>
#include <utf8proc.h>

#include "core/base/file.h"

int64_t utf8_check(const char *text, size_t bytes)
{
    size_t i = 0;
    while (i < bytes) {
        uint64_t eight;
        if (bytes - i >= 8 && (memcpy(&eight, text + i, 8), !(eight & 0x8080808080808080u))) {
            i += 8; /* all ASCII */
            continue;
        }
        utf8proc_int32_t code;
        const utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                                         (utf8proc_ssize_t)(bytes - i), &code);
        if (length <= 0) return (int64_t)i;
        i += (size_t)length;
    }
    return -1;
}

void utf8_require(const char *path, int64_t line, const char *text, size_t bytes)
{
    const char *nul = bytes ? memchr(text, 0, bytes) : NULL;
    const int64_t bad = utf8_check(text, nul ? (size_t)(nul - text) : bytes);
    if (bad < 0 && !nul) return;
    size_t column;
    line += file_find_line(text, bad < 0 ? nul : text + bad, &column);
    if (bad < 0) die("%s:%lld: byte %zu is a NUL; expected text", path, (long long)line, column);
    die("%s:%lld: byte %zu (0x%02x) is not valid UTF-8; convert the file, for example with iconv",
        path, (long long)line, column, (unsigned char)text[bad]);
}

size_t utf8_mark(const char *text, size_t bytes)
{
    return bytes >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

char *utf8_text(const char *path, char *text, size_t *bytes)
{
    utf8_require(path, 1, text, *bytes);
    const size_t mark = utf8_mark(text, *bytes);
    *bytes -= mark;
    return text + mark;
}

char *utf8_read(struct arena *arena, const char *path, size_t limit, size_t *bytes)
{
    char *text = file_read(arena, path, limit, bytes);
    return utf8_text(path, text, bytes);
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

size_t utf8_space(const char *at, size_t left)
{
    const unsigned char *c = (const unsigned char *)at;
    if (!left || (*c > ' ' && *c < 0xC2)) return 0;
    if (*c <= ' ') return *c >= 0x1C || (*c >= 0x09 && *c <= 0x0D);
    if (left >= 2 && c[0] == 0xC2 && (c[1] == 0x85 || c[1] == 0xA0)) return 2;
    if (left < 3 || c[0] < 0xE1 || c[0] > 0xE3) return 0;
    const unsigned code = (c[0] & 15u) << 12 | (c[1] & 63u) << 6 | (c[2] & 63u);
    const bool space = code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
                       code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
    return space ? 3 : 0;
}

size_t utf8_word(const char **at, const char *end)
{
    const size_t left = (size_t)(end - *at);
    size_t begin = 0, stop, space;
    while ((space = utf8_space(*at + begin, left - begin))) begin += space;
    for (stop = begin; stop < left && !utf8_space(*at + stop, left - stop);)
        stop += (size_t)utf8_length(*at + stop);
    *at += begin;
    return stop - begin;
}

int utf8_put(uint32_t code, char out[UTF8_MOST])
{
    return (int)utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)out);
}
