/* What verbs that write a grid's report have in common. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/plan/plan.h"
#include "results/report/report.h"

/* The grid's table, its figures, drawn, and its claims; one figure that cannot be drawn says why.
 * Everything lies in the call's arena. */
struct report report_page(struct verb_call *call, const struct plan *plan, const struct grid *grid,
                          struct store *store);
/* The exit status of such a verb: 1 if a figure could not be drawn, else 0. */
int report_page_status(const struct report *report);
