/* What a plan's stages cost: each kind says how much work it is, estimate_rate.h how long that
 * takes. */
#include <math.h>
#include <string.h>

#include "experiments/plan/estimate_rate.h"
#include "experiments/plan/plan_schedule.h"

/* Of a stage that was stopped only the rest is left to do. */
static void take_off_done(struct task *task)
{
    struct estimate *estimate = &task->estimate;
    if (task->step <= 0 || estimate->steps <= 0) return;
    const double left = fmax(0, 1 - (double)task->step / (double)estimate->steps);
    estimate->seconds *= left;
    estimate->low *= left;
    estimate->high *= left;
}

void plan_estimate(struct arena *arena, struct plan *plan, bool measure)
{
    struct rates *rates = NULL;
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        task->estimate = task->stage.kind->estimate(&task->stage, arena);
        if (!plan_will_run(task)) continue;
        if (!rates) rates = rates_open(arena, plan->runs, measure);
        rates_apply(rates, &task->stage, &task->estimate);
        take_off_done(task);
    }
    plan_find_paths(plan);
}
