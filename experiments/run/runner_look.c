/* Inspects the states of stages, because other runners change them. All stages are inspected at
 * intervals, and a stage directly before it starts. */
#include <math.h>
#include <string.h>

#include "experiments/run/runner.h"

/* Returns `before` if the text is equal, else a copy of the text in the runner's arena. */
static const char *kept(const struct runner *runner, const char *before, const char *text)
{
    if (!text || (before && !strcmp(before, text))) return text ? before : NULL;
    return arena_text(runner->arena, text);
}

/* Inspects a stage. A run may inspect its stages every second for days. So a text is kept in the
 * arena only if it differs from the previous one. */
void runner_inspect(struct runner *runner, struct task *task)
{
    const struct runner_task *ours = runner_task_of(runner, task);
    const struct task before = *task;
    SCOPED(arena_free) struct arena scratch = {0};
    plan_inspect(&scratch, task, ours->attempted ? 0 : runner->options->retry, ours->unable);
    task->reason = kept(runner, before.reason, task->reason);
    task->message = kept(runner, before.message, task->message);
    task->older = kept(runner, before.older, task->older);
    task->from = kept(runner, before.from, task->from);
}

static void look_at(struct runner *runner, struct task *task)
{
    bool ours = false;
    for (int j = 0; j < runner->running; j++) ours |= runner->slot[j].task == task;
    if (ours || task->state == TASK_DONE || task->state == TASK_DIVERGED) return;
    runner_inspect(runner, task);
    if (task->state != TASK_RUNNING) return;
    struct runner_task *other = runner_task_of(runner, task);
    /* Seconds. A smaller difference comes from the clocks, not from a renewal. */
    const double jitter = 0.01;
    if (other->expires && task->expires > other->expires + jitter) other->renewed = clock_seconds();
    other->expires = task->expires;
    other->refusals = 0;
    if (other->waited && (other->silent || !task->silent)) return;
    other->waited = true;
    other->silent = task->silent;
    runner_say_wait(runner, task, task->reason, false);
}

void runner_look_again(struct runner *runner)
{
    const double begun = clock_seconds();
    for (int i = 0; i < runner->plan->count; i++) look_at(runner, runner->plan->task[i]);
    runner_did(&runner->look_all, begun);
    runner->partly = false;
    trace("run", "all stages were looked at in %.3g s", runner->look_all.took);
}
