/* Prints masked lines for people, and masks standard output (mask.h). */
#pragma once

#include "core/base/base.h"

/* Formats a line, masks the whole line, and prints it with a newline. */
void mask_line(FILE *out, const char *format, ...) PRINTF(2, 3);

/* From now on `stdout` masks all output, except newlines, CR LF and tabs. It has the usual
 * buffering. A failed write is an error of the stream, as usual. */
void mask_stdout(void);
/* mask_is_terminal returns true if a stream is a terminal, also if the stream is masked. mask_pass
 * writes a control sequence that the program itself makes, without masking. */
bool mask_is_terminal(FILE *out);
void mask_pass(FILE *out, const char *sequence);
/* Returns the number of columns of the terminal; INT_MAX if the stream is no terminal or its width
 * is unknown. */
int mask_columns(FILE *out);
