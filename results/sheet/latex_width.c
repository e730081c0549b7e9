/* Widths of texts in LaTeX, in Computer Modern at 10 pt. Most fonts of papers are narrower. */
#include <ctype.h>
#include <string.h>

#include "results/sheet/escape.h"
#include "results/sheet/sheet_form.h"

/* Widths of the ASCII characters from the blank on, in 1/36 em. */
static const unsigned char character[] = {
    12, 10, 18, 30, 18, 30, 28, 10, 14, 14, 18, 28, 10, 12, 10, 18, 18, 18, 18, 18, 18, 18, 18, 18,
    18, 18, 10, 10, 28, 28, 28, 17, 28, 27, 26, 26, 28, 25, 24, 28, 27, 13, 19, 28, 23, 33, 27, 28,
    25, 28, 27, 20, 26, 27, 27, 37, 27, 27, 22, 10, 18, 10, 18, 11, 10, 18, 20, 16, 20, 16, 11, 18,
    20, 10, 11, 19, 10, 30, 20, 18, 20, 19, 14, 14, 14, 20, 19, 26, 19, 19, 16, 18, 10, 18, 12};

static int width_of(char sign)
{
    const unsigned char at = (unsigned char)(sign - ' ');
    return at < sizeof character ? character[at] : 0;
}

/* Adds the width of a command that escape_latex prints. Returns the end of the command. */
static const char *add_command(const char *at, int *width)
{
    enum { SYMBOL = 28 };
    static const char none[] = "allowbreak";
    const char *end = at;
    while (isalpha((unsigned char)*end)) end++;
    const size_t length = (size_t)(end - at);
    if (!length) { /* an accent has no width, \_ has that of the character */
        *width += strchr("`'^~=.\"", *at) ? 0 : width_of(*at);
        return at + (*at != 0);
    }
    if (length > 1 && (length != strlen(none) || memcmp(at, none, length) != 0)) *width += SYMBOL;
    return end;
}

double latex_width(const char *text, bool bold)
{
    SCOPED(arena_free) struct arena arena = {0};
    ARENA_STREAM(latex);
    int width = 0;
    escape_latex(text, latex.out);
    for (const char *at = arena_stream_close(&arena, &latex); *at;) {
        if (*at == '\\') {
            at = add_command(at + 1, &width);
            continue;
        }
        if (!strchr("{}$", *at)) width += width_of(*at);
        at++;
    }
    return width * (bold ? 1.16 : 1) * 10 / 36;
}
