/* Lists folders, makes folders with their parents, and removes folders with their content. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/path.h"

static DIR *list_of(int file)
{
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    if (file >= 0 && !folder) path_leave(&(struct path){.folder = file});
    return folder;
}

DIR *file_list(const char *path)
{
    return list_of(path_open(path, O_RDONLY | O_DIRECTORY));
}

DIR *file_list_at(int folder, const char *name)
{
    return list_of(openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

const struct dirent *file_next_entry(DIR *folder)
{
    const struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) return entry;
    if (folder) closedir(folder);
    return NULL;
}

const char *file_next(DIR *folder)
{
    const struct dirent *entry = file_next_entry(folder);
    return entry ? entry->d_name : NULL;
}

DIR *file_open_folder(const char *path)
{
    DIR *folder = file_list(path);
    if (!folder && errno != ENOENT && errno != ENOTDIR)
        die("%s: cannot be read: %s", path, file_why(errno));
    return folder;
}

bool file_is_temporary(const char *name)
{
    return strstr(name, FILE_TEMPORARY);
}

const char **file_folder_names(struct arena *arena, const char *path, int *count)
{
    *count = 0;
    DIR *folder = file_open_folder(path);
    if (!folder) return NULL;
    const char **name = NULL;
    for (const char *next; (next = file_next(folder));) {
        if (next[0] == '.' || file_is_temporary(next)) continue;
        ARENA_ADD(arena, name, *count, arena_text(arena, next));
    }
    if (*count) qsort(name, (size_t)*count, sizeof *name, compare_texts);
    ARENA_MORE(arena, name, *count);
    name[*count] = NULL;
    return name;
}

const char *file_temporary_place(const char *where)
{
    const char *set = getenv("TMPDIR");
    return where ? where : set && *set ? set : "/tmp";
}

char *file_temporary_folder(const char *where)
{
    char *path = file_try_temporary_folder(where);
    if (!path)
        die("%s: cannot make a temporary folder: %s", file_temporary_place(where), strerror(errno));
    return path;
}

char *file_try_temporary_folder(const char *where)
{
    char *path = heap_print("%s/sanlab-XXXXXX", file_temporary_place(where));
    if (mkdtemp(path)) return path;
    int error = errno;
    free(path);
    errno = error;
    return NULL;
}

void file_make_folder(const char *path)
{
    if (!path[0]) die("the path of a folder is empty; expected a path");
    SCOPED(heap_free) char *copy = heap_print("%s", path);
    if (file_is_folder(path) || path_make_folder(path)) return;
    for (char *at = copy + 1;; at++) {
        if (*at != '/' && *at != 0) continue;
        char keep = *at;
        *at = 0;
        if (!path_make_folder(copy) && errno != EEXIST)
            die("%s: folder cannot be made: %s", copy, file_why(errno));
        *at = keep;
        if (!keep) break;
    }
    if (!file_is_folder(path)) die("%s: is not a folder; expected a folder or a new path", path);
}

int file_turn(const char *folder, double seconds)
{
    const struct timespec rest = {.tv_nsec = 20000000};
    const double end = clock_seconds() + seconds;
    const int turn = path_open(folder, O_RDONLY | O_DIRECTORY);
    while (turn >= 0 && flock(turn, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
           clock_seconds() < end)
        nanosleep(&rest, NULL);
    return turn;
}

bool file_unlink(const char *path)
{
    file_pass_fence();
    return path_unlink(path) || errno == ENOENT;
}

bool file_remove_at(int parent, const char *name)
{
    file_pass_fence();
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return true;
    if (errno != EISDIR && errno != EPERM) return false;
    DIR *folder = file_list_at(parent, name);
    if (!folder) return errno == ENOENT;
    int error = 0; /* errno of the first failure */
    for (const char *inner; (inner = file_next(folder));)
        if (!file_remove_at(dirfd(folder), inner) && !error) error = errno;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return true;
    if (error) errno = error;
    return false;
}

void file_remove_tree(const char *path)
{
    struct path at;
    bool there = path_enter(path, &at);
    if (!there && errno == ENOENT) return;
    const bool gone = there && file_remove_at(at.folder, at.name);
    if (there) path_leave(&at);
    if (!gone) die("%s: cannot be removed: %s", path, file_why(errno));
}
