/* Checks and runs a plan for all verbs. */
#pragma once

#include "experiments/run/runner.h"

/* Warns of stages that older code computed, and of missing files (plan_missing). If options->all is
 * true, lists the missing files of each stage. Fills the estimates (plan_estimate). Dies if a file
 * is missing, or if the disk lacks space for the remaining stages; `force` allows both. */
void plan_run_check(struct arena *arena, struct plan *plan, const struct runner_options *options,
                    bool measure, enum plan_stale stale, bool force);
/* Checks the plan as plan_run_check does, records the plan in RUNS and runs it. Returns the exit
 * status of runner_run. */
int plan_run(struct arena *arena, struct plan *plan, const struct runner_options *options,
             enum plan_stale stale, bool force);
