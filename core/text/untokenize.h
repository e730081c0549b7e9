/* Detokenizes English tokens of other tokenizers (treebanks, Moses without escapes). These tokens,
 * unlike those of tokenize.h, do not mark blanks, so the result is a guess by the signs:
 *
 *   joined to the preceding token   . , ; : ! ? % ) ] } ” » ° and runs of . ! ? …; n't; tokens that
 *                                   begin with an apostrophe and a letter ('s, 'Brien); ’ and ''
 *   joined to the following token   ( [ { “ ‘ „ « # $ £ € ¥ ¿ ¡ and ``
 *   alternating                     " opens and closes; so does ', but after an s it closes
 *   joined on both sides            ' or ’ before s, t, m, d, re, ve, ll
 *
 * All other tokens, also hyphens and slashes, are separated by a blank. `` and '' become ", and `
 * becomes '. */
#pragma once

#include "core/base/buffer.h"

/* Appends the text of `line` to `out`. The line has tokens between single blanks, in valid UTF-8.
 * Unless `end` is NULL, end[i] becomes the end of token i in `out`. */
void untokenize_line(const char *line, size_t bytes, struct buffer *out, size_t *end);
