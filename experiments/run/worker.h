/* A worker process as the runner sees it: started on a stage's folder, heard through a pipe, and
 * reaped when the pipe is closed. */
#pragma once

#include <sys/types.h>

#include "core/base/base.h"
#include "experiments/stage/team.h"

enum { WORKER_LINE = 256 };

struct worker {
    pid_t process;
    int pipe;          /* its lines of progress; does not block */
    struct team *team; /* its threads; NULL: those that it was started with */
    double start;      /* when it was started */
    /* What it last said, and what had been done when it first said something. */
    int64_t done, total, first; /* first: -1 until then */
    double first_time;
    char text[WORKER_LINE];
    char line[WORKER_LINE]; /* of which `length` bytes were read */
    size_t length;
};

/* `sanlab work` on the folder, by this process's device, with so many threads, in a process group
 * of its own (a terminal's interrupt reaches it through the runner, once); what it prints goes to
 * FOLDER/log.txt. `shorter`: the training that it goes on from (continue.h), or NULL. */
struct worker worker_start(const char *folder, int threads, const char *shorter);
/* Returns the first entry of the environment that changes how this process's threads run, but that
 * workers do not get; NULL if there is none. */
const char *worker_foreign_setting(void);
/* Reads what there is; false when the worker has closed its end. */
bool worker_read(struct worker *worker);
/* Its progress per second since it was first heard, and the seconds that are left by that; negative
 * as long as nobody knows. */
double worker_rate(const struct worker *worker);
double worker_left(const struct worker *worker);
/* Waits for its end, closes the pipe and the team, and returns its status as of waitpid. What it
 * had started and what still runs is ended, too. */
int worker_end(struct worker *worker);
