/* A line of text for a terminal, folded between words. */
#pragma once

#include <stdio.h>

/* How many columns a terminal gives this text, as far as `end` (NULL: all of it). */
int fold_width(const char *text, const char *end);
/* One line, newline included, masked (mask.h). What does not fit into so many columns (those of
 * mask_columns, mask_output.h) goes on in lines that begin with `indent` blanks; a word that is
 * wider than a line stays whole. */
void fold_line(FILE *out, int columns, int indent, const char *text);
/* The same of each line of a text, with an indent of two: for `out` as wide as it is. */
void fold_text(FILE *out, const char *text);
