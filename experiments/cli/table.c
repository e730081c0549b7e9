/* sanlab table: a grid's results, row by row. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "results/collect.h"

static int run(struct verb_call *call)
{
    struct plan *plan = grid_argument_plan(call, false);
    struct summary_grid summary = plan_summary(&call->arena, plan);
    struct store *store = store_open(plan->runs);
    collect(store);
    sheet_text(summary_table(store, &summary, &call->arena), stdout);
    store_close(store);
    return 0;
}

const struct verb verb_table = {
    .name = "table",
    .usage = "GRID [key=value ...]",
    .help = "a grid's results, row by row, beside the paper's",
    .run = run,
    .words_least = 1,
    .words_most = VERB_WORDS,
};
