/* sanlab watch: shows the progress of a grid. On a terminal, shows a bar until all stages are
 * finished, and prints a line for every start, end and failure. Otherwise shows the progress
 * once. */
#include <time.h>

#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/cli/watch_plan.h"
#include "experiments/run/runner.h"

static struct plan *read_plan(struct verb_call *call)
{
    struct plan *plan = grid_argument_plan(call);
    grid_argument_only(call, plan);
    return plan;
}

/* Shows a plan until its stages are finished, or once. Returns the numbers of stages at the end. */
static struct display_grid show(struct verb_call *call, struct plan *plan, struct display *display)
{
    struct watch *watch = watch_open(&call->arena, plan, display);
    const struct display_grid *grid = &watch->grid;
    for (;;) {
        watch_look(watch);
        display_draw(display, watch->line, watch->lines, grid);
        if (display->form != DISPLAY_BAR || !(grid->to_do || grid->running)) break;
        nanosleep(&(struct timespec){.tv_sec = WATCH_SECONDS}, NULL);
    }
    watch_close(watch);
    return *grid;
}

static int run(struct verb_call *call)
{
    struct plan *plan = read_plan(call);
    struct display display;
    store_need_runs(verb_value(call, "--runs"));
    display_open(&display, DISPLAY_AUTO, false, stdout);
    struct display_grid grid = show(call, plan, &display);
    while (display.form == DISPLAY_BAR && plan_goes_on(plan, read_plan(call))) {
        plan = read_plan(call);
        grid = show(call, plan, &display);
    }
    return grid.to_do || grid.running ? INTERRUPTED_EXIT : grid.failed ? RUNNER_FAILED_EXIT : 0;
}

const struct verb verb_watch = {.name = "watch", .run = run, .gpus = true};
