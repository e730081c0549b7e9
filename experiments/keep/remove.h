/* Stages that somebody wants removed: which of them may go, and who needs the others.
 *
 * What reads a stage that goes, goes with it. What another grid's record names stays, and so does
 * what other rows of the grid need, what a report cites (RUNS/reports), what somebody works on, and
 * all that those read. */
#pragma once

#include "experiments/keep/gc.h"

struct remove_wish {
    const char *const *id; /* [count] what is to go */
    int count;
    const char *grid;         /* whose place it is; NULL: the grid that alone names it */
    const char *const *other; /* [others] ids of the grid's other rows and seeds */
    const char *const *whose; /* [others] which: "g/Base/1" */
    int others;
};

struct remove_kept {
    const char *folder, *reason; /* "train-0123456789ab", "the grid h needs it" */
};

struct remove_plan {
    struct gc_list list; /* what goes, as gc_remove takes it */
    int keeps;
    struct remove_kept *kept; /* [keeps] */
};

/* The database must have been brought up to date. */
struct remove_plan remove_find(struct store *store, const struct remove_wish *wish,
                               struct arena *arena);
