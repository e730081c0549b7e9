/* A name with ".tmp-" belongs to nobody once its writer is gone. */
#include "core/base/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base.h"

enum { DEEPEST = 8 }; /* of what is removed: a checkpoint that was being written has one level */

/* The folder `name` in `parent`; takes the descriptor of what it is not. NULL when it is none. */
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

static void sweep(DIR *folder, bool inner)
{
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (is_dots(entry->d_name)) continue;
        if (strstr(entry->d_name, ".tmp-")) {
            remove_entry(dirfd(folder), entry->d_name, 0);
            continue;
        }
        DIR *within = inner ? NULL : open_folder(dirfd(folder), entry->d_name);
        if (!within) continue;
        sweep(within, true);
        closedir(within);
    }
}

void sweep_temporaries(const char *path)
{
    DIR *folder = open_folder(AT_FDCWD, path);
    if (!folder) return;
    sweep(folder, false);
    closedir(folder);
}
