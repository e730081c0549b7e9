/* A plan is done in one way by all verbs that do one. */
#ifndef EXPERIMENTS_CLI_PLAN_RUN_H
#define EXPERIMENTS_CLI_PLAN_RUN_H

#include "experiments/run/runner.h"

/* Estimates, checks the disk (`force`: in vain), records what was asked for in RUNS, and runs it.
 * Returns the exit status of runner_run. */
int plan_run(struct arena *arena, struct plan *plan, const struct runner_options *options,
             enum plan_stale stale, bool force);

#endif
