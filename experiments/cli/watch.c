/* sanlab watch: what all runners of a grid do at the moment. */
#include "core/model/device.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/run/watch.h"
#include "experiments/stage/capable.h"

/* Who computes is elsewhere, and may have a device that this machine has not. */
static void allow_devices(struct arena *arena, struct plan *plan)
{
    bool lacks = false;
    for (int i = 0; i < plan->count; i++)
        lacks |= plan->task[i]->state == TASK_MISSING && capable_missing(&plan->task[i]->stage);
    if (!lacks || device_is_named()) return;
    device_use("cuda", false);
    plan_inspect_all(arena, plan, 0);
}

static int run(struct verb_call *call)
{
    struct plan *plan = grid_argument_plan(call, 0);
    store_need_runs(verb_value(call, "--runs"));
    struct display display;
    grid_argument_only(call, plan);
    allow_devices(&call->arena, plan);
    plan_find_lacking(&call->arena, plan);
    plan_estimate(&call->arena, plan, false);
    display_open_output(&display);
    return watch_plan(&call->arena, plan, &display);
}

static void help(FILE *out)
{
    fputs(
        "A line per stage that runs, here, on a cluster or on any machine that shares RUNS: "
        "steps,\n"
        "losses, host and process of its lease, time left; then all stages together. Steps are as\n"
        "of the last record in its journal (train.log_every). A machine that is silent for longer\n"
        "than its lease loses the stage. On a terminal it goes on until nothing is left to do\n"
        "(Ctrl-C ends it, and no run); elsewhere it is said once.\n\n"
        "Exit status: 0 everything is done; 1 the rest failed, diverged or lacks a file; 75\n"
        "something runs or is left to do; 65 the grid or an option is wrong.\n\n",
        out);
    fputs(GRID_ARGUMENT_MEANING, out);
}

const struct verb verb_watch = {
    .name = "watch",
    .usage = "GRID.yaml [key=value ...]",
    .help = "the progress of all who run a grid, on any machine",
    .group = VERB_START,
    .run = run,
    .device = true,
    .option = {GRID_ARGUMENT_ONLY},
    .more_help = help,
    .words = {1, VERB_WORDS},
};
