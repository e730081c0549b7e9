/* A word as a POSIX shell reads it back: itself, or in single quotes. */
#pragma once

#include "core/base/arena.h"

/* The characters that need no quotes. */
extern const char shell_plain[];
const char *shell_word(struct arena *arena, const char *word);
