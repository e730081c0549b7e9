/* Decimal numbers as text, in any locale: 12, -3, .5, 1e-4. */
#pragma once

#include "core/base/base.h"

/* The shortest decimal that reads back to the same double; integers below 1e15 in digits. Not for
 * NaN. */
enum { REAL_TEXT = 32 };
void real_print(double value, char text[REAL_TEXT]);
/* The way back: whether the whole text is a valid number and finite; fills `value` if so. */
bool real_parse(const char *text, double *value);

/* How many bytes of `text` are a number, 0 when it does not begin with one:
 * [-+]? (digits (. digits?)? | . digits) ([eE] [-+]? digits)? */
size_t number_length(const char *text);
/* Whether the whole text is such a number, without leading zeros (08). */
bool number_valid(const char *text);
/* The number with which the text begins; errno as strtod sets it. */
double number_read(const char *text);
/* By their numbers, of texts that begin with one, for qsort. */
int number_compare(const void *text, const void *other);
/* How many significant digits read back to the same double: the fewest of `least` to 17. */
int number_digits(double value, int least);
