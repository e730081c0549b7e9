/* Quotes a word for a POSIX shell: unchanged, or in single quotes. */
#pragma once

#include "core/base/arena.h"

/* Characters that need no quotes. */
extern const char shell_plain[];
const char *shell_word(struct arena *arena, const char *word);
