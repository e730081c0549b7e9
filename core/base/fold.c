/* Breaks long lines at blanks, but not at their leading blanks. */
#include "core/base/fold.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "core/base/mask.h"
#include "core/base/mask_output.h"

int fold_width(const char *text, const char *end)
{
    int width = 0;
    while (*text && text != end) {
        int32_t character;
        text = mask_next(text, &character);
        width += utf8proc_charwidth(character);
    }
    return width;
}

void fold_line(FILE *out, int columns, int indent, const char *text)
{
    const char *from = text, *last = NULL;
    int used = 0, left = 0;
    bool word = false; /* the line has a word */
    for (const char *at = text; *at;) {
        int32_t character;
        if (*at == ' ' && word && at[-1] != ' ') last = at;
        word |= *at != ' ';
        at = mask_next(at, &character);
        used += utf8proc_charwidth(character);
        if (used + left <= columns || !last) continue;
        mask_line(out, "%*s%.*s", left, "", (int)(last - from), from);
        left = indent;
        from = last + strspn(last, " ");
        if (at < from) at = from;
        used = fold_width(from, at);
        last = NULL;
    }
    if (*from || from == text) mask_line(out, "%*s%s", left, "", from);
}

void fold_text(FILE *out, const char *text)
{
    const int columns = mask_columns(out);
    while (*text) {
        const size_t bytes = strcspn(text, "\n");
        SCOPED(heap_free) char *line = strndup(text, bytes);
        CHECK(line, "no memory for a line");
        fold_line(out, columns, 2, line);
        text += bytes + (text[bytes] == '\n');
    }
}
