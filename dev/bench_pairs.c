/* Measures the time of training steps of a pair classifier. The classifier is a row of a grid with
 * the task logic. Each round uses the first batches of the first epoch. scripts/compare/bench_cpu
 * compares the result with PyTorch. */
#include <string.h>

#include "core/model/device_choice.h"
#include "core/train/step.h"
#include "dev/bench_parts.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/stage/stage_frozen.h"

/* Returns the folder of the row's formulas: --corpus, or the folder of the finished formulas
 * stage. */
static const char *folder_of(const struct bench *bench, const struct plan_point *at)
{
    const char *folder = verb_value(bench->call, "--corpus");
    for (int i = 0; i < at->count && !folder; i++)
        if (!strcmp(at->task[i]->stage.kind->name, "formulas") && at->task[i]->state == TASK_DONE &&
            stage_has_opened(&at->task[i]->stage))
            folder = at->task[i]->stage.folder;
    if (!folder)
        die("bench: pairs: the formulas of the grid are not made yet; run the grid, or give "
            "--corpus FOLDER of a formulas stage");
    return folder;
}

/* Runs the steps and returns their time in seconds. Sets *pairs to the number of pairs. */
static double run_steps(const struct bench *bench, const struct learner *learner, int steps,
                        int64_t *pairs)
{
    SCOPED(arena_free) struct arena arena = {0};
    *pairs = 0;
    const double begin = bench->clock();
    for (int i = 0; i < steps; i++) {
        const struct learner_step step = learner->step(learner->context, 0, i, &arena);
        train_step(learner, i, &step);
        *pairs += step.normalizer;
    }
    const double seconds = bench->clock() - begin;
    return seconds;
}

void bench_pairs(struct bench *bench)
{
    struct verb_call *call = bench->call;
    const int steps = verb_number(call, "--batches");
    if (!grid_argument_is_grid(call)) die("bench: pairs: expected a grid of the task logic");
    struct plan *plan = grid_argument_plan(call);
    plan_inspect_all(&call->arena, plan, 0);
    if (strcmp(plan->grid->task, "logic") != 0)
        die("bench: pairs: expected a grid of the task logic; the task of %s is %s",
            plan->grid->name, plan->grid->task);
    const int row = grid_argument_row(call, plan->grid);
    const char *folder = folder_of(bench, &plan->point[row * plan->grid->seeds]);
    const struct settings *settings = plan->grid->row[row].resolved->settings;
    const struct pair_options model = logic_model(settings);
    const struct labeled data =
        labeled_read(&call->arena, arena_print(&call->arena, "%s/" LOGIC_FILE, folder));
    const struct ops *ops = device_table(device_used(), (enum precision)settings->train.precision);
    const struct relating relating = relate_learner(settings, ops, &data, &model, 1);
    struct learner *learner = relating_open(&call->arena, &relating);
    if (learner->fault) die("bench: %s: %s", folder, learner->fault);
    if (learner->epoch_steps(learner->context, 0) < steps)
        die("bench: --batches %d: an epoch has %d batches; expected at most as many", steps,
            learner->epoch_steps(learner->context, 0));
    printf("training of %s, row \"%s\": steps of %d pairs\ntext: %s\n", plan->grid->name,
           plan->grid->row[row].name, settings->train.batch_pairs, folder);
    bench_print_machine(bench, ops);
    model_place(learner->model, true, 1);
    graph_place(learner->list);
    double seconds[MEASURE_ROUNDS];
    int64_t pairs;
    run_steps(bench, learner, steps, &pairs);
    for (int r = 0; r < bench->rounds; r++) seconds[r] = run_steps(bench, learner, steps, &pairs);
    const double median = measure_median(seconds, bench->rounds);
    relating_close(learner);
    printf("\nstep         %.2f ms\npairs/s      %.0f (median of %d rounds of %d steps)\n",
           1e3 * median / steps, (double)pairs / median, bench->rounds, steps);
}
