/* Replaces characters that no font has. cairo would draw such a character as a box of any size,
 * which may cover all of a PDF or PNG. */
#pragma once

#include "core/base/arena.h"

/* Returns the text with a '?' for each character that no font of this machine has, in the arena;
 * *bytes becomes its length. *missing becomes the list of these characters, "U+FFED, U+1F600".
 * Returns the text itself, with *missing NULL, if fonts have all characters, if the text is not
 * UTF-8, or if fontconfig's fc-list fails. */
const char *fonts_drawable(const char *text, size_t *bytes, const char **missing,
                           struct arena *arena);
