/* Escapes free text (names, titles, captions) for the output forms. No part of the text acts as
 * markup, as a command or as a control sequence.
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
/* For a paragraph, cell or caption in pdflatex (since 2018) without packages. Symbols become
 * commands. A character that the standard fonts lack is printed as its code, such as [U+65E5]. */
void escape_latex(const char *text, FILE *out);
