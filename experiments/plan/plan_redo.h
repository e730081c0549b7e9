/* Stages that are done again, without the grid that asked for them: what they are stands in their
 * folders. */
#pragma once

#include "experiments/plan/plan.h"

/* What reads the first of them and runs a program, which only a run of its grid starts. */
struct redo_left {
    int count;
    const struct stage **stage; /* [count] */
};

/* A plan of these stages' folders, with what they read beside them, in which each of them is to be
 * done again, whatever its state: its folder makes room first (RUNS/replaced), its names stay.
 * Those that are left are not in it. Dies when somebody works on one, when a file that one reads
 * has gone or changed, and when the first one runs a program. */
struct plan *plan_redo(struct arena *arena, const char *runs, const char *const *folder,
                       int folders, struct redo_left *left);
