/* An HTML page that needs nothing else: no scripts, no fonts, no requests. A policy in its head
 * forbids them, should something slip through. */
#pragma once

#include <stdio.h>

void page_begin(const char *title, FILE *out); /* up to <main>; the title is escaped */
void page_end(FILE *out);

/* A text, escaped, between two pieces of HTML. */
void page_put(const char *before, const char *text, const char *after, FILE *out);
