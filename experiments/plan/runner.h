/* The runner: starts a worker process for every stage of a plan whose inputs are done, until
 * nothing is left to do. It computes nothing itself (no OpenMP, no BLAS).
 *
 * A stage that fails does not stop the others; what reads it is reported as blocked. A stage that
 * another process works on is waited for and taken over as it is left. SIGINT and SIGTERM are
 * passed on: workers save and stop, and the same command continues; a second signal ends them at
 * once. */
#ifndef EXPERIMENTS_PLAN_RUNNER_H
#define EXPERIMENTS_PLAN_RUNNER_H

#include "experiments/plan/plan.h"

struct runner_options {
    int workers;       /* at a time; 0: as many as cores or ready stages */
    bool fail_fast;    /* stop everything at the first failure */
    bool retry_failed; /* repeat, once, stages that failed earlier */
    bool quiet;        /* failures only */
};

enum { RUNNER_FAILED_EXIT = 1 };

/* The exit status: 0 when everything is done, RUNNER_FAILED_EXIT, or INTERRUPTED_EXIT. */
int runner_run(struct arena *arena, struct plan *plan, const struct runner_options *options);

#endif
