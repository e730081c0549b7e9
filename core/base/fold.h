/* Breaks long lines of text between words, for a terminal. */
#pragma once

#include <stdio.h>

/* Returns the number of columns that a text needs on a terminal, up to `end` (NULL: the whole
 * text). */
int fold_width(const char *text, const char *end);
/* Prints one line with its newline, masked (mask.h). Text that does not fit into `columns`
 * continues in lines that begin with `indent` blanks. `columns` is from mask_columns
 * (mask_output.h). A word that is wider than a line is not broken. */
void fold_line(FILE *out, int columns, int indent, const char *text);
/* Prints each line of a text by fold_line, with an indent of two, in the width of `out`. */
void fold_text(FILE *out, const char *text);
