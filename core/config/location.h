/* The location of an input, with which error messages begin. */
#pragma once

#include "core/base/base.h"

struct location {
    const char *file; /* a path, or "command line" */
    int line, column; /* from 1; line 0: unknown */
};

/* Prints "file:line:col: message" and exits, like die. */
NORETURN void die_at(struct location location, const char *format, ...) PRINTF(2, 3);
/* Prints the same message as a warning. */
void warn_at(struct location location, const char *format, ...) PRINTF(2, 3);
/* Sets a subject that die_at appends to its messages in parentheses, for cases in which a location
 * is not enough: "row \"deep, layers=3\"". The text must stay valid until the next call of
 * die_at_about. NULL, the initial value: no subject. */
void die_at_about(const char *subject);
