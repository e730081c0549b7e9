/* Escaping of free text (names, titles, captions) for output forms. The result is always plain
 * text: no markup, no command, no formula, no control sequence.
 *
 * In every form, the characters that the mask removes (core/base/mask.h) become question marks. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "core/base/arena.h"

void escape_html(const char *text, FILE *out);     /* between tags, and in quoted attributes */
void escape_markdown(const char *text, FILE *out); /* GitHub's: within a line, in a table cell */
void escape_markdown_line(const char *text, FILE *out); /* at the start of a line: no list,
                                                           heading */
void escape_field(const char *text, FILE *out);         /* one field of RFC 4180 */
/* One field for spreadsheets: a text that looks like a formula (= + - @ first) gets an apostrophe
 * as prefix, unless it is a number. */
void escape_csv(const char *text, FILE *out);
/* For pdflatex without packages, in a paragraph, a cell or a caption. Accents and symbols become
 * commands. A character that the standard fonts lack becomes its code, [U+65E5]. Mathematics is
 * copied. */
void escape_latex(const char *text, FILE *out);

/* Returns the text without mathematics, for forms that have none: without the dollars, and with
 * signs instead of their commands. Mathematics is a pair of dollars in one text, "$m=1$". There is
 * no blank inside of either dollar and no digit after the pair, so "$5 and $6" are prices.
 * Mathematics contains ASCII letters, digits and signs, balanced braces, and commands that only set
 * a sign (\alpha, \leq, \frac, \log, ..). It must be valid LaTeX: "x_" without an index is invalid.
 * Everything else is text. */
const char *escape_plain(struct arena *arena, const char *text);
