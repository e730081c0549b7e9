/* The files that stages wait for, in a few lines: one for each data set that is missing. */
#pragma once

#include "experiments/plan/plan.h"

struct plan_missing {
    int stages;        /* that wait for files, also for those of a stage that they read */
    bool *waits;       /* [count of the plan] the stages among its tasks */
    int lines;         /* at most 10, unless `all` was asked for */
    const char **line; /* [lines] */
};

/* A line for each shipped set of which files are missing (core/corpus/data_set.h), for the options
 * of other files (struct absent_file), and for other reasons why input is missing; the last line
 * says where files are looked for. `all`: a line for each stage. In the arena. */
struct plan_missing plan_missing(struct arena *arena, const struct plan *plan, bool all);
