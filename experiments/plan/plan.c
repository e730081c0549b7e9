#include "experiments/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/text/table.h"
#include "experiments/plan/stage_digest.h"

static int kind_index(const char *name)
{
    for (int i = 0; stage_kinds()[i]; i++)
        if (!strcmp(stage_kinds()[i]->name, name)) return i;
    CHECK(false, "no kind of stage is called %s", name);
    return -1;
}

/* The task of a stage whose inputs are there: the one that there is already, or this one. */
static struct task *settle(struct arena *arena, struct plan *plan, struct task *task)
{
    stage_identify(&task->stage, plan->runs, arena);
    int64_t *index = table_at(plan->ids, task->stage.id, DIGEST_TEXT - 1, plan->count);
    if (*index == plan->count) plan->task[plan->count++] = task;
    return plan->task[*index];
}

/* The task of one kind at one point. */
static struct task *add_task(struct arena *arena, struct plan *plan, const struct point *point,
                             const struct stage_kind *kind, struct task **at)
{
    struct task *task = ARENA_NEW(arena, struct task);
    struct stage *stage = &task->stage;
    *stage = (struct stage){
        .kind = kind, .settings = &point->settings, .options = point->options, .seed = point->seed};
    stage->input = ARENA_ARRAY(arena, struct stage *, STAGE_INPUTS);
    for (; kind->inputs[stage->inputs]; stage->inputs++) {
        struct task *input = at[kind_index(kind->inputs[stage->inputs])];
        CHECK(input, "%s reads %s, which this point lacks", kind->name,
              kind->inputs[stage->inputs]);
        stage->input[stage->inputs] = &input->stage;
    }
    if (kind->find_files) kind->find_files(stage, arena);
    task = settle(arena, plan, task);
    stage_ask(&task->stage,
              stage->inputs ? arena_print(arena, "%s/%s/%u", plan->grid->name,
                                          plan->grid->row[point->row], point->seed)
                            : arena_print(arena, "%s/%s", plan->grid->name, kind->name),
              arena);
    return task;
}

static struct tree *number_tree(struct arena *arena, struct place place, int number)
{
    struct tree *scalar = tree_new_text(arena, place, arena_print(arena, "%d", number));
    scalar->quoted = false;
    return scalar;
}

/* The index of an input among those of the stage; a new one is added. */
static int find_input(struct stage *stage, struct stage *input)
{
    int i = 0;
    while (i < stage->inputs && stage->input[i] != input) i++;
    if (i == stage->inputs) stage->input[stage->inputs++] = input;
    return i;
}

/* The one task of a kind about the whole grid, and its place at every point. */
static void add_whole(struct arena *arena, struct plan *plan, int kind)
{
    const struct grid *grid = plan->grid;
    const struct place place = {.file = grid->path};
    const int input = kind_index(stage_kinds()[kind]->inputs[0]);
    struct task *task = ARENA_NEW(arena, struct task);
    struct stage *stage = &task->stage;
    struct tree *options = tree_new(arena, TREE_MAP, place),
                *rows = tree_new(arena, TREE_LIST, place);
    *stage = (struct stage){.kind = stage_kinds()[kind],
                            .options = options,
                            .input = ARENA_ARRAY(arena, struct stage *, grid->rows),
                            .row = ARENA_ARRAY(arena, struct stage_row, grid->rows)};
    for (int r = 0; r < grid->rows; r++) {
        const struct point *point = &grid->point[r * grid->seeds];
        if (!point->options) continue;
        struct task **at = plan->at + r * grid->seeds * plan->kinds;
        const int index = find_input(stage, &at[input]->stage);
        struct tree *row = tree_new(arena, TREE_MAP, place);
        tree_put(arena, row, "input", number_tree(arena, place, index));
        tree_put(arena, row, "options", (struct tree *)point->options);
        tree_add(arena, rows, NULL, row);
        stage->row[stage->rows++] = (struct stage_row){point->options, &point->settings, index};
    }
    if (!stage->rows) return;
    stage->settings = stage->row[0].settings;
    stage->kind->add_options(options, arena);
    tree_put(arena, options, "rows", rows);
    task = settle(arena, plan, task);
    stage_ask(&task->stage, arena_print(arena, "%s/%s", grid->name, stage->kind->name), arena);
    for (int p = 0; p < grid->rows * grid->seeds; p++)
        if (grid->point[p].options) plan->at[p * plan->kinds + kind] = task;
}

static bool is_wanted(const struct stage_kind *kind, const struct settings *settings)
{
    return !kind->whole && (!kind->evaluation || settings_evaluates(settings, kind->evaluation)) &&
           (!kind->wanted || kind->wanted(settings));
}

struct plan *plan_build(struct arena *arena, const struct grid *grid, const char *runs,
                        unsigned retry)
{
    struct plan *plan = ARENA_NEW(arena, struct plan);
    int points = grid->rows * grid->seeds;
    *plan = (struct plan){.grid = grid, .runs = arena_text(arena, runs)};
    while (stage_kinds()[plan->kinds]) plan->kinds++;
    plan->task = ARENA_ARRAY(arena, struct task *, (points + 1) * plan->kinds);
    plan->at = ARENA_ARRAY(arena, struct task *, points * plan->kinds);
    plan->ids = table_new(arena, (size_t)points * (size_t)plan->kinds);
    if (file_exists(runs)) die("--runs %s: this is a file; expected a folder", runs);
    path_guard(runs);
    stage_digests_load(runs);
    for (int p = 0; p < points; p++) {
        const struct point *point = &grid->point[p];
        if (!point->options) continue; /* a row without a run */
        struct task **at = plan->at + p * plan->kinds;
        for (int k = 0; k < plan->kinds; k++)
            if (is_wanted(stage_kinds()[k], &point->settings))
                at[k] = add_task(arena, plan, point, stage_kinds()[k], at);
    }
    for (int k = 0; k < plan->kinds; k++)
        if (stage_kinds()[k]->whole && stage_kinds()[k]->wanted_by(grid)) add_whole(arena, plan, k);
    stage_digests_keep(runs);
    plan_inspect_all(arena, plan, retry);
    return plan;
}

struct summary_grid plan_summary(struct arena *arena, const struct plan *plan)
{
    const struct grid *grid = plan->grid;
    struct summary_grid summary = grid->summary;
    struct summary_row *row = ARENA_ARRAY(arena, struct summary_row, grid->rows);
    for (int r = 0; r < grid->rows; r++) {
        struct summary_seed *seed = ARENA_ARRAY(arena, struct summary_seed, grid->seeds);
        for (int s = 0; s < grid->seeds; s++) {
            struct task **at = plan->at + (r * grid->seeds + s) * plan->kinds;
            struct summary_stage *stage = ARENA_ARRAY(arena, struct summary_stage, plan->kinds);
            int count = 0;
            for (int k = 0; k < plan->kinds; k++)
                if (at[k])
                    stage[count++] =
                        (struct summary_stage){at[k]->stage.kind->name, at[k]->stage.id};
            seed[s] = (struct summary_seed){grid->seed[s], count, stage};
        }
        row[r] = grid->summary.row[r];
        row[r].count = row[r].options ? grid->seeds : 0;
        row[r].seed = seed;
    }
    summary.row = row;
    return summary;
}
