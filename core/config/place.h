/* Where something was written: what an error message begins with. */
#pragma once

#include "core/base/base.h"

struct place {
    const char *file; /* a path, or "command line" */
    int line, column; /* from 1; 0 when there is no line */
};

/* "file:line:col: message", as die. */
NORETURN void die_at(struct place place, const char *format, ...) PRINTF(2, 3);
/* The same as a warning. */
void warn_at(struct place place, const char *format, ...) PRINTF(2, 3);
/* What is being checked, when places alone do not say it: "row \"deep, layers=3\"". die_at ends
 * with it, in parentheses. Borrowed until the next call; NULL: nothing, as at the start. */
void die_at_about(const char *subject);
