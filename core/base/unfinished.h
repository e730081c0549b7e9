/* A folder that must not outlive the process that fills it. It is removed when the process exits,
 * dies, or is ended by SIGINT, SIGTERM or SIGHUP. At most one folder is unfinished at a time.
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
/* Registers a child that such a signal also ends, so that a wait for the child does not block; 0:
 * none. The child must not have been waited for yet. */
void unfinished_child(pid_t process);
/* Removes the folder, if it still exists. A signal that has arrived since the last pass is sent
 * again, to the previous handler. */
void unfinished_end(void);
