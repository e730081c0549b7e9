/* Reads strict YAML, a file or a text, into a tree.
 *
 * An error is one line that begins with file:line:column. Errors are
 *  - duplicate keys (the message has both lines), merge keys, tags, directives, several documents
 *  - aliases that copy over 1000 nodes, depth over 64, maps of over 1000 keys, files over 1 MiB
 *  - invalid UTF-8, NUL, UTF-16; but a byte order mark and CRLF are accepted. */
#pragma once

#include "core/config/tree.h"

/* Both die if the YAML is not strict. An empty text gives an empty map. A file must contain a map.
 * A text may contain any tree; `name` is its name in messages. */
struct tree *tree_read(struct arena *arena, const char *path);
struct tree *tree_parse(struct arena *arena, const char *name, const char *text);
/* Applies an assignment "a.b=c" of the command line; c is parsed as YAML. Dies with the location
 * "command line: a.b=c". */
void tree_override(struct arena *arena, struct tree *tree, const char *assignment);
