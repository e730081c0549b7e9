/* Replaces characters that no font has. cairo draws such a character as a box. The box can be so
 * large that it covers the whole figure. */
#pragma once

#include "core/base/arena.h"

/* Returns a copy of the text in the arena, with a '?' for each character that no font of this
 * machine has. Sets *bytes to its length, and *missing to the list of these characters, "U+FFED,
 * U+1F600". Returns the text itself and sets *missing to NULL if fonts have all its characters.
 * Does the same if the text is not UTF-8, or if fontconfig's fc-list fails. */
const char *fonts_drawable(const char *text, size_t *bytes, const char **missing,
                           struct arena *arena);
