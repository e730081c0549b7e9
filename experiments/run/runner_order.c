/* Which stage first, and how long all of it takes: estimates, corrected by what own stages took. */
#include <math.h>

#include "experiments/plan/plan_schedule.h"
#include "experiments/run/runner_state.h"

/* What our own stages took, or by their progress will have taken, in terms of their estimates. */
static double pace(const struct runner *runner)
{
    double took = runner->took, expected = runner->expected;
    for (int i = 0; i < runner->running; i++) {
        const struct runner_slot *slot = &runner->slot[i];
        double left = worker_left(&slot->worker);
        if (left < 0) continue;
        took += clock_seconds() - slot->worker.start + left;
        expected += slot->task->estimate.seconds;
    }
    if (!(expected > 0)) return 1;
    return fmin(20, fmax(0.05, took / expected)); /* a first short stage says little */
}

static double slot_left(const struct runner *runner, const struct runner_slot *slot)
{
    const struct worker *worker = &slot->worker;
    double left = worker_left(worker);
    if (left >= 0) return left;
    double whole = plan_left(slot->task, slot->task->step) * pace(runner);
    return fmax(0, whole - (clock_seconds() - worker->start));
}

double runner_order_rest(struct runner *runner)
{
    struct plan *plan = runner->plan;
    double total = 0, critical = 0;
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        bool open = task_is_open(task) || task->state == TASK_RUNNING;
        task->left = open ? plan_left(task, task->step) * pace(runner) : 0;
    }
    for (int i = 0; i < runner->running; i++)
        runner->slot[i].task->left = slot_left(runner, &runner->slot[i]);
    plan_sum_paths(plan);
    for (int i = 0; i < plan->count; i++) {
        total += plan->task[i]->left;
        critical = fmax(critical, plan->task[i]->path);
    }
    return total > 0 ? fmax(critical, total / runner->limit) : -1;
}

bool runner_order_enough(struct runner *runner)
{
    const struct plan *plan = runner->plan;
    int elsewhere = 0;
    for (int i = 0; i < plan->count; i++) elsewhere += plan->task[i]->state == TASK_RUNNING;
    runner_order_rest(runner);
    return plan_workers_enough(plan) <= elsewhere;
}
