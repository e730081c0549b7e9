/* Masks text of files and users before it is printed for people.
 *
 * Bytes that are not UTF-8, control characters (C0 with newlines and tabs, DEL, C1: U+009B is
 * ESC [), line separators and marks that change the direction of text become question marks, one
 * each. There are two layers:
 *   - code that prints text from a file masks it, so that it stays within its line: mask_put,
 *     mask_text, mask_line (mask_output.h); die, warn and trace do the same;
 *   - standard output itself passes only text in lines (mask_stdout), because a call of these
 *     functions is easily forgotten. Verbs whose output is data (struct verb: data; export,
 *     translate, bpe, completion) are masked only on a terminal.
 * A handful of functions write to standard error; lint allows no other.
 * Data for programs (fields of a CSV, HTML) passes the same mask in results/sheet/escape.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the bytes of the character at text[left], left > 0. *character: what to show, '?' if
 * masked. */
size_t mask_take(const char *text, size_t left, int32_t *character);
/* mask_take for a text that is not empty; returns the start of the next character. */
const char *mask_next(const char *text, int32_t *character);
/* Prints the text, masked. */
void mask_put(const char *text, FILE *out);
/* Masks in place; the text may get shorter. */
void mask_text(char *text);
/* True if a masked stdout (mask_output.h) shows the lines unchanged. */
bool mask_spares(const char *lines);
