/* Number of threads of a worker: two numbers in memory shared with its runner.
 *
 * The runner writes the permitted number. Between two pieces of work (training steps, sentences of
 * a translation) the worker reads it and writes the number that it uses from then on. Threads
 * change no bit of the results. To get threads back, the runner lowers the first number and waits
 * for the second: the larger of both is not free. */
#pragma once

struct team {
    _Atomic int allowed, used; /* sequentially consistent */
};

/* For the runner. Allocates anonymous memory; *file becomes its descriptor for the worker
 * (close-on-exec, and different from the fixed descriptors of workers). NULL on failure. */
struct team *team_new(int threads, int *file);
/* For the worker. NULL if the file has no team. */
struct team *team_open(int file);
void team_close(struct team *team);

/* For the worker. Returns the threads to use from now on. */
int team_follow(struct team *team);
/* For the runner. Returns the threads that are not free. */
int team_holds(struct team *team);
