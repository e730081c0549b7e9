/* Output folders. A hidden file marks a folder that is being written and has no description yet. */
#include "core/corpus/text_folder.h"

#include <string.h>

#include "core/base/file.h"
#include "core/base/json_file.h"

#define MARK "%s/.unfinished"

static bool is_ours(struct arena *arena, const char *path, const char *key, const char *value)
{
    const char *problem;
    json_auto_t *json = json_file_try(arena, path, &problem);
    const json_t *is = json_object_get(json, key);
    return is && (!value || (json_is_string(is) && !strcmp(json_string_value(is), value)));
}

void text_folder_open(const char *folder, const char *description, const char *key,
                      const char *value)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *mark = arena_print(&arena, MARK, folder);
    const char *last = arena_print(&arena, "%s/%s", folder, description);
    int count = 0;
    const char *const *name = file_folder_names(&arena, folder, &count);
    if (name && count && !file_exists(mark) && !is_ours(&arena, last, key, value))
        die("%s: has other files (%s%s); expected a new or empty folder, or a folder with text of "
            "the same command",
            folder, name[0], count > 1 ? ", .." : "");
    file_make_folder(folder);
    file_write(mark, "", 0);
    file_unlink(last);
}

void text_folder_close(const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    file_unlink(arena_print(&arena, MARK, folder));
}
