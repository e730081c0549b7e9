/* A name with ".tmp-" belongs to nobody once its writer is gone. */
#include "core/base/sweep.h"

#include <string.h>

#include "core/base/file.h"

/* Whether there are any; with `clean` they go. */
static bool sweep(DIR *folder, bool inner, bool clean)
{
    bool found = false;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (strstr(entry->d_name, ".tmp-")) {
            found = true;
            if (clean) file_remove_at(dirfd(folder), entry->d_name);
            continue;
        }
        const bool look = !inner && entry->d_type != DT_REG;
        DIR *within = look ? file_list_at(dirfd(folder), entry->d_name) : NULL;
        if (!within) continue;
        found |= sweep(within, true, clean);
        closedir(within);
    }
    return found;
}

static bool sweep_path(const char *path, bool clean)
{
    DIR *folder = file_list(path);
    if (!folder) return false;
    const bool found = sweep(folder, false, clean);
    closedir(folder);
    return found;
}

void sweep_temporaries(const char *path)
{
    sweep_path(path, true);
}

bool sweep_finds(const char *path)
{
    return sweep_path(path, false);
}
