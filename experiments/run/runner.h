/* The runner: starts a worker process for every stage of a plan whose inputs are done, until
 * nothing is left to do. It computes nothing itself (no OpenMP, no BLAS).
 *
 * Of the stages that could start it takes, as far as memory and the budget allow, the first one in
 * the order of plan_goes_before (plan_schedule.h).
 *
 * A stage that fails does not stop the others; what reads it is reported as blocked. A stage that
 * another runner works on, here or on another machine, is waited for and taken over as it is left
 * (core/base/lease.h). With `no_wait` it waits only while the rest would end noticeably later
 * without it, or while an owner has not renewed its lease since this runner had nothing to do.
 * What a stage reads is looked at once more before it starts: what somebody has taken away (rm) is
 * done again, and what somebody does again (redo) is waited for.
 *
 * SIGINT, SIGTERM, SIGHUP (unless it is ignored, as by nohup), SIGUSR1 and SIGUSR2 end the run:
 * workers save and stop, and the same command continues. A second SIGINT or SIGTERM, a second or
 * more later, ends workers at once. */
#pragma once

#include "experiments/run/runner_options.h"

/* The exit status: 0 when everything is done, RUNNER_FAILED_EXIT when a stage failed, diverged or
 * lacks a file, INTERRUPTED_EXIT when the same command would continue; with `no_wait` 0, too, when
 * others are at what is left. The plan's estimates decide the order; without them it is the
 * plan's. */
int runner_run(struct arena *arena, struct plan *plan, const struct runner_options *options);
