/* One HTML page of LibreOffice's help: its paragraphs with their ids. The only file that knows
 * libxml2. Paragraphs and headings (p, h1 to h6) that have an id count; the page's navigation and
 * its notes for developers do not. Where a page shows other text on other platforms or in other
 * modules ("Command" instead of "Ctrl"), the default text is taken. */
#pragma once

#include "core/base/base.h"

/* Takes one paragraph: its id (the same in every language; a page may have it several times) and
 * its text with white space squeezed, which may be empty. Both are gone after the call. */
typedef void help_visit(void *context, const char *id, const char *text, size_t bytes);

/* Visits the paragraphs of a page (UTF-8) in their order. Dies when the file cannot be read. */
void help_page_read(const char *path, help_visit *visit, void *context);
