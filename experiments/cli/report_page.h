/* Functions of verbs that write a grid's report. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "results/report/report.h"

/* Returns the grid's table, its drawn figures and its claims, in the call's arena. A figure that
 * cannot be drawn has the reason instead. */
struct report report_page(struct verb_call *call, const struct plan *plan, const struct grid *grid,
                          struct store *store);
/* Returns the exit status of the verb: 1 if a figure could not be drawn, else 0. */
int report_page_status(const struct report *report);
