/* sanlab plan: prints the stages that would run, the reasons and the cost. */
#include "core/cpu/product_choice.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"

enum { PLAN_MISSING = 1 }; /* exit status if a stage lacks files */

static int run(struct verb_call *call)
{
    const enum plan_stale stale = (enum plan_stale)verb_choice(call, "--stale", plan_stale_words);
    products_name(); /* dies, as run does, if the requested OpenBLAS is missing */
    struct plan *plan = grid_argument_plan(call);
    plan_inspect_all(&call->arena, plan, 0);
    grid_argument_only(call, plan);
    plan_check_at(&call->arena, plan, 0);
    plan->core_rate = 1e9 * verb_number(call, "--core");
    plan_set_stale(&call->arena, plan, stale);
    if (verb_switch(call, "--calibrate")) {
        plan_estimate(&call->arena, plan, false);
        calibrate_plan(&call->arena, plan, stderr);
    }
    plan_estimate(&call->arena, plan, true);
    plan_check_halving(&call->arena, plan);
    plan_warn_idle(plan);
    plan_warn_training(&call->arena, plan);
    plan_warn_pieces(&call->arena, plan);
    const unsigned show =
        (verb_switch(call, "--todo") ? PLAN_OPEN : 0) | (verb_switch(call, "--all") ? PLAN_ALL : 0);
    plan_print(&call->arena, plan, verb_number(call, "-j"), show, stdout);
    for (int i = 0; i < plan->count; i++)
        if (plan->task[i]->state == TASK_MISSING) return PLAN_MISSING;
    return 0;
}

const struct verb verb_plan = {.name = "plan", .run = run, .more_help = topics_list, .gpus = true};
