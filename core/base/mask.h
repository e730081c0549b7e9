/* The one mask between what files and users say and what is printed for people.
 *
 * What is not UTF-8, control characters (C0 with newlines and tabs, DEL, C1: U+009B is ESC [), line
 * separators and marks that turn the direction of text become question marks, one each. Two walls:
 *   - whoever prints text that may come from a file masks it, so that it stays within its line:
 *     mask_put, mask_text, mask_line (mask_output.h); die, warn and trace do;
 *   - standard output itself lets nothing else pass than text in lines (mask_stdout), whoever
 *     prints.
 * Data for programs (a CSV's fields, HTML) passes the same mask in results/sheet/escape.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of the character at text[left], left > 0, and what is shown of it: '?' where masked. */
size_t mask_take(const char *text, size_t left, int32_t *character);
/* The same of a text that is not empty; returns where the next character begins. */
const char *mask_next(const char *text, int32_t *character);
/* The text, masked. */
void mask_put(const char *text, FILE *out);
/* In place; the text may get shorter. */
void mask_text(char *text);
/* Whether a masked stdout (mask_output.h) shows the lines as they are. */
bool mask_spares(const char *lines);
