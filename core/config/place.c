/* Error messages with the location of the input. */
#include "core/config/place.h"

#include <stdarg.h>

static const char *about; /* set by die_at_about */

void die_at_about(const char *subject)
{
    about = subject;
}

enum { POSITION = 32 };

/* Prints ":3:14"; nothing if the location has no line. */
static const char *position_print(char text[POSITION], struct place place)
{
    *text = 0;
    if (place.line > 0) snprintf(text, POSITION, ":%d:%d", place.line, place.column);
    return text;
}

void die_at(struct place place, const char *format, ...)
{
    char message[MESSAGE_BYTES], at[POSITION];
    const char *left = about ? " (" : "", *subject = about ? about : "", *right = about ? ")" : "";
    MESSAGE_TAKE(message, format);
    die("%s%s: %s%s%s%s", place.file, position_print(at, place), message, left, subject, right);
}

void warn_at(struct place place, const char *format, ...)
{
    char message[MESSAGE_BYTES], at[POSITION];
    MESSAGE_TAKE(message, format);
    warn("%s%s: %s", place.file, position_print(at, place), message);
}
