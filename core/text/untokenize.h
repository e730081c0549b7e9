/* Tokens that others made of English (treebanks, Moses without escapes) as running text. They do
 * not say where blanks were, as ours do (tokenize.h), so this is a guess; signs decide it:
 *
 *   joined to what precedes    . , ; : ! ? % ) ] } ” » ° and runs of . ! ? …; n't; what begins
 *                              with an apostrophe and a letter ('s, 'Brien); ’ and ''
 *   joined to what follows     ( [ { “ ‘ „ « # $ £ € ¥ ¿ ¡ and ``
 *   by turns                   " opens and closes; so does ', but behind an s it closes
 *   joined to both             ' or ’ before s, t, m, d, re, ve, ll
 *
 * Between all others is a blank, hyphens and slashes too. `` and '' are written ", and ` is
 * written '. */
#pragma once

#include "core/base/buffer.h"

/* `line`: tokens between single blanks, valid UTF-8. Appends the text to `out`. Unless `end` is
 * NULL, end[i] gets where in `out` token i ends. */
void untokenize_line(const char *line, size_t bytes, struct buffer *out, size_t *end);
