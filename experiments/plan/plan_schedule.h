/* Which stage goes first, and how a plan would run with so many workers. */
#pragma once

#include "experiments/plan/plan.h"

struct plan_schedule {
    double seconds;      /* from start to end */
    double core_seconds; /* of all stages together, with one thread each */
    double chain; /* the longest chain with one thread a stage: no number of workers is faster */
    double low, high; /* factors on all of these */
    double memory;    /* of the workers at a time, at its peak; 0: unknown */
    double device;    /* of the device, as well */
    int stages;       /* that will run */
    int most;         /* of them at a time */
    double saved;     /* core seconds that sharing saves: each row and seed on its own would need */
};

/* Also of a stage whose text is still to be brought; not of one that failed and is not repeated. */
bool plan_will_run(const struct task *task);
/* Fills every task's `left`, `path` and `index`. The estimates are there. */
void plan_find_paths(struct plan *plan);
/* `path` and `read` anew, from `left` as it is. */
void plan_sum_paths(struct plan *plan);
/* Of two stages that could start: whether the first one goes first. What is stopped is before
 * what is new; then what nobody reads, such as a score of a model that is there (it is a result,
 * and mostly short); then the one with the longest way to the end of the grid. */
bool plan_goes_before(const struct task *first, const struct task *second);
/* `workers` as in struct runner_options: 0 is as many as cores or ready stages. */
struct plan_schedule plan_simulate(const struct plan *plan, int workers, int cores);
/* The fewest workers, a core each, with which all of it takes hardly longer than with one for each
 * stage that could run at a time: those of short stages behind long ones would mostly wait. */
int plan_workers_enough(const struct plan *plan);
