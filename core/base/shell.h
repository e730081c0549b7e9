/* A word as a POSIX shell reads it back: itself, or in single quotes. */
#ifndef CORE_BASE_SHELL_H
#define CORE_BASE_SHELL_H

#include <stdbool.h>
#include <stdio.h>

/* The characters that need no quotes. */
extern const char shell_plain[];
/* True if a word needs none. */
bool shell_is_plain(const char *word);
void shell_put(const char *word, FILE *out);

#endif
