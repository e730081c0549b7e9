/* Checks the first rung of tuned rows with halving, and prints the rungs and their cost. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "experiments/grid/tune.h"
#include "experiments/plan/plan.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

/* Returns the smallest estimated number of steps of the trials of a row at a length; 0: unknown. */
static int64_t fewest_steps(const struct plan *plan, int row, int length)
{
    int64_t fewest = 0;
    for (int t = 0; t < plan->trials; t++) {
        const struct plan_trial *trial = &plan->trial[t];
        if (trial->row != row || trial->length != length) continue;
        const int64_t steps = plan_point_find(&trial->at, stage_kind_find("train"))->estimate.steps;
        if (steps && (!fewest || steps < fewest)) fewest = steps;
    }
    return fewest;
}

int plan_longest_warmup(const struct tuned *tuned, struct arena *arena)
{
    static const char key[] = "train.warmup";
    const struct train_options *train;
    const int k = tuned_key(tuned, key);
    bool warm = false;
    int most = 0;
    for (int t = 0; t < tuned->searches * tuned->trials; t++) {
        train = &tuned->trial[t].resolved->settings->train;
        warm |= train->schedule != SCHEDULE_CONSTANT;
        if (train->warmup > most) most = train->warmup;
    }
    for (int i = 0; k >= 0 && i < draw_values(&tuned->key[k]); i++)
        most = (int)fmax(most, number_read(draw_value(&tuned->key[k], i, arena)->text));
    return warm ? most : 0;
}

void plan_check_halving(struct arena *arena, const struct plan *plan)
{
    for (int r = 0; r < plan->grid->rows; r++) {
        const struct tuned *tuned = plan->grid->row[r].tuned;
        if (!tuned || !tuned->rungs || !plan->grid->row[r].waits) continue;
        const struct halving *halving = &tuned->tune->halving;
        const double least = 2.0 * plan_longest_warmup(tuned, arena),
                     steps = halving->steps ? halving->from
                                            : (double)fewest_steps(plan, r, *tuned->rung);
        if (!(steps > 0) || steps >= least) continue;
        const int expected = (int)ceil(least / steps * halving->from);
        die_at(halving->location,
               "tune.halving.from: %s%s; expected at least %s, twice the longest warm-up of row "
               "\"%s\", %s steps",
               halving_length(&tuned->tune->halving, halving->from, arena),
               halving->steps
                   ? ""
                   : arena_print(arena, " are about %s steps", number_count(arena, steps)),
               halving_length(&tuned->tune->halving, expected, arena), plan->grid->row[r].name,
               number_count(arena, least / 2));
    }
}

/* ---- cost ---- */

const int *plan_differing(struct arena *arena, const struct plan_trial *trial, int trials,
                          int *count)
{
    int *number = ARENA_ARRAY(arena, int, trials);
    const struct task **training = ARENA_ARRAY(arena, const struct task *, trials);
    *count = 0;
    for (int t = 0; t < trials; t++) {
        int same = 0;
        training[t] = plan_point_find(&trial[t].at, stage_kind_find("train"));
        while (training[same] != training[t]) same++;
        if (same == t) number[(*count)++] = t;
    }
    return number;
}

/* Returns the sum of the estimates of a trial's training, or of its other stages. */
static double point_seconds(const struct plan_trial *trial, bool training)
{
    double sum = 0;
    for (int i = 0; i < trial->at.count; i++) {
        const struct task *task = trial->at.task[i];
        if (stage_has_point(&task->stage) && training == !strcmp(task->stage.kind->name, "train"))
            sum += task->estimate.seconds;
    }
    return sum;
}

/* Core seconds of the trials of a row. */
struct rung_cost {
    double most;
    double expected; /* if the order of the trials is random, and the same at all rungs */
    double all;      /* if all trials run to the end */
};

/* Returns the largest number of trials of a search that reach a rung (or the end), of `differ`. */
static int most_at(const struct tuned *tuned, int rung, int differ)
{
    const int whole = (differ + HALVING_WHOLE - 1) / HALVING_WHOLE;
    return rung ? (int)fmin(differ,
                            whole + halving_kept(&tuned->tune->halving, tuned->trials, rung - 1))
                : differ;
}

/* Adds the cost of a search. trial: [rungs + 1][trials]; number: [differ] those that differ */
static void add_cost(struct arena *arena, const struct tuned *tuned, const struct plan_trial *trial,
                     const int *number, int differ, struct rung_cost *cost)
{
    double *before = ARENA_ARRAY(arena, double, differ),
           *other = ARENA_ARRAY(arena, double, differ);
    for (int r = 0; r <= tuned->rungs; r++, trial += tuned->trials) {
        const int kept =
            r ? (int)fmin(differ, halving_kept(&tuned->tune->halving, tuned->trials, r - 1))
              : differ;
        int others = 0;
        for (int i = 0; i < differ; i++) {
            const double training = point_seconds(&trial[number[i]], true),
                         rest = point_seconds(&trial[number[i]], false),
                         more = training - before[i] + rest;
            const bool whole = i % HALVING_WHOLE == 0;
            before[i] = training;
            cost->most += whole ? more : 0;
            cost->expected += whole ? more : more * kept / differ;
            if (!whole) other[others++] = more;
            if (r == tuned->rungs) cost->all += training + rest;
        }
        cost->most += sum_largest(other, others, kept);
    }
}

void plan_print_halving(struct arena *arena, const struct plan *plan, int row, FILE *out)
{
    const struct tuned *tuned = plan->grid->row[row].tuned;
    const struct plan *all = plan_all_trials(arena, plan, row);
    struct rung_cost cost = {0};
    const char *rungs = NULL;
    int differ = 0;
    for (int s = 0; s < tuned->searches; s++) {
        const struct plan_trial *trial = all->trial + s * (tuned->rungs + 1) * tuned->trials;
        const int *number = plan_differing(arena, trial, tuned->trials, &differ);
        add_cost(arena, tuned, trial, number, differ, &cost);
    }
    for (int r = 0; r <= tuned->rungs; r++)
        rungs = arena_append(
            arena, rungs, ", ",
            arena_print(arena, "%s%d to %s", r ? "at most " : "", most_at(tuned, r, differ),
                        r < tuned->rungs
                            ? halving_length(&tuned->tune->halving, tuned->rung[r], arena)
                            : "the end"));
    sheet_put(arena_print(arena, "halving of \"%s\": trials: %s%s", plan->grid->row[row].name,
                          rungs, tuned->searches > 1 ? ", in each search" : ""),
              out);
    if (cost.all > 0)
        sheet_put(arena_print(arena, "; core time at most %s, expected %s, without halving %s",
                              number_seconds(arena, cost.most),
                              number_seconds(arena, cost.expected),
                              number_seconds(arena, cost.all)),
                  out);
    fputc('\n', out);
}
