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
/* A child that such a signal ends as well, so that nobody waits for its work; 0: none. It must not
 * have been waited for yet. */
void unfinished_child(pid_t process);
/* Removes the folder, or what is left of it. A signal that has arrived since the last pass is sent
 * again, to the handler that was set before. */
void unfinished_end(void);
