/* A plan is done in one way by all verbs that do one. */
#pragma once

#include "experiments/run/runner.h"

/* Says what other code has done and which files are missing (plan_missing; options->all: for each
 * stage), and fills the estimates (plan_estimate). Dies when a stage's file is missing or the disk
 * will not hold the rest, which `force` accepts. */
void plan_run_check(struct arena *arena, struct plan *plan, const struct runner_options *options,
                    bool measure, enum plan_stale stale, bool force);
/* The same; then records what was asked for in RUNS, and runs it. Returns the exit status of
 * runner_run. */
int plan_run(struct arena *arena, struct plan *plan, const struct runner_options *options,
             enum plan_stale stale, bool force);
