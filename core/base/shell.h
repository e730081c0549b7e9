/* Quotes a word for a POSIX shell with single quotes. A word that needs no quotes is not
 * changed. */
#pragma once

#include "core/base/arena.h"

/* Characters that need no quotes. */
extern const char shell_plain[];
const char *shell_word(struct arena *arena, const char *word);
