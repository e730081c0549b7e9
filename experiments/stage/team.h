/* How many threads a worker has: two numbers in memory that it shares with its runner.
 *
 * The runner says how many it may use. The worker asks between two pieces of its work (steps of a
 * training, sentences of a translation) and says how many it uses from there on; threads change no
 * bit of its results. Who wants threads back lowers the first number and waits for the second:
 * what the worker may use or still uses, whichever is more, is not free. */
#pragma once

struct team {
    _Atomic int allowed, used; /* every reading and writing in one order for all */
};

/* The runner's: anonymous memory, and in *file its descriptor for the worker (close-on-exec, and
 * none that a worker is given under a number of its own). NULL when there is none. */
struct team *team_new(int threads, int *file);
/* The worker's; NULL when the file is none. */
struct team *team_open(int file);
void team_close(struct team *team);

/* The worker: the threads to use from now on. */
int team_follow(struct team *team);
/* The runner: the threads that are not free. */
int team_holds(struct team *team);
