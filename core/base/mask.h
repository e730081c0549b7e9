/* Masks text of files and users before it is printed for people.
 *
 * A byte that is not UTF-8 becomes a question mark. So does a control character: C0 with newlines
 * and tabs, DEL, or C1 (U+009B is ESC [). So does a line separator, or a mark that changes the
 * direction of text. There are two layers:
 *   - Code masks text from a file before it prints the text, so that the text stays within its
 *     line: mask_put, mask_text, mask_line (mask_output.h). die, warn and trace mask, too.
 *   - Standard output itself passes only text in lines (mask_stdout), because a call of these
 *     functions is easily forgotten. Verbs whose output is data (struct verb: data; export,
 *     translate, bpe, completion) are masked only on a terminal.
 * Only a few functions write to standard error, and lint allows no other. Data for programs (fields
 * of a CSV, HTML) passes the same mask in results/sheet/escape.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the bytes of the character at text[left], left > 0. *character is the character to show,
 * '?' if masked. */
size_t mask_take(const char *text, size_t left, int32_t *character);
/* mask_take for a text that is not empty; returns the start of the next character. */
const char *mask_next(const char *text, int32_t *character);
/* Prints the text, masked. */
void mask_put(const char *text, FILE *out);
/* Masks in place; the text may get shorter. */
void mask_text(char *text);
/* True if a masked stdout (mask_output.h) shows the lines unchanged. */
bool mask_spares(const char *lines);
