/* What a run changes of a plan's folders before and between its workers: what is done again makes
 * room, what begins is recorded, what is done learns its names. */
#pragma once

#include "experiments/plan/plan.h"

/* Moves a stage's folder to RUNS/replaced; dies when somebody works on it. */
void plan_put_away(struct arena *arena, const struct plan *plan, const struct stage *stage);
/* The same of all tasks that are to be done again, what they read last: so a result never stands
 * beside another input than its own, wherever the work ends. */
void plan_put_all_away(struct arena *arena, struct plan *plan);
/* Before a task's worker starts: its folder with stage.json and options.yaml, written under its
 * lease; that of a stage which is done again is moved to RUNS/replaced. False when another runner
 * was faster (look at it again), or when the lease cannot be taken: then *fault says why. */
bool plan_prepare(struct arena *arena, const struct plan *plan, struct task *task,
                  const char **fault);
/* Before a grid runs: stages that are done already learn the names that this grid has for them. Of
 * many it says how far it is. */
void plan_record_names(struct arena *arena, const struct plan *plan, bool quiet);
