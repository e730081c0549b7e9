/* sanlab run --slurm: an array of runners on a cluster (experiments/run/cluster.h). */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"

/* Dies where there is no sbatch, or where what else was asked for contradicts a cluster; before
 * anything is read. */
void run_slurm_check(struct verb_call *call);
/* Writes the script to RUNS/slurm and submits it, or prints it. The plan has its estimates;
 * `workers` of a task, 0: as many as it has cores. Returns the exit status. */
int run_slurm(struct verb_call *call, const struct plan *plan, int workers);
