/* A word as a POSIX shell reads it back: itself, or in single quotes. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* The characters that need no quotes. */
extern const char shell_plain[];
/* True if a word needs none. */
bool shell_is_plain(const char *word);
void shell_put(const char *word, FILE *out);
