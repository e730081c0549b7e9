/* Rows with at(..): their two sides, the checkpoints that trainings keep for them, and the
 * checkpoints that finished trainings lack. */
#include <math.h>
#include <string.h>

#include "core/config/tree_read.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "experiments/plan/plan.h"

/* Calls `visit` for the option `checkpoint` of each section of a row that names a crossing. `path`
 * is the path of the option. */
typedef void side_visitor(void *context, const struct checkpoint_at *at, const char *path,
                          struct location location);
static void each_crossing(struct arena *arena, const struct grid_resolved *resolved,
                          side_visitor *visit, void *context)
{
    for (const struct evaluation *const *one = evaluations; *one; one++) {
        const struct evaluated *read = settings_evaluated(resolved->settings, *one);
        const char *const *words = section_field((*one)->section, "checkpoint", NULL, read->fields);
        struct checkpoint_at at;
        if (!read->asked || !words || !checkpoint_at_read(&at, *words, "checkpoint")) continue;
        const char *path = arena_print(arena, "%s.checkpoint", (*one)->section->name);
        visit(context, &at, path, tree_location(resolved->options, path));
    }
}

/* ---- the sides of a row ---- */

struct splitting {
    struct arena *arena;
    const struct grid_resolved *resolved;
    struct tree *side[2]; /* NULL: no at(..) yet */
};

static void split_side(void *context, const struct checkpoint_at *at, const char *path,
                       struct location location)
{
    struct splitting *split = context;
    if (at->side != SIDE_NONE) return;
    for (int k = 0; k < 2; k++) {
        const char *words = checkpoint_at_words(split->arena, at, k ? SIDE_AFTER : SIDE_BEFORE);
        if (!split->side[k])
            split->side[k] = tree_merge(split->arena, NULL, split->resolved->options);
        tree_put(split->arena, split->side[k], path, tree_new_text(split->arena, location, words));
    }
}

void plan_sides(struct arena *arena, const struct grid_resolved *resolved,
                const struct grid_resolved *side[2])
{
    struct splitting split = {.arena = arena, .resolved = resolved};
    each_crossing(arena, resolved, split_side, &split);
    for (int k = 0; k < 2; k++)
        side[k] = split.side[k] ? grid_resolve(arena, split.side[k]) : resolved;
}

/* ---- train.keep_at ---- */

struct crossings {
    struct arena *arena;
    int count;
    struct checkpoint_at *at;
};

static void add_kept(void *context, const struct checkpoint_at *at, const char *path,
                     struct location location)
{
    struct crossings *kept = context;
    (void)path, (void)location;
    for (int i = 0; i < kept->count; i++)
        if (kept->at[i].by_step == at->by_step && kept->at[i].value == at->value) return;
    ARENA_ADD(kept->arena, kept->at, kept->count, *at);
}

static struct tree *kept_tree(struct arena *arena, const struct crossings *kept)
{
    const char *list = NULL;
    for (int i = 0; i < kept->count; i++)
        list =
            arena_append(arena, list, ", ",
                         arena_print(arena, "{%s: %.17g}",
                                     kept->at[i].by_step ? "step" : "dev_loss", kept->at[i].value));
    return tree_parse(arena, "train.keep_at", arena_print(arena, "[%s]", list));
}

void plan_keep_at(struct arena *arena, struct grid *grid)
{
    struct crossings kept = {.arena = arena};
    for (int r = 0; r < grid->rows; r++)
        if (grid->row[r].resolved) each_crossing(arena, grid->row[r].resolved, add_kept, &kept);
    for (int r = 0; r < grid->rows && kept.count; r++) {
        struct grid_row *row = &grid->row[r];
        if (!row->resolved || row->resolved->settings->alone) continue;
        struct crossings own = {.arena = arena};
        const struct keep_at *written = &row->resolved->settings->train.keep_at;
        for (int i = 0; i < written->count; i++)
            add_kept(&own, &written->at[i], NULL, (struct location){0});
        for (int i = 0; i < kept.count; i++)
            add_kept(&own, &kept.at[i], NULL, (struct location){0});
        struct tree *options = tree_merge(arena, NULL, row->resolved->options);
        tree_put(arena, options, "train.keep_at", kept_tree(arena, &own));
        *row->resolved = *grid_resolve(arena, options);
    }
}

/* ---- finished trainings ---- */

/* The crossing that a task reads from a finished training. */
struct sided_task {
    const struct stage *train; /* NULL: the task has no such crossing */
    struct checkpoint_at at;
    const char *option; /* "evaluate.bleu.checkpoint" */
    struct crossing crossing;
};

static struct sided_task sided_task(struct arena *arena, const struct task *task)
{
    const struct stage *stage = &task->stage, *train = stage_trained(stage);
    const struct evaluation *evaluation = stage->kind->evaluation;
    struct sided_task sided = {0};
    if (!train || train == stage || !evaluation) return sided;
    const char *const *words =
        section_field(evaluation->section, "checkpoint", NULL, stage_options(stage));
    if (!words || !checkpoint_at_read(&sided.at, *words, "checkpoint")) return sided;
    sided.option = arena_print(arena, "%s.checkpoint", evaluation->section->name);
    sided.train = train;
    if (plan_task((struct stage *)train)->state == TASK_DONE)
        sided.crossing = checkpoint_crossing(train->folder, &sided.at, INT64_MAX);
    else
        sided.crossing.reached = true; /* it may be reached */
    return sided;
}

/* Dies if no training of the plan reaches the number. */
static void check_reached(struct arena *arena, const struct plan *plan,
                          const struct sided_task *own, const struct tree *options)
{
    const double best = own->crossing.best;
    PLAN_EACH(plan, task) {
        const struct sided_task other = sided_task(arena, task);
        if (other.train && other.at.by_step == own->at.by_step && other.at.value == own->at.value &&
            other.crossing.reached)
            return;
    }
    const bool passed = own->at.by_step ? best >= own->at.value : best <= own->at.value;
    die_at(tree_location(options, own->option), "%s: %s: no training %s; the %s is %.6g (%s)",
           own->option, checkpoint_at_words(arena, &own->at, SIDE_NONE),
           passed ? "has a validation before it" : "reaches it",
           own->at.by_step ? "last validated step" : "lowest dev loss of a validation", best,
           own->train->name);
}

void plan_check_at(struct arena *arena, struct plan *plan, unsigned retry)
{
    PLAN_EACH(plan, task) {
        const char *path;
        if (!task_is_open(task)) continue;
        const struct sided_task sided = sided_task(arena, task);
        if (!sided.train || plan_task((struct stage *)sided.train)->state != TASK_DONE) continue;
        if (!sided.crossing.reached) {
            check_reached(arena, plan, &sided, task->stage.options);
            continue;
        }
        const int64_t step = sided.crossing.step[sided.at.side == SIDE_AFTER];
        if (checkpoint_state(arena, sided.train->folder, step, &path)) continue;
        if (!(retry & RETRY_KEPT))
            die_at(tree_location(task->stage.options, sided.option),
                   "%s: %s needs the checkpoint of step %lld, which %s did not keep; `run --retry "
                   "kept` trains it again, with the same result",
                   sided.option, checkpoint_at_words(arena, &sided.at, sided.at.side),
                   (long long)step, sided.train->name);
        plan_again(plan_task((struct stage *)sided.train), "again (did not keep a checkpoint)");
    }
}
