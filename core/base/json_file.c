/* Reads and writes JSON files. Files are read by file_try_read, so that a file that cannot be
 * opened is not reported as bad JSON. */
#include "core/base/json_file.h"

#include <errno.h>
#include <string.h>

#include "core/base/file.h"

enum { MOST = 64 << 20 }; /* limit of a file in bytes */

json_t *json_file_try(struct arena *arena, const char *path, const char **problem)
{
    SCOPED(arena_free) struct arena own = {0};
    size_t bytes;
    json_error_t error;
    const char *text = file_try_read(&own, path, MOST, &bytes, problem);
    json_t *json = text ? json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error) : NULL;
    if (text && !json)
        *problem = arena_print(arena, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    else if (*problem)
        *problem = arena_text(arena, *problem);
    return json;
}

json_t *json_file_read(const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *problem;
    json_t *json = json_file_try(&arena, path, &problem);
    if (!json && problem) die("%s", problem);
    if (!json) die("%s: cannot be read: %s", path, strerror(ENOENT));
    return json;
}

void json_file_write(const char *path, const json_t *json)
{
    struct file_writer writer = file_create(path);
    json_dumpf(json, writer.stream, JSON_INDENT(2));
    fputc('\n', writer.stream);
    file_commit(&writer);
}

const char *json_file_text_at(const json_t *object, const char *key, struct arena *arena)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_text(arena, text) : NULL;
}

json_t *json_file_text(const char *text)
{
    json_t *string = json_string(text);
    if (string) return string;
    SCOPED(heap_free) char *ascii = heap_print("%s", text);
    for (char *at = ascii; *at; at++)
        if (*at & 0x80) *at = '?';
    string = json_string(ascii);
    return string;
}
