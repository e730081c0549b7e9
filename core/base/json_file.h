/* A file that holds one JSON value. A key that stands there twice is an error. What is read is a
 * new reference: the caller's, to json_decref. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

/* Dies when the file is not there, cannot be read or is not JSON. */
json_t *json_file_read(const char *path);
/* Comes back with NULL instead, and *problem says why, with the path, in the arena; it is NULL when
 * there is no such file. */
json_t *json_file_try(struct arena *arena, const char *path, const char **problem);
/* A text of any bytes, such as a path: where it is not UTF-8 a '?' stands for each that is not
 * ASCII. */
json_t *json_file_text(const char *text);
/* Readable, ended by a newline; as file_write. The value stays the caller's. */
void json_file_write(const char *path, const json_t *json);
