/* The record of the code that computed a stage: "train 4427979f5419530f, term.gauss ..". It is a
 * list of parts, each with a source and its digest (scripts/generate/code_digest). */
#pragma once

#include "core/base/arena.h"

#define CODE_PARTS_BETWEEN ", "

/* Returns the code text of a stage of that kind. Older programs wrote one digest of all sources;
 * this digest becomes a part named after the kind. */
const char *code_parts(const char *kind, const char *text, struct arena *arena);
/* Returns the part at *text and advances *text to the next part; NULL at the end. */
const char *code_parts_next(const char **text, struct arena *arena);
