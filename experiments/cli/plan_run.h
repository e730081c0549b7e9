/* Checks and runs a plan for all verbs. */
#pragma once

#include "experiments/run/runner.h"

/* Warns of stages of older code and of missing files (plan_missing; options->all: for each stage),
 * and fills the estimates (plan_estimate). Dies if a file is missing or the disk cannot hold the
 * rest; `force` allows both. */
void plan_run_check(struct arena *arena, struct plan *plan, const struct runner_options *options,
                    bool measure, enum plan_stale stale, bool force);
/* Checks the plan as plan_run_check does, records the plan in RUNS and runs it. Returns the exit
 * status of runner_run. */
int plan_run(struct arena *arena, struct plan *plan, const struct runner_options *options,
             enum plan_stale stale, bool force);
