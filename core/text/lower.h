/* Small letters as Python's str.lower has them: Unicode's full mapping, in which a capital sigma at
 * the end of a word becomes a final one and a dotted capital I two characters. */
#ifndef CORE_TEXT_LOWER_H
#define CORE_TEXT_LOWER_H

#include "core/base/buffer.h"

/* Appends valid UTF-8 in small letters. */
void lower_add(struct buffer *out, const char *text, size_t bytes);

#endif
