/* Walks each guarded path name by name from the guarded folder, without following links. The final
 * system call acts on the last name, in the folder that was reached. The last folders stay open.
 * One is used again if its path still leads to it. */
#include "core/base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
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

/* A folder that was reached name by name. It stays open, so that later paths through it need not be
 * walked again. */
struct path_folder {
    char *path;
    size_t length; /* of the text by which the folder was reached */
    int folder;
    int users; /* calls that use it now; plus 1 while it is in `reached` */
    struct stat info;
};
enum { REACHED_MOST = 16 };
static struct path_folder *reached[REACHED_MOST];
static int oldest;
static pthread_mutex_t reached_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Ends one use of a folder. The last one closes it. */
static void end_use(struct path_folder *one)
{
    if (!one || --one->users) return;
    close(one->folder);
    free(one->path);
    free(one);
}

void path_leave(const struct path *path)
{
    const int error = errno;
    if (path->kept) {
        pthread_mutex_lock(&reached_mutex);
        end_use(path->kept);
        pthread_mutex_unlock(&reached_mutex);
    } else if (path->folder >= 0) {
        close(path->folder);
    }
    errno = error;
}

/* Returns the open folder that was reached by this text; NULL if there is none, or if the path
 * leads to another folder now. */
static struct path_folder *find_reached(const char *text, size_t length)
{
    struct stat info;
    for (int i = 0; i < REACHED_MOST; i++) {
        struct path_folder *one = reached[i];
        if (!one || one->length != length || memcmp(one->path, text, length) != 0) continue;
        if (stat(one->path, &info) == 0 && info.st_dev == one->info.st_dev &&
            info.st_ino == one->info.st_ino)
            return one;
        end_use(one);
        reached[i] = NULL;
    }
    return NULL;
}

/* Keeps a folder open in the place of the oldest one. */
static struct path_folder *keep_reached(const char *text, size_t length, int folder)
{
    struct path_folder *one = heap_alloc(sizeof *one), **place = &reached[oldest++ % REACHED_MOST];
    *one = (struct path_folder){.path = heap_print("%.*s%s", (int)length, text, length ? "" : "/"),
                                .length = length,
                                .folder = folder,
                                .users = 1};
    fstat(folder, &one->info);
    end_use(*place);
    return *place = one;
}

/* True if a folder may be entered by this name. Sets errno if not. */
static bool is_name(const char *name, size_t length)
{
    const bool up = length == 2 && !memcmp(name, "..", 2);
    errno = up ? EXDEV : ENAMETOOLONG;
    return !up && length <= NAME_MAX;
}

/* Opens the folder with the path text[0..length-1]: the guarded folder or one below it. On failure
 * returns NULL with errno. */
static struct path_folder *reach(const struct guard *guard, const char *text, size_t length)
{
    while (length > guard->length && text[length - 1] == '/') length--;
    struct path_folder *found = find_reached(text, length);
    if (found) return found;
    int folder;
    if (length == guard->length) {
        folder = open(length ? guard->folder : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    } else {
        char name[NAME_MAX + 1];
        size_t begin = length;
        while (text[begin - 1] != '/') begin--;
        const struct path_folder *parent = reach(guard, text, begin);
        if (!parent || !is_name(text + begin, length - begin)) return NULL;
        snprintf(name, sizeof name, "%.*s", (int)(length - begin), text + begin);
        folder = open_below(parent->folder, name, O_PATH | O_DIRECTORY);
    }
    return folder < 0 ? NULL : keep_reached(text, length, folder);
}

bool path_enter(const char *text, struct path *path)
{
    const struct guard *guard = guard_of(text);
    *path = (struct path){.folder = AT_FDCWD, .name = text, .guarded = guard != NULL};
    if (!guard) return true;
    const char *name = strrchr(text, '/') + 1;
    pthread_mutex_lock(&reached_mutex);
    if (is_name(name, strlen(name)) && (path->kept = reach(guard, text, (size_t)(name - text)))) {
        path->kept->users++;
        path->folder = path->kept->folder;
        path->name = *name ? name : ".";
    }
    pthread_mutex_unlock(&reached_mutex);
    return path->kept;
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
