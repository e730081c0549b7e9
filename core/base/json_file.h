/* Files with one JSON value. A duplicate key is an error. Returned values are new references: the
 * caller must json_decref them. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

/* Dies if the file is absent, cannot be read or is not JSON. */
json_t *json_file_read(const char *path);
/* Returns NULL on failure, with the reason and the path in *problem, in the arena; *problem is NULL
 * if there is no such file. */
json_t *json_file_try(struct arena *arena, const char *path, const char **problem);
/* Returns a JSON string for any bytes, such as a path. If they are not UTF-8, each byte that is not
 * ASCII becomes a '?'. */
json_t *json_file_text(const char *text);
/* Writes an indented file with a trailing newline, as file_write. The caller keeps the value. */
void json_file_write(const char *path, const json_t *json);
