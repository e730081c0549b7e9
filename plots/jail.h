/* A process that may compute and write files, and nothing else: what gnuplot runs in. gnuplot has
 * no safe mode: a script or a file name can start any program. The jail forbids that
 * (PR_SET_NO_NEW_PRIVS and a seccomp filter for x86-64 and aarch64): no new processes, no other
 * program than the one that is started, no sockets, no look into other processes. Threads are
 * allowed, since pango needs them. */
#ifndef PLOTS_JAIL_H
#define PLOTS_JAIL_H

#include "core/base/base.h"

/* In the child, before execve: from now on only execve(program, ...) with this very pointer is
 * possible. False, and nothing has changed but PR_SET_NO_NEW_PRIVS, where the kernel or the
 * processor has no such filter. Safe between fork and execve. */
bool jail_enter(const char *program);

/* Whether jail_enter works here (sanlab doctor says so); tried in a child of its own. */
bool gnuplot_jail_available(void);

#endif
