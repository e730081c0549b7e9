/* Removes a temporary folder that must not outlive the process that fills it. unfinished_end
 * removes the folder after the process has moved the finished files out of it. The folder is also
 * removed when the process exits, dies, or is ended by SIGINT, SIGTERM or SIGHUP. At most one
 * folder is unfinished at a time.
 *
 *     unfinished_begin(folder);
 *     .. unfinished_pass() between the steps of the work ..
 *     unfinished_end();
 */
#pragma once

#include <sys/types.h>

void unfinished_begin(const char *path);
/* Removes the folder and ends the process if one of the signals has arrived. */
void unfinished_pass(void);
/* Registers a child, to which SIGTERM is sent if such a signal arrives, so that a wait for the
 * child ends. 0: no child. The process must not have waited for the child yet. */
void unfinished_child(pid_t process);
/* Removes the folder if it still exists, and restores the previous signal handlers. A signal that
 * has arrived since the last unfinished_pass is sent again, to its previous handler. */
void unfinished_end(void);
