/* Starts a worker process for a stage's folder, and reads its progress from a pipe. A closed pipe
 * means that the worker ends. */
#pragma once

#include <sys/types.h>

#include "core/base/base.h"
#include "experiments/stage/team.h"

enum { WORKER_LINE = 256 };

struct worker {
    pid_t process;
    int pipe;          /* read end for the worker's progress lines; non-blocking */
    struct team *team; /* controls the number of threads; NULL: the number never changes */
    double start;      /* clock_seconds at its start */
    /* `done` and `total` of the last progress line, and `done` of the first progress line. */
    int64_t done, total, first; /* first: -1 before the first line */
    double first_time;          /* clock_seconds at the first line */
    char text[WORKER_LINE];
    char line[WORKER_LINE]; /* an incomplete line; its first `length` bytes have been read */
    size_t length;
};

/* Starts `sanlab work` on the folder, with `threads` threads. `device` is the word for --device.
 * The worker has its own process group, so that Ctrl-C on a terminal reaches the worker only
 * through the runner. Its output is appended to FOLDER/log.txt. `shorter`: name of the training
 * that the stage continues (continue.h); NULL: none. */
struct worker worker_start(const char *folder, int threads, const char *device,
                           const char *shorter);
/* Returns the first environment entry that changes the threads of this process in a way that
 * workers do not inherit; NULL if none. Numbers of threads are ignored, because a worker has its
 * own. */
const char *worker_foreign_setting(void);
/* Reads the available progress lines. Returns false if the worker has closed its end of the
 * pipe. */
bool worker_read(struct worker *worker);
/* worker_rate returns the progress per second since the first line. worker_left returns the seconds
 * left at this rate. Both are negative while unknown. */
double worker_rate(const struct worker *worker);
double worker_left(const struct worker *worker);
/* Closes the pipe and the team, waits until the worker ends, and returns the status of waitpid.
 * Then sends SIGTERM to the child processes of the worker that still run. */
int worker_end(struct worker *worker);
