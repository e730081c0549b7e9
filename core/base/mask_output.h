/* Lines for people, and standard output, masked (mask.h). */
#pragma once

#include "core/base/base.h"

/* One line, newline included, masked as a whole. */
void mask_line(FILE *out, const char *format, ...) PRINTF(2, 3);

/* From here on `stdout` masks all that is printed, but for newlines (also CR LF) and tabs. Buffers
 * as stdout does; what cannot be written is an error of the stream, as ever. */
void mask_stdout(void);
/* Whether a stream is a terminal, masked or not; and a sequence of the program's own that goes
 * there past the mask. */
bool mask_is_terminal(FILE *out);
void mask_pass(FILE *out, const char *sequence);
/* How many columns it has; of what is no terminal, or does not say, as many as an int holds. */
int mask_columns(FILE *out);
