/* sanlab table: a grid's results, row by row. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "results/collect.h"

static int run(struct verb_call *call)
{
    struct plan *plan = grid_argument_plan(call, false);
    struct summary_grid summary = plan_summary(&call->arena, plan);
    bool missing = false;
    for (int i = 0; i < plan->count; i++) missing |= plan->task[i]->state == TASK_MISSING;
    if (missing && summary_recall(plan->runs, &summary, &call->arena))
        warn("%s: its text is not here (sanlab plan says which); these are the stages of its last "
             "run", summary.grid);
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
