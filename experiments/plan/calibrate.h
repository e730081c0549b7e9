/* plan --calibrate: what a training step costs here, by really training some. */
#pragma once

#include "experiments/plan/plan.h"

enum { CALIBRATE_STEPS = 20, CALIBRATE_WARMUP = 2 };

/* Trains each model of the plan that will run, and whose time nothing tells yet, for
 * CALIBRATE_STEPS steps with one thread on its own text (prepared in a temporary folder when it is
 * not there yet), and keeps the rates in RUNS/rates. Says so on `out`. The estimates are there. */
void calibrate_plan(struct arena *arena, const struct plan *plan, FILE *out);
