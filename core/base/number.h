/* Decimal numbers as text, in any locale: 12, -3, .5, 1e-4. */
#pragma once

#include "core/base/base.h"

/* Prints the shortest decimal that reads back to the same double; integers below 1e15 as digits.
 * Not for NaN. */
enum { REAL_TEXT = 32 };
void real_print(double value, char text[REAL_TEXT]);
/* Inverse of real_print: true if the whole text is a valid, finite number; then sets `value`. */
bool real_parse(const char *text, double *value);

/* Returns the bytes of the number at the start of `text`, 0 if there is none:
 * [-+]? (digits (. digits?)? | . digits) ([eE] [-+]? digits)? */
size_t number_length(const char *text);
/* True if the whole text is such a number, without leading zeros (08). */
bool number_valid(const char *text);
/* Returns the number at the start of the text; errno as strtod sets it. */
double number_read(const char *text);
/* For qsort: compares texts that begin with a number by their numbers. */
int number_compare(const void *text, const void *other);
/* Returns the number of significant digits that read back to the same double: the fewest of `least`
 * to 17. */
int number_digits(double value, int least);
