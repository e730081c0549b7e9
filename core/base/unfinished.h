/* A folder that must not outlive the process that fills it. It is removed when the process exits,
 * dies, or is ended by SIGINT, SIGTERM or SIGHUP. There is one at a time.
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
/* Registers a child that such a signal ends as well, so that waiting for it does not block; 0:
 * none. Its process must not have been waited for yet. */
void unfinished_child(pid_t process);
/* Removes the folder, if it still exists. A signal that has arrived since the last pass is sent
 * again, to the previous handler. */
void unfinished_end(void);
