/* System calls on paths that follow no link below a guarded folder (RUNS, which may come from
 * another person). A link there could make this program read, cut or remove any file. The guarded
 * folder itself, and the path to it, may be a link, because the user chose it.
 *
 * A path belongs to a guarded folder if it begins with the folder's text ("runs" and
 * "runs/stages/train-1"). The system handles all other paths as usual. */
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include "core/base/base.h"

/* Guards a folder in this process from now on; may be repeated. */
void path_guard(const char *folder);

/* A path as an open folder and a name in it, for the system calls that end in "at". */
struct path {
    int folder; /* AT_FDCWD outside of guarded folders */
    const char *name;
    bool guarded;
};
/* Returns false, with errno, if a folder of the path is missing, or is a link (ELOOP) or ".."
 * (EXDEV). */
bool path_enter(const char *text, struct path *path);
void path_leave(const struct path *path); /* keeps errno */

/* The system calls of the same names, without "path_". All files close on exec. Below a guarded
 * folder they follow no link, not even at the end of the path (ELOOP). New files have mode 0666,
 * folders 0777. */
int path_open(const char *text, int flags);
bool path_stat(const char *text, struct stat *info);
/* True if this user may not read the path: a file, or a folder with the files in it. */
bool path_is_denied(const char *text);
bool path_make_folder(const char *text);
bool path_rename(const char *from, const char *to, unsigned flags); /* renameat2() */
bool path_link(const char *from, const char *to);
bool path_symlink(const char *target, const char *text);
ssize_t path_read_link(const char *text, char *target, size_t size);
bool path_unlink(const char *text);
/* Gives a file below a guarded folder the group of its folder, so that all users who may write the
 * folder may write the file. Only the owner can do so; for other users it does nothing. */
void path_share(const char *text);

/* True if both paths lead to the same existing file; follows links. */
bool path_same(const char *one, const char *other);
