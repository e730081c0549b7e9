/* What all runners of a plan do, here and on other machines, from what they leave in the folders
 * of stages: who holds the lease (core/base/lease.h), and how far the journal is
 * (core/base/journal.h). Nothing is written. */
#pragma once

#include "experiments/plan/plan.h"
#include "experiments/run/display.h"

/* On a terminal (the display is a bar): until nothing is left to do, with a line for whatever
 * begins, ends or fails meanwhile; else once. The plan has its estimates. Returns what `run` would:
 * 0, RUNNER_FAILED_EXIT, or INTERRUPTED_EXIT while something is left. */
int watch_plan(struct arena *arena, struct plan *plan, struct display *display);
