/* Error messages with the location of the input. */
#include "core/config/location.h"

#include <stdarg.h>

static const char *about; /* set by die_at_about */

void die_at_about(const char *subject)
{
    about = subject;
}

enum { POSITION = 32 };

/* Prints ":3:14"; nothing if the location has no line. */
static const char *position_print(char text[POSITION], struct location location)
{
    *text = 0;
    if (location.line > 0) snprintf(text, POSITION, ":%d:%d", location.line, location.column);
    return text;
}

void die_at(struct location location, const char *format, ...)
{
    char message[MESSAGE_BYTES], at[POSITION];
    const char *left = about ? " (" : "", *subject = about ? about : "", *right = about ? ")" : "";
    MESSAGE_TAKE(message, format);
    die("%s%s: %s%s%s%s", location.file, position_print(at, location), message, left, subject,
        right);
}

void warn_at(struct location location, const char *format, ...)
{
    char message[MESSAGE_BYTES], at[POSITION];
    MESSAGE_TAKE(message, format);
    warn("%s%s: %s", location.file, position_print(at, location), message);
}
