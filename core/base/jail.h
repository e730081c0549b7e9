/* A process that may compute and write files below its folder, and nothing else: what gnuplot runs
 * in. gnuplot has no safe mode: a script or a file name can start any program and write any file.
 * The jail forbids that (PR_SET_NO_NEW_PRIVS and a seccomp filter): no new processes, no other
 * program than the one that is started, no sockets, no look into other processes. Threads are
 * allowed, since pango needs them. Where the kernel has Landlock (5.13), files can be made and
 * written only below the current folder. */
#pragma once

#include "core/base/base.h"

/* In the child, before execve: from now on only execve(program, ...) with this very pointer is
 * possible. False, without the filter, where the kernel has none. Safe between fork and execve. */
bool jail_enter(const char *program);

/* Whether jail_enter works here (sanlab doctor says so); tried in a child of its own. */
bool jail_available(void);
