/* Reads and prints decimal numbers such as 12, -3, .5 and 1e-4. The user's locale has no effect. */
#pragma once

#include "core/base/base.h"

/* Prints the decimal with the fewest digits that reads back to the same double. Integers below 1e15
 * have no exponent. The value must not be NaN. */
enum { REAL_TEXT = 32 };
void real_print(double value, char text[REAL_TEXT]);
/* True if the whole text is a valid (number_valid) and finite number; *value is then the number. */
bool real_parse(const char *text, double *value);

/* Returns the length in bytes of the number at the start of `text`; 0 if there is none. A number is
 * [-+]? (digits (. digits?)? | . digits) ([eE] [-+]? digits)? */
size_t number_length(const char *text);
/* True if the whole text is such a number without a leading zero, unlike 08. */
bool number_valid(const char *text);
/* Returns the number at the start of the text. Sets errno as strtod does. */
double number_read(const char *text);
/* Comparison function for qsort: compares two texts by the numbers at their start. */
int number_compare(const void *text, const void *other);
/* Returns the smallest number of significant digits, from `least` to 17, with which the value reads
 * back to the same double. */
int number_digits(double value, int least);
