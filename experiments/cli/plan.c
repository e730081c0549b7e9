/* sanlab plan: what would run, why, and what it would cost. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/environment.h"

static int run(struct verb_call *call)
{
    struct plan *plan = grid_argument_plan(call, false);
    int workers = verb_number(call, "-j");
    plan_estimate(&call->arena, plan);
    plan_print(&call->arena, plan, workers ? workers : environment_cores(), stdout);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "-j",
     .value = "NUMBER",
     .fallback = "0",
     .low = 0,
     .high = 256,
     .help = "workers at a time; 0: one per core"},
};

const struct verb verb_plan = {
    .name = "plan",
    .usage = "GRID.yaml [key=value ...]",
    .help = "what would run, why, and what it would cost",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .more_help = grid_argument_help,
    .words_least = 1,
    .words_most = VERB_WORDS,
};
