/* Lower-cases standard input line by line (lower.h), for scripts/compare/lower.sh. */
#include <stdio.h>
#include <stdlib.h>

#include "core/text/lower.h"
#include "core/text/utf8.h"

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    struct buffer out = {0};
    for (ssize_t bytes; (bytes = getline(&line, &capacity, stdin)) > 0;) {
        utf8_require("standard input", 1, line, (size_t)bytes);
        buffer_clear(&out);
        lower_add(&out, line, (size_t)bytes);
        fwrite(out.text, 1, out.bytes, stdout);
    }
    free(line);
    buffer_free(&out);
    return 0;
}
