/* Where a path leads. Below a guarded folder (RUNS, which somebody else may have sent) no link is
 * followed: a link there could make us read, cut or remove what lies anywhere. The guarded folder
 * itself, and what leads to it, may be a link: its user chose it.
 *
 * A path belongs to a guarded folder when it begins with its text ("runs" and
 * "runs/stages/train-1"). All other paths mean what they mean to the system. */
#ifndef CORE_BASE_PATH_H
#define CORE_BASE_PATH_H

#include "core/base/base.h"

/* From now on, in this process; more than once does no harm. */
void path_guard(const char *folder);

/* The folder that a path lies in, opened, and its name there: for the calls that end in "at". */
struct path {
    int folder; /* AT_FDCWD outside of guarded folders */
    const char *name;
    bool guarded;
};
/* False, with errno, when a folder on the way is missing, or is a link (ELOOP) or ".." (EINVAL). */
bool path_enter(const char *text, struct path *path);
void path_leave(const struct path *path); /* keeps errno */
/* open() of it, with mode 0666; ELOOP when the path is a link itself, too. */
int path_open(const char *text, int flags);

#endif
