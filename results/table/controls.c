/* Compares probing tasks with their controls, and removes the tasks of a mean that are not above
 * them. */
#include "results/table/controls.h"

#include <math.h>
#include <string.h>

#include "core/base/mean.h"
#include "results/stats/student.h"
#include "results/table/name_list.h"

/* ---- the best control ---- */

/* Replaces the best control by this one if its mean in the row is higher. */
static void look_at(struct best_control *best, struct sampler *sampler, const struct column *column,
                    int row, const char *name, const struct column *control)
{
    const struct sample sample = sample_row(sampler, control, row);
    if (!sample.count || (best->name && sample.mean <= best->mean)) return;
    *best = (struct best_control){name, control->function != COLUMN_VALUE, sample.mean, *column};
    if (!best->view) return;
    best->margin.function = COLUMN_MARGIN;
    best->margin.word = name;
    best->margin.argument = column;
    column_take_control(&best->margin, sampler->arena);
}

/* Returns another measure of the same part, of this kind or of another kind. */
static struct column measure_of(struct sampler *sampler, const struct column *column,
                                const char *kind, const struct measure *measure)
{
    struct column of = *column;
    of.value = measure->name;
    of.measure = measure;
    if (strcmp(kind, column->kind) != 0)
        of.part = arena_text_range(sampler->arena, of.part, strcspn(of.part, "@"));
    of.kind = kind;
    return of;
}

/* True if the kind `text` has measured the same test items: the baselines that both kinds have are
 * equal. With folds they differ, because a probe is then tested on all items. */
static bool same_items(struct sampler *sampler, const struct column *column, int row,
                       const char *text)
{
    bool same = false;
    for (const struct measure *one = offer_measures(offer_of(column->kind)); one->name; one++) {
        const struct measure *other =
            one->traits & BASELINE ? offer_measure(text, one->name) : NULL;
        if (!other) continue;
        const struct column ours = measure_of(sampler, column, column->kind, one),
                            theirs = measure_of(sampler, column, text, other);
        const struct sample a = sample_row(sampler, &ours, row),
                            b = sample_row(sampler, &theirs, row);
        if (!a.count || !b.count) continue;
        if (a.known[0] != b.known[0]) return false;
        same = true;
    }
    return same;
}

struct best_control controls_best(struct sampler *sampler, const struct column *column, int row)
{
    struct best_control best = {.name = NULL};
    const struct offer *offer = offer_of(column_first(column)->kind);
    for (const char *const *view = offer->views + 1; *view; view++) {
        const struct column control = column_control(column, *view, sampler->arena);
        look_at(&best, sampler, column, row, *view, &control);
    }
    if (column->function != COLUMN_VALUE) return best;
    /* The own kind is first, because it names the control if values are equal. */
    for (const struct offer *of = offer, *const *next = offers(); of; of = *next++) {
        if (of != offer && !same_items(sampler, column, row, of->kind)) continue;
        for (const struct measure *one = offer_measures(of); one->name; one++) {
            const struct column control = measure_of(sampler, column, of->kind, one);
            if (one->traits & BASELINE) look_at(&best, sampler, column, row, one->name, &control);
        }
    }
    return best;
}

/* ---- tasks above their controls ---- */

/* A task that was compared with its controls. */
struct control_task {
    struct control_task *next;
    const char *kind, *part;
    bool above; /* above its controls, or without controls */
};

bool controls_above(const double *margin, int seeds)
{
    const double alpha = 0.05, mean = mean_of(margin, seeds),
                 error = mean_deviation(margin, seeds) / sqrt(seeds);
    if (seeds == 1 || !(error > 0)) return mean > 0;
    return student_share(-mean / error, seeds - 1) < alpha;
}

/* Compares the main value of a task with its best control in each row. Margins are averaged over
 * the rows, seed by seed. */
static bool is_above(struct sampler *sampler, const char *kind, const char *part)
{
    const struct measure *main = offer_measures(offer_of(kind));
    const struct column column = {
        .name = part, .kind = kind, .part = part, .value = main->name, .measure = main};
    struct arena *arena = sampler->arena;
    struct seed_margin {
        int64_t seed;
        double sum;
        int rows;
    } *of = NULL;
    int seeds = 0;
    for (int row = 0; row < sampler->grid->rows; row++) {
        const struct best_control best = controls_best(sampler, &column, row);
        if (!best.name) continue;
        const struct sample margin = sample_row(sampler, &best.margin, row);
        const double baseline = best.view ? 0 : best.mean;
        for (int i = 0; i < margin.total && !margin.mixed; i++) {
            int k = 0;
            if (!isfinite(margin.value[i])) continue;
            while (k < seeds && of[k].seed != margin.seed[i].seed) k++;
            if (k == seeds)
                ARENA_ADD(arena, of, seeds, (struct seed_margin){margin.seed[i].seed, 0, 0});
            of[k].sum += margin.value[i] - baseline;
            of[k].rows++;
        }
    }
    double *mean = ARENA_ARRAY(arena, double, seeds + 1);
    for (int k = 0; k < seeds; k++) mean[k] = of[k].sum / of[k].rows;
    return !seeds || controls_above(mean, seeds);
}

/* True if the column takes part in a mean. */
static bool takes_part(struct sampler *sampler, const struct column *column)
{
    const struct layout *layout = sampler->grid->layout;
    const struct offer *offer = column->kind ? offer_of(column->kind) : NULL;
    if (!column->part || !offer || !offer->views || (layout && layout->means == LAYOUT_MEANS_ALL))
        return true;
    const char *part = arena_text_range(sampler->arena, column->part, strcspn(column->part, "@"));
    struct control_task *task = sampler->tasks;
    while (task && (strcmp(task->kind, column->kind) || strcmp(task->part, part)))
        task = task->next;
    if (task) return task->above;
    task = ARENA_NEW(sampler->arena, struct control_task);
    *task = (struct control_task){sampler->tasks, column->kind, part,
                                  is_above(sampler, column->kind, part)};
    sampler->tasks = task;
    return task->above;
}

struct column controls_members(struct sampler *sampler, const struct column *column)
{
    struct column of = *column;
    if (!column_has(column, COLUMN_GROUP)) return of;
    struct column *argument = ARENA_ARRAY(sampler->arena, struct column, of.arguments + 1);
    of.argument = argument;
    of.arguments = 0;
    for (int i = 0; i < column->arguments; i++) {
        const struct column *one = &column->argument[i];
        if (column->function != COLUMN_GROUP)
            argument[of.arguments++] = controls_members(sampler, one);
        else if (takes_part(sampler, one))
            argument[of.arguments++] = *one;
    }
    return of;
}

const char *controls_note(struct sampler *sampler, const struct column *column)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    struct name_list out = {.arena = sampler->arena};
    for (int i = 0; group && i < group->arguments; i++)
        if (!takes_part(sampler, &group->argument[i]))
            name_list_add(&out, group->argument[i].header);
    return out.count ? arena_print(sampler->arena, "mean(%s): without %s (not above controls)",
                                   group->word, name_list_text(&out))
                     : NULL;
}
