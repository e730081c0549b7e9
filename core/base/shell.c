/* Quotes words for a shell. Within single quotes only a single quote is special. */
#include "core/base/shell.h"

#include <string.h>

const char shell_plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";

const char *shell_word(struct arena *arena, const char *word)
{
    if (*word && !word[strspn(word, shell_plain)]) return word;
    char *quoted = arena_alloc(arena, 4 * strlen(word) + 3), *to = quoted;
    *to++ = '\'';
    for (; *word; word++) {
        if (*word == '\'') to = stpcpy(to, "'\\'");
        *to++ = *word;
    }
    *to++ = '\'';
    return quoted;
}
