/* Escapes free text (names, titles, captions) for the output forms. No part of the text acts as
 * markup, as a command or as a control sequence. The only exception is mathematics in LaTeX.
 *
 * In every form, a question mark replaces each character that core/base/mask.h masks. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "core/base/arena.h"

void escape_html(const char *text, FILE *out);          /* for text and quoted attributes */
void escape_markdown(const char *text, FILE *out);      /* within a line or table cell */
void escape_markdown_line(const char *text, FILE *out); /* at the start of a line: the text must not
                                                           begin a list or heading */
void escape_field(const char *text, FILE *out);         /* for a field of CSV (RFC 4180) */
/* For a field of CSV that a spreadsheet reads. A text that begins with =, +, - or @ gets an
 * apostrophe as prefix, unless it is a number, because a spreadsheet would compute it as a
 * formula. */
void escape_csv(const char *text, FILE *out);
/* For a paragraph, cell or caption in pdflatex without packages. Accents and symbols become
 * commands. A character that the standard fonts lack is printed as its code, such as [U+65E5].
 * Mathematics (see escape_plain) is copied. */
void escape_latex(const char *text, FILE *out);

/* Returns the text for forms that cannot show mathematics. In mathematics, removes the dollars and
 * replaces commands such as \alpha by their characters. Mathematics is the text between two
 * dollars, such as "$m=1$". No blank follows the first dollar or precedes the second one, and no
 * digit follows the second one. So "$5 and $6" is not mathematics. Mathematics may contain ASCII
 * letters, digits and signs, balanced braces, and the commands that escape_latex.c lists (\alpha,
 * \leq, \frac, \log, ..). It must be valid LaTeX: "x_" is invalid, because the index is missing.
 * Any other text with dollars is printed unchanged. */
const char *escape_plain(struct arena *arena, const char *text);
