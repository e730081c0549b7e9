/* Detokenizes English tokens of other tokenizers (treebanks, Moses without escapes). These tokens
 * do not show where the text had blanks, in contrast to the tokens of tokenize.h. So blanks are
 * guessed:
 *
 *   joined to the preceding token   the tokens . , ; : ! ? % ) ] } ” » ° ’ '' n't
 *                                   runs of . ! ? …
 *                                   tokens that begin with an apostrophe and a letter ('s, 'Brien)
 *   joined to the following token   the tokens ( [ { “ ‘ „ « # $ £ € ¥ ¿ ¡ `` `
 *   joined to one side              " and ' open and close a quotation in turn. An opening mark is
 *                                   joined to the following token, a closing mark to the preceding
 *                                   one. After a token that ends with s, or at the end of the line,
 *                                   ' always closes
 *   joined on both sides            ' or ’ before the tokens s, t, m, d, re, ve, ll
 *
 * All other tokens, also hyphens and slashes, are separated by a blank. `` and '' become ", and `
 * becomes '. */
#pragma once

#include "core/base/buffer.h"

/* Appends the text of `line` to `out`. The line is valid UTF-8, with one blank between tokens.
 * Unless `end` is NULL, end[i] is set to the end of token i in `out`. */
void untokenize_line(const char *line, size_t bytes, struct buffer *out, size_t *end);
