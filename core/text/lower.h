/* Converts text to lower case, with the same result as Python's str.lower. A capital sigma at the
 * end of a word becomes a final sigma. A capital I with a dot becomes i and a combining dot. */
#pragma once

#include "core/base/buffer.h"

/* Appends the text, which must be valid UTF-8, in lower case. */
void lower_add(struct buffer *out, const char *text, size_t bytes);
/* True if the text has a capital sigma or a capital I with a dot. For such text, version 1 of the
 * kind `corpus`, which converted each letter separately, may give another result. */
bool lower_is_special(const char *text, size_t bytes);
