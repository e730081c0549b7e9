/* Checks a file of hypotheses without ending the program: the other rows of a table do not depend
 * on it. */
#include "results/table/hypotheses_file.h"

#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/text/utf8.h"

const char *hypotheses_file_problem(const char *path, int *lines, struct arena *arena)
{
    struct arena text = {0};
    const char *problem = NULL;
    size_t bytes = 0, column;
    *lines = 0;
    if (!file_exists(path)) return arena_print(arena, "there is no file %s", path);
    if (path_is_denied(path))
        return arena_print(arena, "%s cannot be read: permission denied", path);
    const char *content = file_read(&text, path, 0, &bytes);
    const size_t mark = utf8_mark(content, bytes);
    content += mark, bytes -= mark;
    const char *nul = memchr(content, 0, bytes);
    const int64_t bad = utf8_check(content, bytes), at = bad >= 0 || !nul ? bad : nul - content;
    if (!bytes) problem = arena_print(arena, "%s is empty", path);
    if (at >= 0) {
        const int64_t line = file_find_line(content, content + at, &column) + 1;
        problem = arena_print(arena, "%s:%lld: byte %zu is not valid UTF-8", path, (long long)line,
                              column);
    }
    if (at >= 0 && bad < 0) problem = arena_print(arena, "%s has a NUL", path);
    if (!problem) *lines = (int)file_count_lines(content, bytes) + (content[bytes - 1] != '\n');
    arena_free(&text);
    return problem;
}
