/* Forks are numbered; a list keeps what they have issued, in its order. */
#include "core/emu/async.h"

#include <stdlib.h>
#include <string.h>

enum { FORKS = 4096 }; /* between two joins of all */

struct kept {
    struct kept *next;
    int fork;                         /* its number */
    const struct simt_kernel *kernel; /* or `run` */
    int64_t blocks;
    size_t shared;
    void (*run)(void *arguments);
    void *arguments;
};

static struct kept *first, *last;
static bool on;
static int forks;
/* Launches of the step; of its longest path, those up to what is issued now on the first stream, on
 * the second one, and up to the end of each fork. */
static int launches, path, path_forked, path_to_end[FORKS];
static bool (*outer)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                     const void *arguments);

void async_fork(bool (*issued)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                               const void *arguments))
{
    CHECK(!on && forks < FORKS, "fork %d, or one within another", forks);
    on = true;
    if (path_forked < path) path_forked = path;
    outer = simt_control.issued;
    simt_control.issued = issued;
}

void async_fork_end(void)
{
    simt_control.issued = outer;
    on = false;
    path_to_end[forks++] = path_forked;
}

void async_join(int late)
{
    if (forks > late && path < path_to_end[forks - late - 1]) path = path_to_end[forks - late - 1];
    outer = simt_control.issued;
    simt_control.issued = NULL;
    while (first && first->fork < forks - late) {
        struct kept *kept = first;
        first = kept->next;
        if (!first) last = NULL;
        if (kept->kernel)
            simt_launch(kept->kernel, kept->blocks, kept->shared, kept->arguments);
        else
            kept->run(kept->arguments);
        free(kept->arguments);
        free(kept);
    }
    simt_control.issued = outer;
    if (!late) forks = 0;
}

static struct kept *keep(const void *arguments, size_t bytes)
{
    struct kept *kept = heap_alloc(sizeof *kept);
    *kept = (struct kept){.fork = forks, .arguments = heap_alloc(bytes)};
    memcpy(kept->arguments, arguments, bytes);
    if (last)
        last->next = kept;
    else
        first = kept;
    return last = kept;
}

bool async_takes_kernel(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                        const void *arguments)
{
    if (!on) return false;
    struct kept *kept = keep(arguments, kernel->bytes);
    kept->kernel = kernel, kept->blocks = blocks, kept->shared = shared;
    return true;
}

bool async_takes(void (*run)(void *arguments), const void *arguments, size_t bytes)
{
    if (!on) return false;
    keep(arguments, bytes)->run = run;
    return true;
}

bool async_is_done(void)
{
    return !first;
}

bool async_is_on(void)
{
    return on;
}

void async_counts(void)
{
    launches++;
    if (on)
        path_forked++;
    else
        path++;
}

void async_count_begin(void)
{
    launches = path = path_forked = 0;
}

struct async_steps async_counted(void)
{
    return (struct async_steps){launches, path};
}
