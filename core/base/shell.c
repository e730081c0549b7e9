/* Within single quotes only a single quote is special. */
#include "core/base/shell.h"

#include <string.h>

const char shell_plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";

bool shell_is_plain(const char *word)
{
    return *word && strspn(word, shell_plain) == strlen(word);
}

void shell_put(const char *word, FILE *out)
{
    if (shell_is_plain(word)) {
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

const char *shell_word(struct arena *arena, const char *word)
{
    struct arena_stream text;
    arena_stream_open(&text);
    shell_put(word, text.out);
    return arena_stream_close(arena, &text);
}
