/* A hidden file says that text was being written when no description tells so. */
#include "core/corpus/text_folder.h"

#include "core/base/file.h"

#define MARK "%s/.unfinished"

void text_folder_open(const char *folder, const char *description)
{
    struct arena arena = {0};
    const char *mark = arena_print(&arena, MARK, folder);
    const char *last = arena_print(&arena, "%s/%s", folder, description);
    int count = 0;
    const char *const *name = file_folder_names(&arena, folder, &count);
    if (name && count && !file_exists(last) && !file_exists(mark))
        die("%s: it has other files (%s%s), which are kept; expected a new or an empty folder, or "
            "one with text of the same command",
            folder, name[0], count > 1 ? ", .." : "");
    file_make_folder(folder);
    file_write(mark, "", 0);
    file_unlink(last);
    arena_free(&arena);
}

void text_folder_close(const char *folder)
{
    struct arena arena = {0};
    file_unlink(arena_print(&arena, MARK, folder));
    arena_free(&arena);
}
