/* Prints a self-contained HTML page. The page has no scripts and no fonts, and requests no other
 * files. A content security policy in its head forbids them. */
#pragma once

#include <stdio.h>

void page_begin(const char *title, int refresh,
                FILE *out); /* prints the start of the page, up to <main> */
void page_end(FILE *out);

/* Prints an escaped text between two pieces of HTML. */
void page_put(const char *before, const char *text, const char *after, FILE *out);
