/* Reads the paragraphs of HTML pages of LibreOffice's help, with their ids. Only this file uses
 * libxml2. Only paragraphs and headings (p, h1 to h6) with an id are read. Navigation and notes for
 * developers are skipped. If a page has variants for platforms or modules ("Command" instead of
 * "Ctrl"), the default variant is used. */
#pragma once

#include "core/base/base.h"

/* Receives one paragraph. `id` is the same in every language, and may occur several times in a
 * page. In `text`, each run of white space is one blank. `text` may be empty. Both are valid only
 * during the call. */
typedef void help_visit(void *context, const char *id, const char *text, size_t bytes);

/* Visits the paragraphs of a page (UTF-8) in their order. Dies if the file cannot be read. */
void help_page_read(const char *path, help_visit *visit, void *context);
/* Returns the version of libxml2, such as 20914; 0 if libxml2 cannot be opened. */
int help_page_parser(void);
