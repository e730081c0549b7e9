/* Estimates the cost of a plan. Kinds estimate work; estimate_rate.c converts work to seconds. Of
 * equally urgent stages, the stage with the longest path to the end of the grid starts first. With
 * this rule, which is usual for dependent jobs, a grid ends nearly as soon as possible. */
#include <math.h>
#include <stdlib.h>

#include "experiments/plan/plan.h"
#include "experiments/stage/facts.h"

/* Core seconds to start a worker, take the lease of its stage and record the result. A stage that
 * computes almost nothing takes as long. */
static const double start_seconds = 0.01;

/* Reduces an estimate to the steps that are left, for a stage that was stopped, or that will
 * continue a shorter training. */
static void take_off_done(struct task *task)
{
    struct estimate *estimate = &task->estimate;
    const int64_t done = task->waits_for ? task->waits_for->estimate.steps : task->step;
    if (done <= 0 || estimate->steps <= 0) return;
    const double left = fmax(0, 1 - (double)done / (double)estimate->steps);
    task->counted = done;
    estimate->seconds *= left;
}

double plan_left(const struct task *task, int64_t step)
{
    const int64_t from = task->counted, steps = task->estimate.steps;
    if (step <= from || steps <= from) return task->estimate.seconds;
    return task->estimate.seconds * fmax(0, (double)(steps - step) / (double)(steps - from));
}

bool plan_will_run(const struct task *task)
{
    if (task->state == TASK_BLOCKED) return task->blocked_by->state == TASK_MISSING;
    return task->state != TASK_DONE && task->state != TASK_DIVERGED && task->state != TASK_FAILED;
}

void plan_estimate(struct arena *arena, struct plan *plan, bool measure)
{
    struct rates *rates = NULL;
    PLAN_EACH(plan, task) {
        task->estimate = stage_estimate(&task->stage, arena);
        task->counted = 0;
        if (!plan_will_run(task)) continue;
        if (!rates) rates = rates_open(arena, plan->runs, plan->core_rate, measure);
        rates_apply(rates, &task->stage, &task->estimate);
    }
    for (int i = 0; i < plan->count; i++)
        if (plan_will_run(plan->task[i])) take_off_done(plan->task[i]);
    plan_find_paths(plan);
}

/* ---- the order ---- */

/* Computes the tail of each task from the paths of its readers, and of the longer trainings that
 * wait for it. Returns true if another pass is needed, because a tail grew after this pass had
 * visited its task. */
static bool hand_on_paths(struct plan *plan)
{
    bool late = false;
    /* The loop runs backward, because readers come after their inputs. So the path of a task is
     * complete before its inputs use it. */
    for (int i = plan->count - 1; i >= 0; i--) {
        struct task *task = plan->task[i];
        task->path = task->tail + task->left;
        for (int k = 0; k < task->stage.inputs; k++) {
            struct task *input = plan_task(task->stage.input[k]);
            input->tail = fmax(input->tail, task->path);
            input->read = true;
        }
        if (!task->waits_for || task->waits_for->tail >= task->path) continue;
        task->waits_for->tail = task->path;
        late |= task->waits_for->index > i;
    }
    return late;
}

static void sum_paths(struct plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        plan->task[i]->tail = 0;
        plan->task[i]->read = false;
    }
    while (hand_on_paths(plan)) continue;
}

void plan_find_paths(struct plan *plan)
{
    PLAN_EACH(plan, task) {
        task->left = plan_will_run(task) ? task->estimate.seconds : 0;
    }
    sum_paths(plan);
}

double plan_rest(struct plan *plan, int workers)
{
    double sum = 0, chain = 0;
    sum_paths(plan);
    for (int i = 0; i < plan->count; i++) {
        sum += plan->task[i]->left;
        chain = fmax(chain, plan->task[i]->path);
    }
    return sum > 0 ? fmax(chain, sum / workers) : -1;
}

static int urgency(const struct task *task)
{
    return task->state == TASK_STOPPED ? 2 : !task->read && task->stage.inputs;
}

bool plan_goes_before(const struct task *first, const struct task *second)
{
    const int one = urgency(first), other = urgency(second);
    return one != other ? one > other : first->path > second->path;
}

/* ---- the whole plan ---- */

double sum_largest(double *number, int count, int most)
{
    double sum = 0;
    qsort(number, (size_t)count, sizeof *number, compare_doubles);
    for (int i = count - 1; i >= 0 && i >= count - most; i--) sum += number[i];
    return sum;
}

struct plan_cost plan_cost(const struct plan *plan, int workers, int cores)
{
    struct plan_cost cost = {0};
    SCOPED(arena_free) struct arena arena = {0};
    double *memory = ARENA_ARRAY(&arena, double, plan->count),
           *device = ARENA_ARRAY(&arena, double, plan->count);
    int count = 0;
    PLAN_EACH(plan, task) {
        const struct estimate *estimate = &task->estimate;
        if (!plan_will_run(task)) continue;
        memory[count] = estimate->memory;
        device[count++] = estimate->device;
        cost.core_seconds += estimate->seconds;
    }
    cost.core_seconds += count * start_seconds;
    cost.seconds = cost.core_seconds / cores;
    cost.memory = sum_largest(memory, count, workers ? workers : cores);
    cost.device = sum_largest(device, count, workers ? workers : cores);
    return cost;
}

int plan_workers_enough(const struct plan *plan)
{
    static const double hardly_longer = 0.05;
    double sum = 0, chain = 0;
    int open = 0, alone = 0;
    for (int i = 0; i < plan->count; i++) {
        sum += plan->task[i]->left;
        chain = fmax(chain, plan->task[i]->path);
        open += plan_will_run(plan->task[i]);
    }
    for (int i = 0; i < plan->count; i++) alone += plan->task[i]->left > chain / 2;
    return chain > 0 ? (int)fmax(alone, ceil(sum / chain - hardly_longer)) : open;
}
