/* Where a path leads. Below a guarded folder (RUNS, which somebody else may have sent) no link is
 * followed: a link there could make us read, cut or remove what lies anywhere. The guarded folder
 * itself, and what leads to it, may be a link: its user chose it.
 *
 * A path belongs to a guarded folder when it begins with its text ("runs" and
 * "runs/stages/train-1"). All other paths mean what they mean to the system. */
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include "core/base/base.h"

/* From now on, in this process; more than once does no harm. */
void path_guard(const char *folder);

/* The folder that a path lies in, opened, and its name there: for the calls that end in "at". */
struct path {
    int folder; /* AT_FDCWD outside of guarded folders */
    const char *name;
    bool guarded;
};
/* False, with errno, when a folder on the way is missing, or is a link (ELOOP) or ".." (EXDEV). */
bool path_enter(const char *text, struct path *path);
void path_leave(const struct path *path); /* keeps errno */

/* The calls of the system by these names. All close on exec; below a guarded folder they follow no
 * link, not at the path's end either (ELOOP). New files have mode 0666, folders 0777. */
int path_open(const char *text, int flags);
bool path_stat(const char *text, struct stat *info);
/* True if this user may not read what is there: a file, or a folder with the files in it. */
bool path_is_denied(const char *text);
bool path_make_folder(const char *text);
bool path_rename(const char *from, const char *to, unsigned flags); /* renameat2() */
bool path_link(const char *from, const char *to);
bool path_symlink(const char *target, const char *text);
ssize_t path_read_link(const char *text, char *target, size_t size);
bool path_unlink(const char *text);
/* Gives a file below a guarded folder the group of the folder that it lies in, so that whoever may
 * write the folder may write the file. Only its owner can; for others nothing happens. */
void path_share(const char *text);

/* Whether both lead to one file, which is there; links are followed. */
bool path_same(const char *one, const char *other);
