/* Detokenizes English tokens of other tokenizers (treebanks, Moses without escapes). Their tokens
 * do not mark blanks as ours do (tokenize.h), so the result is a guess by the signs:
 *
 *   joined to the preceding token   . , ; : ! ? % ) ] } ” » ° and runs of . ! ? …; n't; tokens that
 *                                   begin with an apostrophe and a letter ('s, 'Brien); ’ and ''
 *   joined to the following token   ( [ { “ ‘ „ « # $ £ € ¥ ¿ ¡ and ``
 *   alternating                     " opens and closes; so does ', but after an s it closes
 *   joined on both sides            ' or ’ before s, t, m, d, re, ve, ll
 *
 * All other tokens are separated by a blank, also hyphens and slashes. `` and '' are written ", and
 * ` is written '. */
#pragma once

#include "core/base/buffer.h"

/* line: tokens between single blanks, valid UTF-8. Appends the text to `out`. Unless `end` is NULL,
 * end[i] becomes the end of token i in `out`. */
void untokenize_line(const char *line, size_t bytes, struct buffer *out, size_t *end);
