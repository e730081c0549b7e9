/* Masked lines for people, and masked standard output (mask.h). */
#pragma once

#include "core/base/base.h"

/* Prints one line with its newline, masked as a whole. */
void mask_line(FILE *out, const char *format, ...) PRINTF(2, 3);

/* From now on `stdout` masks all output, except for newlines (also CR LF) and tabs. It buffers as
 * stdout does; a failed write is an error of the stream, as usual. */
void mask_stdout(void);
/* mask_is_terminal: true if a stream is a terminal, masked or not. mask_pass writes a control
 * sequence of the program itself without masking. */
bool mask_is_terminal(FILE *out);
void mask_pass(FILE *out, const char *sequence);
/* Returns the columns of the terminal; INT_MAX if the stream is no terminal or its width is
 * unknown. */
int mask_columns(FILE *out);
