/* Records the operations of each step, by its key, and compares them when the step is issued again.
 * Forks are numbered. The operations of a fork are kept, in order, until a join runs them. */
#include "core/emu/record.h"

#include <stdlib.h>
#include <string.h>

struct issued {
    const char *name;
    void *arguments;
    size_t bytes;
};

struct recorded {
    struct recorded *next;
    struct run_key key;
    int count;
    struct issued *issued;
};

static struct recorded *all, *now; /* current step; NULL: none is being issued */
static int place;                  /* index of the next operation in the step */
/* known: the step was recorded before. plans: operations are not run. */
static bool known, plans;
static struct record_steps last;
/* If true, arguments are also compared. Only tests set it, because the padding in structs of other
 * callers may be undefined. */
static bool strict;

/* An operation that was issued in a fork (struct ops). It runs as late as joins allow. So if memory
 * is reused too early, the operation reads wrong values, and tests fail. */
struct kept {
    struct kept *next;
    int fork;                         /* number of the fork */
    const struct simt_kernel *kernel; /* kernel of the operation; NULL: the operation calls `run` */
    int64_t blocks;
    size_t shared;
    void (*run)(void *arguments);
    void *arguments;
};

enum { FORKS = 4096 }; /* maximum number of forks between two joins of all forks */
static struct kept *first_kept, *last_kept;
static bool on; /* a fork is open */
static int forks;
/* launches: number of launches in the step. path and path_forked: length of the longest chain of
 * launches that ends with the last launch outside of forks and in forks. path_to_end: path_forked
 * at the end of each fork. */
static int launches, path, path_forked, path_to_end[FORKS];
static bool (*outer)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                     const void *arguments);

/* Records the next operation of a step, or compares it with the recording. */
static void note(const char *name, const void *arguments, size_t bytes)
{
    if (plans || !now) return;
    if (known) {
        const struct issued *then = &now->issued[place];
        CHECK(place < now->count && !strcmp(then->name, name) && then->bytes == bytes,
              "%s is the %d-th of a step where %s was when it was recorded", name, place,
              place < now->count ? then->name : "nothing");
        CHECK(!strict || !memcmp(then->arguments, arguments, bytes),
              "%s, the %d-th of a step, has other arguments than when it was recorded", name,
              place);
    } else {
        HEAP_MORE(now->issued, now->count);
        struct issued *one = &now->issued[now->count++];
        *one = (struct issued){name, heap_alloc(bytes), bytes};
        memcpy(one->arguments, arguments, bytes);
    }
    place++;
}

bool record_issued(const char *name, const void *arguments, size_t bytes)
{
    launches++;
    ++*(on ? &path_forked : &path);
    note(name, arguments, bytes);
    return !plans;
}

/* ---- forks ---- */

static struct kept *keep(const void *arguments, size_t bytes)
{
    struct kept *kept = heap_alloc(sizeof *kept);
    *kept = (struct kept){.fork = forks, .arguments = heap_alloc(bytes)};
    memcpy(kept->arguments, arguments, bytes);
    if (last_kept)
        last_kept->next = kept;
    else
        first_kept = kept;
    return last_kept = kept;
}

bool record_keeps(void (*run)(void *arguments), const void *arguments, size_t bytes)
{
    if (on) keep(arguments, bytes)->run = run;
    return on;
}

static bool launched(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                     const void *arguments)
{
    if (!record_issued(kernel->name, arguments, kernel->bytes)) return false;
    if (!on) return true;
    struct kept *kept = keep(arguments, kernel->bytes);
    kept->kernel = kernel, kept->blocks = blocks, kept->shared = shared;
    return false;
}

void record_fork(void)
{
    note("fork", "", 0);
    CHECK(!on && forks < FORKS, "fork %d, or one within another", forks);
    on = true;
    if (path_forked < path) path_forked = path;
    outer = simt_control.issued;
    simt_control.issued = launched;
}

void record_fork_end(void)
{
    note("fork_end", "", 0);
    simt_control.issued = outer;
    on = false;
    path_to_end[forks++] = path_forked;
}

void record_join(int late)
{
    note("join", &late, sizeof late);
    if (forks > late && path < path_to_end[forks - late - 1]) path = path_to_end[forks - late - 1];
    outer = simt_control.issued;
    simt_control.issued = NULL;
    while (first_kept && first_kept->fork < forks - late) {
        struct kept *kept = first_kept;
        first_kept = kept->next;
        if (!first_kept) last_kept = NULL;
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

bool record_forks(bool *waits)
{
    *waits = first_kept;
    return on;
}

/* ---- steps ---- */

struct record_steps record_steps(void)
{
    last.keys = 0;
    for (const struct recorded *one = all; one; one = one->next) last.keys++;
    return last;
}

/* Ends the program if a step is being issued. Does nothing in builds with guards
 * (core/tensor/guard.h), because guards read memory between the nodes of a step. */
void record_interrupts(const char *what)
{
#ifndef STRESS
    CHECK(!now, "%s within a step that is recorded", what);
#endif
}

void record_run(const struct run_key *key, void (*issue)(void *context), void *context)
{
    now = all;
    while (now && memcmp(&now->key, key, sizeof *key) != 0) now = now->next;
    known = now;
    if (!known) {
        now = heap_alloc(sizeof *now);
        *now = (struct recorded){.next = all, .key = *key};
        all = now;
    }
    place = 0;
    launches = path = path_forked = 0;
    strict = getenv("SANLAB_EMU_STRICT");
    simt_control.issued = launched;
    issue(context);
    simt_control.issued = NULL;
    last = (struct record_steps){.launches = launches, .path = path};
    CHECK(place == now->count, "a step ends after launch %d, but it was recorded with %d", place,
          now->count);
    now = NULL;
}

void record_reserve(void (*issue)(void *context), void *context)
{
    plans = true;
    simt_control.issued = launched;
    issue(context);
    simt_control.issued = NULL;
    plans = false;
}

void record_forget(const void *list)
{
    for (struct recorded **at = &all; *at;) {
        struct recorded *one = *at;
        if ((list && one->key.list != list) || one == now) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        for (int i = 0; i < one->count; i++) free(one->issued[i].arguments);
        free(one->issued);
        free(one);
    }
}
