/* Lets a runner change the number of threads of its worker, by two numbers in shared memory.
 *
 * The runner writes the permitted number (`allowed`). Between two pieces of work, such as training
 * steps, the worker reads the permitted number. Then the worker writes the number that it uses from
 * then on (`used`). The number of threads does not change the results. To get threads back, the
 * runner lowers `allowed` and waits until `used` is as low. Until then, the worker holds the larger
 * of the two numbers. */
#pragma once

struct team {
    _Atomic int allowed, used; /* sequentially consistent */
};

/* For the runner. Creates the shared memory. Sets *file to its descriptor, which is passed to the
 * worker. The descriptor is closed on exec and differs from the fixed descriptors of workers.
 * Returns NULL on failure. */
struct team *team_new(int threads, int *file);
/* For the worker. Returns NULL if `file` is not a descriptor from team_new. */
struct team *team_open(int file);
void team_close(struct team *team);

/* For the worker. Returns the number of threads to use from now on. */
int team_follow(struct team *team);
/* For the runner. Returns the number of threads that the worker may be using. */
int team_holds(struct team *team);
