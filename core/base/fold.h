/* Folds lines of text between words, for a terminal. */
#pragma once

#include <stdio.h>

/* Returns the columns of a text on a terminal, up to `end` (NULL: the whole text). */
int fold_width(const char *text, const char *end);
/* Prints one line with its newline, masked (mask.h). Text beyond `columns` (from mask_columns,
 * mask_output.h) continues in lines that begin with `indent` blanks. A word wider than a line stays
 * whole. */
void fold_line(FILE *out, int columns, int indent, const char *text);
/* Folds each line of a text, with an indent of two, to the width of `out`. */
void fold_text(FILE *out, const char *text);
