/* Lower-casing identical to Python's str.lower, with Unicode's full mapping. A capital sigma at the
 * end of a word becomes a final sigma. A dotted capital I becomes i and a combining dot. */
#pragma once

#include "core/base/buffer.h"

/* Appends the text, which must be valid UTF-8, in lower case. */
void lower_add(struct buffer *out, const char *text, size_t bytes);
/* True if the text has a capital sigma or a dotted capital I. Lower-casing by single letters, as in
 * version 1 of the stage `corpus`, may differ for such text. */
bool lower_is_special(const char *text, size_t bytes);
