/* Estimates the remaining time. The estimates of the plan are corrected by the times of this
 * runner's stages. Also checks if memory and time suffice for one more stage. */
#include <math.h>

#include "experiments/run/runner.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/machine.h"

double runner_room_memory(const struct runner *runner)
{
    bool given = runner->options->memory > 0;
    double available = given ? runner->options->memory : machine_memory();
    if (!runner->running || available < 0) return (double)INFINITY;
    for (int i = 0; i < runner->running; i++) {
        const struct runner_slot *slot = &runner->slot[i];
        double planned = slot->task->estimate.memory;
        available -= given ? planned : fmax(0, planned - machine_memory_of(slot->worker.process));
    }
    return fmax(0, available);
}

double runner_room_needed(struct runner *runner, struct task *task)
{
    struct stage *stage = &task->stage;
    if (!task->estimate.memory) {
        for (int i = 0; i < stage->inputs; i++)
            if (stage->input[i]->facts && !stage->input[i]->facts->corpus)
                stage->input[i]->facts = NULL; /* these facts were read before the corpus existed */
        task->estimate.memory = stage_estimate(stage, runner->arena).memory;
    }
    return task->estimate.memory;
}

/* A stage that can resume starts if half a minute of the budget is left. For a short budget, a
 * twentieth of the budget suffices. Any other stage starts only if it is expected to finish in
 * time. */
bool runner_room_in_time(const struct runner *runner, const struct task *task)
{
    double budget = runner->options->budget;
    if (!(budget > 0)) return true;
    double need = task->left;
    if (task->stage.kind->traits & KIND_RESUMES) need = fmin(need, fmin(30, budget / 20));
    return clock_seconds() - runner->begun + need < budget;
}

/* Returns the actual seconds of this runner's stages divided by their estimated seconds. The
 * seconds of a running stage are extrapolated from its progress. */
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
    /* The ratio is limited, because the ratio of one short stage is unreliable. */
    return fmin(20, fmax(0.05, took / expected));
}

double runner_order_rest(struct runner *runner)
{
    struct plan *plan = runner->plan;
    const double begun = clock_seconds(), slower = pace(runner);
    PLAN_EACH(plan, task) {
        bool open = task_is_open(task) || task->state == TASK_RUNNING;
        task->left = open ? plan_left(task, task->step) * slower : 0;
    }
    for (int i = 0; i < runner->running; i++) {
        const struct worker *worker = &runner->slot[i].worker;
        struct task *task = runner->slot[i].task;
        const double left = worker_left(worker);
        task->left = left >= 0 ? left : fmax(0, task->left - (clock_seconds() - worker->start));
    }
    const double rest = plan_rest(plan, runner->limit);
    runner_did(&runner->order, begun);
    return rest;
}

int runner_elsewhere(const struct runner *runner)
{
    int count = 0;
    PLAN_EACH(runner->plan, task) count += task->state == TASK_RUNNING;
    return count;
}

bool runner_order_enough(struct runner *runner)
{
    runner_order_rest(runner);
    return plan_workers_enough(runner->plan) <= runner_elsewhere(runner);
}
