/* A name with ".tmp-" belongs to nobody once its writer is gone. */
#include "core/base/sweep.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"

enum { DEEPEST = 8 }; /* of what is removed: a checkpoint that was being written has one level */

/* The folder `name` in `parent`; NULL when it is none. */
static DIR *open_folder(int parent, const char *name)
{
    int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    if (file >= 0 && !folder) close(file);
    return folder;
}

static bool is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

static void remove_entry(int parent, const char *name, int depth)
{
    if (unlinkat(parent, name, 0) == 0 || depth > DEEPEST) return;
    DIR *folder = open_folder(parent, name);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (!is_dots(entry->d_name)) remove_entry(dirfd(folder), entry->d_name, depth + 1);
    closedir(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Whether there are any; with `clean` they go. */
static bool sweep(DIR *folder, bool inner, bool clean)
{
    bool found = false;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (is_dots(entry->d_name)) continue;
        if (strstr(entry->d_name, ".tmp-")) {
            found = true;
            if (clean) remove_entry(dirfd(folder), entry->d_name, 0);
            continue;
        }
        DIR *within = inner ? NULL : open_folder(dirfd(folder), entry->d_name);
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
