/* Finds the characters of the installed fonts. Runs fc-list once, which prints the ranges of
 * characters of each font in hexadecimal. */
#include "core/text/fonts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/text/utf8.h"

struct font_range {
    uint32_t first, last;
};

static struct {
    bool asked;
    int count; /* number of ranges; 0: not known */
    struct font_range *range;
} all;

/* Reads the ranges of all fonts, such as "20-7e a0-17f 192". */
static void read_ranges(const char *text)
{
    while (*text) {
        char *end;
        const uint32_t first = (uint32_t)strtoul(text, &end, 16);
        if (end == text) {
            text++;
            continue;
        }
        const uint32_t last = *end == '-' ? (uint32_t)strtoul(end + 1, &end, 16) : first;
        HEAP_ADD(all.range, all.count, (struct font_range){first, last});
        text = end;
    }
}

static void ask(void)
{
    static const char *const word[] = {"fc-list", "-f", "%{charset}\n", NULL};
    struct arena arena = {0};
    all.asked = true;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0 && child_file(word, 0, &arena)) {
        const struct child_said said = child_try("plot", word, nowhere, &arena);
        if (!said.end) read_ranges(said.text);
    }
    if (nowhere >= 0) close(nowhere);
    arena_free(&arena);
}

/* True if a list such as "U+FFED, U+1F600" contains a name. */
static bool has_name(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if (!at[length] || at[length] == ',') return true;
    return false;
}

static bool has(uint32_t code)
{
    if (!all.asked) ask();
    for (int i = 0; i < all.count; i++)
        if (code >= all.range[i].first && code <= all.range[i].last) return true;
    return !all.count;
}

const char *fonts_drawable(const char *text, size_t *bytes, const char **missing,
                           struct arena *arena)
{
    char *drawable = arena_text_range(arena, text, *bytes);
    size_t to = 0;
    *missing = NULL;
    if (utf8_check(text, *bytes) >= 0) return text;
    for (size_t at = 0; at < *bytes;) {
        uint32_t code;
        const size_t length = (size_t)utf8_decode(text + at, &code);
        if (code < 0x80 || has(code)) {
            memmove(drawable + to, text + at, length);
            to += length;
        } else {
            const char *name = arena_print(arena, "U+%04X", (unsigned)code);
            if (!has_name(*missing, name))
                *missing = *missing ? arena_print(arena, "%s, %s", *missing, name) : name;
            drawable[to++] = '?';
        }
        at += length;
    }
    drawable[to] = 0;
    *bytes = to;
    return *missing ? drawable : text;
}
