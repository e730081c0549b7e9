/* Reads and writes files that have one JSON value. A duplicate key is an error. The caller must
 * json_decref a returned value. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

/* Dies if the file is absent, cannot be read or is not JSON. */
json_t *json_file_read(const char *path);
/* Returns the value. On failure returns NULL. *problem is then a text in the arena with the path
 * and the reason, or NULL if the file does not exist. */
json_t *json_file_try(struct arena *arena, const char *path, const char **problem);
/* Returns the text under a key of an object, copied to the arena; NULL if it is no text. */
const char *json_file_text_at(const json_t *object, const char *key, struct arena *arena);
/* Returns a JSON string for any bytes, such as a path. If the text is not valid UTF-8, each byte
 * that is not ASCII becomes a '?'. */
json_t *json_file_text(const char *text);
/* Writes a file with indentation and a trailing newline, like file_write. The caller still owns the
 * value. */
void json_file_write(const char *path, const json_t *json);
