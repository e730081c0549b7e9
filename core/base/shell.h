/* A word as a POSIX shell reads it back: itself, or in single quotes. */
#ifndef CORE_BASE_SHELL_H
#define CORE_BASE_SHELL_H

#include <stdio.h>

void shell_put(const char *word, FILE *out);

#endif
