/* Steps as lists of what was issued, by their keys. */
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

static struct recorded *all, *now; /* now: the step that is issued; NULL: none is */
static int place;                  /* in it */
static bool known, plans;          /* it was recorded before; nothing is done */
static struct async_steps last;
static bool strict; /* structs of callers have gaps with anything in them: only where tests know */

/* The next of what a step issues. */
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
    async_counts();
    note(name, arguments, bytes);
    return !plans;
}

static bool launched(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                     const void *arguments)
{
    return record_issued(kernel->name, arguments, kernel->bytes) &&
           !async_takes_kernel(kernel, blocks, shared, arguments);
}

void record_fork(void)
{
    note("fork", "", 0);
    async_fork(launched);
}

void record_fork_end(void)
{
    note("fork_end", "", 0);
    async_fork_end();
}

void record_join(int late)
{
    note("join", &late, sizeof late);
    async_join(late);
}

struct async_steps record_steps(void)
{
    return last;
}

int record_keys(void)
{
    int count = 0;
    for (const struct recorded *one = all; one; one = one->next) count++;
    return count;
}

/* Guards (core/tensor/guard.h) look at memory between nodes. */
void record_interrupts(const char *what)
{
#ifdef STRESS
    (void)what;
#else
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
    async_count_begin();
    strict = getenv("SANLAB_EMU_STRICT");
    simt_control.issued = launched;
    issue(context);
    simt_control.issued = NULL;
    last = async_counted();
    CHECK(place == now->count, "a step ends behind its %d-th, it was recorded with %d", place,
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
