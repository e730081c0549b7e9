/* A worker process of the runner. It starts on a stage's folder, reports progress through a pipe,
 * and is reaped when the pipe is closed. */
#pragma once

#include <sys/types.h>

#include "core/base/base.h"
#include "experiments/stage/team.h"

enum { WORKER_LINE = 256 };

struct worker {
    pid_t process;
    int pipe;          /* lines of progress; does not block */
    struct team *team; /* threads on loan; NULL: the threads with which it was started */
    double start;      /* clock_seconds at its start */
    /* The last report of the worker, and the work done at its first report. */
    int64_t done, total, first; /* first: -1 before the first report */
    double first_time;
    char text[WORKER_LINE];
    char line[WORKER_LINE]; /* the first `length` bytes have been read */
    size_t length;
};

/* Starts `sanlab work` on the folder, with this process's device and `threads` threads. The worker
 * is in its own process group, so that a terminal's interrupt reaches it once, through the runner.
 * Its output goes to FOLDER/log.txt. `shorter`: the training that it continues (continue.h), or
 * NULL. */
struct worker worker_start(const char *folder, int threads, const char *shorter);
/* Returns the first environment entry that changes the threads of this process but is not passed to
 * workers; NULL if none. */
const char *worker_foreign_setting(void);
/* Reads the available progress. Returns false if the worker has closed its end. */
bool worker_read(struct worker *worker);
/* Returns the progress per second since the first report, and the seconds left at this rate;
 * negative while unknown. */
double worker_rate(const struct worker *worker);
double worker_left(const struct worker *worker);
/* Waits until the worker ends, closes the pipe and the team, and returns the status of waitpid.
 * Terminates child processes of the worker that still run. */
int worker_end(struct worker *worker);
