/* Reads the text that records which code computed a stage: "train 4427979f5419530f, term.gauss ..".
 * The text is a list of parts. Each part is the name of a group of source files and the digest of
 * these files (scripts/generate/code_digest). */
#pragma once

#include "core/base/arena.h"

#define CODE_PARTS_BETWEEN ", "

/* Returns the text as a list of parts. Older programs wrote only one digest of all sources. For
 * such a text, returns one part: the kind and this digest. */
const char *code_parts(const char *kind, const char *text, struct arena *arena);
/* Returns the part at *text and advances *text to the next part; NULL at the end. */
const char *code_parts_next(const char **text, struct arena *arena);
