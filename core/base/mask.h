/* Masks text of files and users before it is printed for people.
 *
 * Each of the following becomes a question mark:
 *   - a byte that is not UTF-8
 *   - a control character: C0 (also newline and tab), DEL, or C1 (U+009B means ESC [)
 *   - a line or paragraph separator, or a mark that changes the direction of text
 * There are two layers:
 *   - Code masks text from a file before it prints the text, so that the text stays within its
 *     line: mask_put, mask_text, mask_line (mask_output.h). die, warn and trace mask, too.
 *   - Standard output masks everything except newlines and tabs (mask_stdout), because a call of
 *     these functions is easily forgotten. Verbs whose output is data (`data` of struct verb:
 *     export, translate, bpe, completion) are masked only on a terminal.
 * scripts/lint allows only functions that mask to write to standard error. CSV and HTML files are
 * masked in the same way, in results/sheet/escape.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Reads the first character of a text that has `left` bytes, at least 1. Returns the length of the
 * character in bytes. *character is the character to show: '?' if masked. */
size_t mask_take(const char *text, size_t left, int32_t *character);
/* Like mask_take, for a NUL-terminated text that is not empty. Returns the start of the next
 * character. */
const char *mask_next(const char *text, int32_t *character);
/* Prints the text, masked. */
void mask_put(const char *text, FILE *out);
/* Masks a text in place. The text may get shorter. */
void mask_text(char *text);
/* True if a masked stdout (mask_output.h) prints the lines unchanged. */
bool mask_spares(const char *lines);
