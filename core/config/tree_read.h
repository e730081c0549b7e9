/* Strict YAML: a file or a text becomes a tree.
 *
 * What is refused, in one line with file:line:column: duplicate keys (both lines are named), tags,
 * directives, several documents, aliases beyond a budget, depth over 64, maps of over 1000 keys,
 * over 1 MiB, invalid UTF-8, NUL, UTF-16, merge keys. A byte order mark and CRLF are accepted. */
#pragma once

#include "core/config/tree.h"

/* Both die on anything that is not strict. An empty text is an empty map; a file is a map or is
 * refused, a text may be any tree. */
struct tree *tree_read(struct arena *arena, const char *path);
struct tree *tree_parse(struct arena *arena, const char *name, const char *text);
/* "a.b=c" from the command line: c is parsed by the same reader. Dies with the place
 * "command line: a.b=c". */
void tree_override(struct arena *arena, struct tree *tree, const char *assignment);
