/* A refusal of what a user wrote says where it stands. */
#include "core/config/place.h"

#include <stdarg.h>

static const char *about; /* die_at_about's */

void die_at_about(const char *subject)
{
    about = subject;
}

void die_at(struct place place, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    const char *left = about ? " (" : "", *subject = about ? about : "", *right = about ? ")" : "";
    va_list list;
    va_start(list, format);
    message_print(message, format, list);
    va_end(list);
    if (place.line > 0)
        die("%s:%d:%d: %s%s%s%s", place.file, place.line, place.column, message, left, subject,
            right);
    die("%s: %s%s%s%s", place.file, message, left, subject, right);
}
