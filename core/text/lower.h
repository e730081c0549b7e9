/* Lower-casing as Python's str.lower does it, by Unicode's full mapping: a capital sigma at the end
 * of a word becomes a final sigma, and a dotted capital I becomes i and a combining dot. */
#pragma once

#include "core/base/buffer.h"

/* Appends the text, which must be valid UTF-8, in lower case. */
void lower_add(struct buffer *out, const char *text, size_t bytes);
/* True if the text has a capital sigma or a dotted capital I: lower-casing by single letters, as
 * version 1 of the stage `corpus` does it, may differ there. */
bool lower_is_special(const char *text, size_t bytes);
