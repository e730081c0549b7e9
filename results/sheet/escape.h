/* Text that people wrote (names, titles, captions), on its way into a form that has a language of
 * its own. Whatever it holds, it comes out as text and starts nothing: no markup, no command, no
 * formula, no control sequence.
 *
 * In every form, what the mask takes out (core/base/mask.h) is question marks. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "core/base/arena.h"

void escape_html(const char *text, FILE *out);     /* between tags, and in attributes in quotes */
void escape_markdown(const char *text, FILE *out); /* GitHub's: within a line, in a table's cell */
void escape_markdown_line(const char *text, FILE *out); /* at the start of one: no list, heading */
void escape_field(const char *text, FILE *out);         /* one field of RFC 4180 */
/* The same for spreadsheets: a text that they would take for a formula (= + - @ first) gets an
 * apostrophe in front, unless it is a number. */
void escape_csv(const char *text, FILE *out);
/* For pdflatex with no package: accents and symbols are commands, what the standard fonts lack is
 * its code, [U+65E5]. In a paragraph, a cell or a caption. Mathematics passes as it is. */
void escape_latex(const char *text, FILE *out);

/* Mathematics is a pair of dollars in one text, "$m=1$": with no blank inside of either and no
 * digit behind, so that "$5 and $6" are prices. Between them stand ASCII letters, digits and signs,
 * braces in pairs and commands that only set a sign (\alpha, \leq, \frac, \log, ..), as LaTeX
 * takes them: x_ without an index is none. Whatever else there is is text. This makes the text for
 * forms that have no mathematics: without the dollars, and with signs in the place of their
 * commands. */
const char *escape_plain(struct arena *arena, const char *text);
