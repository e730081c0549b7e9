/* The one mask between what files and users say and what is printed for people.
 *
 * What is no UTF-8, control characters (C0 with newlines and tabs, DEL, C1: U+009B is ESC [), line
 * separators and marks that turn the direction of text become question marks, one each. Two walls:
 *   - whoever prints text that may come from a file masks it, so that it stays within its line:
 *     mask_put, mask_line, text_mask (base.h); die, warn and trace do;
 *   - standard output itself lets nothing else pass than text in lines (mask_stdout), whoever
 *     prints.
 * Data for programs (a CSV's fields, HTML) passes the same mask in results/escape.h. */
#ifndef CORE_BASE_MASK_H
#define CORE_BASE_MASK_H

#include "core/base/base.h"

/* Reads one character of a text that is not empty, '?' for what is masked; returns where the next
 * one begins. */
const char *mask_next(const char *text, int32_t *character);
/* The text, masked. */
void mask_put(const char *text, FILE *out);
/* One line, newline included, masked as a whole. */
void mask_line(FILE *out, const char *format, ...) PRINTF(2, 3);

/* From here on `stdout` masks all that is printed, but for newlines (also CR LF) and tabs. Buffers
 * as stdout does; what cannot be written is an error of the stream, as ever. */
void mask_stdout(void);
/* Whether a stream is a terminal, masked or not; and a sequence of the program's own that goes
 * there past the mask. */
bool mask_is_terminal(FILE *out);
void mask_pass(FILE *out, const char *sequence);

#endif
