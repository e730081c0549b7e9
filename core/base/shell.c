/* Within single quotes only a single quote is special. */
#include "core/base/shell.h"

#include <string.h>

void shell_put(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=@%+,-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'') fputs("'\\'", out);
        fputc(*word, out);
    }
    fputc('\'', out);
}
