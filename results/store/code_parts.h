/* What a stage says of the code that it was done by, "train 4427979f5419530f, term.gauss ..": a
 * list of parts, each of a source and its digest (scripts/code_digest). */
#pragma once

#include "core/base/arena.h"

#define CODE_PARTS_BETWEEN ", "

/* The text of a stage of that kind; older programs wrote the digest of all its sources together,
 * which becomes a part of the kind's. */
const char *code_parts(const char *kind, const char *text, struct arena *arena);
/* The part at *text, behind which *text then is; NULL: it is at its end. */
const char *code_parts_next(const char **text, struct arena *arena);
