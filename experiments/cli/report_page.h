/* Functions of verbs that write a grid's report. */
#pragma once

#include "experiments/cli/watch_plan.h"
#include "experiments/plan/plan.h"
#include "results/report/report.h"

/* Returns the grid's table, its drawn figures and its claims, in the arena. A figure that cannot be
 * drawn has the reason instead. */
struct report report_page(struct store *store, const struct plan *plan, const struct grid *grid,
                          struct arena *arena);
/* Adds the progress of the plan to the report, with the curves of the trainings that run. */
void report_page_watched(struct report *report, const struct watch *watch, struct store *store,
                         struct arena *arena);
/* Returns the exit status of the verb: 1 if a figure could not be drawn, else 0. */
int report_page_status(const struct report *report);
