/* A sandbox for gnuplot. gnuplot has no safe mode: a script or a file name can start any program
 * and write any file. The jail (PR_SET_NO_NEW_PRIVS and a seccomp filter) forbids new processes,
 * other programs, sockets, and access to other processes. Threads are allowed, because pango needs
 * them. If the kernel has Landlock (Linux 5.13), the process can create, write and remove files
 * only below its current folder. The process can read all files. */
#pragma once

#include "core/base/base.h"

/* Enters the jail. Call it in the child, before execve. After this call, execve() works only if its
 * path is this pointer, `program`. Returns false, without a filter, if the kernel does not support
 * filters. It may be called between fork and execve. */
bool jail_enter(const char *program);

/* True if jail_enter works on this machine (for sanlab doctor). Tries the call in a child
 * process. */
bool jail_available(void);
