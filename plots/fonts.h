/* Which characters can be drawn: cairo draws one that no font has as a box of any size, over all of
 * a PDF or PNG. */
#ifndef PLOTS_FONTS_H
#define PLOTS_FONTS_H

#include "core/base/arena.h"

/* The text with a '?' for each character that no font of this machine has; the text
 * itself where all are there, where it is no UTF-8, or where fontconfig's fc-list does not say what
 * fonts have. *missing:
 * "U+FFED, U+1F600", those of them, or NULL. In the arena. */
const char *fonts_drawable(const char *text, size_t *bytes, const char **missing,
                           struct arena *arena);

#endif
