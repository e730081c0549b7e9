/* Walks each guarded path name by name from the guarded folder, without following links. The final
 * system call acts on the last name, in the folder that was reached. */
#include "core/base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct guard {
    struct guard *next;
    size_t length;
    char folder[]; /* without trailing slashes */
};
static struct guard *guards;

void path_guard(const char *folder)
{
    size_t length = strlen(folder);
    while (length && folder[length - 1] == '/') length--;
    for (struct guard *one = guards; one; one = one->next)
        if (one->length == length && !memcmp(one->folder, folder, length)) return;
    struct guard *guard = heap_alloc(sizeof *guard + length + 1);
    memcpy(guard->folder, folder, length);
    guard->length = length;
    guard->next = guards;
    guards = guard;
}

static const struct guard *guard_of(const char *text)
{
    for (const struct guard *one = guards; one; one = one->next)
        if (!strncmp(text, one->folder, one->length) && text[one->length] == '/' &&
            text[one->length + strspn(text + one->length, "/")])
            return one;
    return NULL;
}

void path_leave(const struct path *path)
{
    const int error = errno;
    if (path->folder >= 0) close(path->folder);
    errno = error;
}

/* Like openat(), but does not follow links. If a folder is expected, the system reports ENOTDIR for
 * a link, as for a file that is no folder. For a link, this function sets ELOOP instead. */
static int open_below(int from, const char *name, int flags)
{
    struct stat info;
    int file = openat(from, name, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno == ENOTDIR) {
        const bool link =
            fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
        errno = link ? ELOOP : ENOTDIR;
    }
    return file;
}

/* Opens the folder `name` in `from`, and closes `from`. On failure returns -1 with errno. */
static int step_into(int from, const char *name)
{
    int folder = open_below(from, name, O_PATH | O_DIRECTORY);
    path_leave(&(struct path){.folder = from});
    return folder;
}

bool path_enter(const char *text, struct path *path)
{
    const struct guard *guard = guard_of(text);
    *path = (struct path){.folder = AT_FDCWD, .name = text, .guarded = guard != NULL};
    if (!guard) return true;
    int folder = open(*guard->folder ? guard->folder : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const char *at = text + guard->length;
    while (folder >= 0) {
        at += strspn(at, "/");
        const size_t length = strcspn(at, "/");
        char name[NAME_MAX + 1];
        const bool up = length == 2 && !memcmp(at, "..", 2), last = !at[length];
        if (up || length > NAME_MAX) {
            close(folder);
            errno = up ? EXDEV : ENAMETOOLONG;
            return false;
        }
        if (last) {
            path->folder = folder;
            path->name = *at ? at : ".";
            return true;
        }
        memcpy(name, at, length);
        name[length] = 0;
        folder = step_into(folder, name);
        at += length;
    }
    return false;
}

int path_open(const char *text, int flags)
{
    SCOPED(path_leave) struct path at;
    if (!path_enter(text, &at)) return -1;
    return at.guarded ? open_below(at.folder, at.name, flags)
                      : openat(at.folder, at.name, flags | O_CLOEXEC, 0666);
}

/* In this function and the following ones, path_leave runs at the end. It does nothing if
 * path_enter failed, and keeps errno. */
bool path_stat(const char *text, struct stat *info)
{
    SCOPED(path_leave) struct path at;
    return path_enter(text, &at) &&
           fstatat(at.folder, at.name, info, at.guarded ? AT_SYMLINK_NOFOLLOW : 0) == 0;
}

bool path_is_denied(const char *text)
{
    SCOPED(path_leave) struct path at;
    struct stat info;
    const bool there = path_enter(text, &at) && fstatat(at.folder, at.name, &info,
                                                        at.guarded ? AT_SYMLINK_NOFOLLOW : 0) == 0;
    const int wanted = there && S_ISDIR(info.st_mode) ? R_OK | X_OK : R_OK;
    const bool read = there && faccessat(at.folder, at.name, wanted, AT_EACCESS) == 0;
    return !read && errno == EACCES;
}

bool path_make_folder(const char *text)
{
    SCOPED(path_leave) struct path at;
    return path_enter(text, &at) && mkdirat(at.folder, at.name, 0777) == 0;
}

bool path_rename(const char *from, const char *to, unsigned flags)
{
    SCOPED(path_leave) struct path here, there = {.folder = AT_FDCWD};
    return path_enter(from, &here) && path_enter(to, &there) &&
           renameat2(here.folder, here.name, there.folder, there.name, flags) == 0;
}

bool path_link(const char *from, const char *to)
{
    SCOPED(path_leave) struct path here, there = {.folder = AT_FDCWD};
    return path_enter(from, &here) && path_enter(to, &there) &&
           linkat(here.folder, here.name, there.folder, there.name, 0) == 0;
}

bool path_symlink(const char *target, const char *text)
{
    SCOPED(path_leave) struct path at;
    return path_enter(text, &at) && symlinkat(target, at.folder, at.name) == 0;
}

ssize_t path_read_link(const char *text, char *target, size_t size)
{
    SCOPED(path_leave) struct path at;
    return path_enter(text, &at) ? readlinkat(at.folder, at.name, target, size) : -1;
}

bool path_unlink(const char *text)
{
    SCOPED(path_leave) struct path at;
    return path_enter(text, &at) && unlinkat(at.folder, at.name, 0) == 0;
}

void path_share(const char *text)
{
    SCOPED(path_leave) struct path at;
    struct stat folder, file;
    /* The group is changed by name, because closing any descriptor of a file ends SQLite's locks on
     * it. */
    if (path_enter(text, &at) && at.guarded && fstat(at.folder, &folder) == 0 &&
        fstatat(at.folder, at.name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
        file.st_gid != folder.st_gid &&
        fchownat(at.folder, at.name, (uid_t)-1, folder.st_gid, AT_SYMLINK_NOFOLLOW) != 0)
        trace("path", "%s: keeps its group: %s", text, strerror(errno));
}

bool path_same(const char *one, const char *other)
{
    SCOPED(heap_free) char *first = realpath(one, NULL), *second = realpath(other, NULL);
    return first && second && !strcmp(first, second);
}
