/* A manifest of a data set: no path leaves the data folder, and no URL has a line
 * break. */
#include "tests/fuzz/support/fuzz.h"

#include <string.h>

#include "core/config/shipped.h"
#include "core/corpus/data_set.h"

/* shipped_beside keeps the path until the process ends. */
void fuzz_prepare(void)
{
    shipped_beside(&arena, "", fuzz_put("a.yaml", "", 0));
}

static void look_at(const struct data_file *file, int files)
{
    for (int i = 0; i < files; i++) {
        const char *path = file[i].path, *url = file[i].url;
        CHECK(path[0] && path[0] != '/' && path[0] != '.' && !strstr(path, "/."), "%s", path);
        CHECK(!url || !strpbrk(url, "\"\\\n\r "), "%s", url);
        CHECK(!url || !strncmp(url, "http", 4) || !strncmp(url, "file:///", 8), "%s", url);
    }
}

static void run(void *context)
{
    const char *path = fuzz_put("a.yaml", context, strlen(context));
    const struct data_set *set = data_set_read(&arena, path, (struct location){.file = "fuzz"});
    look_at(set->file, set->files);
    look_at(set->made, set->mades);
}

FUZZ_TEXT(run);
