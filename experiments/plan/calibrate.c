/* A few steps tell the rate, because the steps of a training cost nearly the same: each has so many
 * tokens. */
#include "experiments/plan/calibrate.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/model/device.h"
#include "core/bench/throughput.h"
#include "core/corpus/prepare.h"
#include "experiments/plan/estimate_rate.h"
#include "experiments/stage/facts.h"
#include "experiments/plan/plan_schedule.h"
#include "experiments/stage/capable.h"
#include "results/sheet/number.h"

/* The corpus of a stage; one that is not there is prepared for a moment and kept in *prepared. */
static const struct corpus *corpus_of(struct arena *arena, struct stage *stage,
                                      const struct corpus **prepared, FILE *out)
{
    const struct corpus_facts *facts = corpus_facts(stage, arena);
    if (facts->corpus) return facts->corpus;
    if (*prepared) return *prepared;
    char *folder = file_temporary_folder(NULL);
    fprintf(out, "preparing %s for a moment\n", stage->name);
    corpus_prepare(&stage->settings->corpus, folder, NULL, NULL);
    *prepared = corpus_open(arena, folder);
    file_remove_tree(folder); /* it stays open */
    free(folder);
    return *prepared;
}

static bool wants(const struct task *task)
{
    return !strcmp(task->stage.kind->name, "train") && plan_will_run(task) &&
           task->state != TASK_MISSING && task->state != TASK_BLOCKED &&
           task->estimate.source != ESTIMATE_SAME;
}

/* Operations per second of one thread. */
static double measure(const struct stage *train, const struct corpus *corpus, double *step)
{
    const struct throughput_job job = {
        .translating = settings_translating(
            train->settings, device_table(device_used(), stage_precision(train)), corpus, 1),
        .warmup = CALIBRATE_WARMUP,
        .steps = CALIBRATE_STEPS};
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const struct throughput throughput = throughput_measure(&job);
    omp_set_num_threads(threads);
    *step = throughput.seconds / throughput.steps;
    return translating_work(&job.translating, throughput.tokens) / throughput.seconds;
}

void calibrate_plan(struct arena *arena, const struct plan *plan, FILE *out)
{
    struct rates *rates = rates_open(arena, plan->runs, false);
    const struct corpus **prepared = ARENA_ARRAY(arena, const struct corpus *, plan->count);
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        double step;
        if (!wants(task) || !rates_lack(rates, &task->stage)) continue;
        struct stage *input = task->stage.input[0];
        const struct corpus *corpus =
            corpus_of(arena, input, &prepared[plan_task(input)->index], out);
        rates_keep(rates, &task->stage, measure(&task->stage, corpus, &step));
        fprintf(out, "calibrated %s %s: %d steps, %s each with one thread\n", task->stage.name,
                stage_point_name(task->stage.label), CALIBRATE_STEPS, number_seconds(arena, step));
        fflush(out);
    }
}
