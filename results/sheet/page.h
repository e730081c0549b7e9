/* A self-contained HTML page: no scripts, no fonts, no requests. A content security policy in its
 * head forbids them. */
#pragma once

#include <stdio.h>

void page_begin(const char *title, FILE *out); /* up to <main>; the title is escaped */
void page_end(FILE *out);

/* Prints an escaped text between two pieces of HTML. */
void page_put(const char *before, const char *text, const char *after, FILE *out);
