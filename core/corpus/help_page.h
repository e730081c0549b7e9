/* Reads HTML pages of LibreOffice's help: their paragraphs with their ids. Only this file uses
 * libxml2. Paragraphs and headings (p, h1 to h6) with an id count; navigation and notes for
 * developers do not. If a page has other text for other platforms or modules ("Command" instead of
 * "Ctrl"), the default text is used. */
#pragma once

#include "core/base/base.h"

/* Receives one paragraph: its id (the same in every language; may occur several times in a page)
 * and its text with white space squeezed, which may be empty. Both are valid only during the
 * call. */
typedef void help_visit(void *context, const char *id, const char *text, size_t bytes);

/* Visits the paragraphs of a page (UTF-8) in their order. Dies if the file cannot be read. */
void help_page_read(const char *path, help_visit *visit, void *context);
/* Returns the version of libxml2, such as 20914; 0 if it cannot be opened. */
int help_page_parser(void);
