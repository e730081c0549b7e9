/* Makes the test's own folder (test.h) empty before each test. */
#include "tests/support/here.h"

#include "tests/support/test.h"

const char *here;

const char *here_put_bytes(const char *name, const char *bytes, size_t count)
{
    const char *path = arena_print(&arena, "%s/%s", here, name);
    file_write(path, bytes, count);
    return path;
}

const char *here_put(const char *name, const char *text)
{
    return here_put_bytes(name, text, strlen(text));
}

void here_open(void)
{
    here = arena_text(&arena, test_folder("here"));
}
