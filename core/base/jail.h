/* A sandbox for gnuplot. A process in the jail may only compute and write files below its folder.
 * gnuplot has no safe mode: a script or a file name can start any program and write any file. The
 * jail (PR_SET_NO_NEW_PRIVS and a seccomp filter) forbids new processes, other programs, sockets,
 * and access to other processes. Threads are allowed, because pango needs them. If the kernel has
 * Landlock (5.13), files can be created and written only below the current folder. */
#pragma once

#include "core/base/base.h"

/* Enters the jail. Call it in the child, before execve. After this call, execve(program, ...) is
 * possible only with this pointer. Returns false, without a filter, if the kernel does not support
 * filters. Safe between fork and execve. */
bool jail_enter(const char *program);

/* True if jail_enter works here (for sanlab doctor). Tries the call in a child process. */
bool jail_available(void);
