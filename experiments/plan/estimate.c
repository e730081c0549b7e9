/* What a plan's stages cost: each kind says how much work it is, estimate_rate.h how long that
 * takes. */
#include <math.h>

#include "experiments/plan/estimate_rate.h"
#include "experiments/plan/plan_schedule.h"

/* Of a stage that was stopped, or that goes on from a shorter one, only the rest is left to do. */
static void take_off_done(struct task *task)
{
    struct estimate *estimate = &task->estimate;
    const int64_t done = task->waits_for ? task->waits_for->estimate.steps : task->step;
    if (done <= 0 || estimate->steps <= 0) return;
    const double left = fmax(0, 1 - (double)done / (double)estimate->steps);
    task->counted = done;
    estimate->seconds *= left;
    estimate->low *= left;
    estimate->high *= left;
}

double plan_left(const struct task *task, int64_t step)
{
    const int64_t from = task->counted, steps = task->estimate.steps;
    if (step <= from || steps <= from) return task->estimate.seconds;
    return task->estimate.seconds * fmax(0, (double)(steps - step) / (double)(steps - from));
}

void plan_estimate(struct arena *arena, struct plan *plan, bool measure)
{
    struct rates *rates = NULL;
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        task->estimate = task->stage.kind->estimate(&task->stage, arena);
        task->counted = 0;
        if (!plan_will_run(task)) continue;
        if (!rates)
            rates = plan->core_rate ? rates_assume(arena, plan->core_rate)
                                    : rates_open(arena, plan->runs, measure);
        rates_apply(rates, &task->stage, &task->estimate);
    }
    for (int i = 0; i < plan->count; i++)
        if (plan_will_run(plan->task[i])) take_off_done(plan->task[i]);
    plan_find_paths(plan);
}
