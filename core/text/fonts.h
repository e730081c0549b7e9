/* Which characters can be drawn: cairo draws one that no font has as a box of any size, over all of
 * a PDF or PNG. */
#pragma once

#include "core/base/arena.h"

/* The text with a '?' for each character that no font of this machine has, in the arena; *bytes is
 * then its length. *missing: those characters, "U+FFED, U+1F600". The text itself, and *missing
 * NULL, where fonts have them all, where the text is not UTF-8, or where fontconfig's fc-list does
 * not say what fonts have. */
const char *fonts_drawable(const char *text, size_t *bytes, const char **missing,
                           struct arena *arena);
