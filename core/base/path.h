/* System calls on paths. Below a guarded folder they follow no link. The guarded folder is RUNS,
 * which may come from another person: a link in it could make this program read, cut or remove any
 * file. The path of the guarded folder itself may contain links, because the user chose this path.
 *
 * A path is below a guarded folder if its text begins with the text of the folder and a slash. For
 * example, "runs/stages/train-1" is below "runs". All other paths are handled as usual. */
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include "core/base/base.h"

/* Guards a folder in this process from now on. May be called for several folders. */
void path_guard(const char *folder);

/* A path, split into an open folder and a name in this folder, for system calls such as
 * openat(). */
struct path {
    int folder; /* AT_FDCWD if the path is not guarded */
    const char *name;
    bool guarded;
    struct path_folder *kept; /* owner of `folder`; NULL: path_leave closes it */
};
/* Splits a path. Returns false with errno if a folder of a guarded path is missing, is a link
 * (ELOOP) or is ".." (EXDEV). */
bool path_enter(const char *text, struct path *path);
void path_leave(const struct path *path); /* keeps errno */

/* These functions do the same as open(), stat(), mkdir() and so on. On failure they return -1 or
 * false with errno. Opened files close on exec. Below a guarded folder the functions follow no
 * link, not even at the end of the path (ELOOP). New files have mode 0666, new folders 0777. */
int path_open(const char *text, int flags);
bool path_stat(const char *text, struct stat *info);
/* True if this user has no permission to read the path. For a folder this includes the permission
 * to open the files in it. */
bool path_is_denied(const char *text);
bool path_make_folder(const char *text);
bool path_rename(const char *from, const char *to, unsigned flags); /* renameat2() */
bool path_link(const char *from, const char *to);
bool path_symlink(const char *target, const char *text);
ssize_t path_read_link(const char *text, char *target, size_t size);
bool path_unlink(const char *text);
/* Gives a file below a guarded folder the group of its folder, so that the users who share the
 * folder can also share the file. Only the owner of the file can do this. For other users the
 * function does nothing. */
void path_share(const char *text);

/* True if both paths lead to the same existing file. Follows links. */
bool path_same(const char *one, const char *other);
