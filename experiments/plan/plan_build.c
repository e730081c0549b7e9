/* Builds the plan of a grid. Points share stages with equal ids. Each point adds its stages in the
 * order of the ranks of their kinds. So inputs precede their readers, and the ids of inputs are
 * known when the id of a reader is computed. */
#include "experiments/plan/plan.h"

#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/hash_table.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/grid/tune.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/stage_digest.h"
#include "results/store/store.h"
#include "results/table/layout.h"

struct task *plan_point_find(const struct plan_point *at, const struct stage_kind *kind)
{
    for (int i = 0; i < at->count; i++)
        if (at->task[i]->stage.kind == kind) return at->task[i];
    return NULL;
}

struct task *plan_settle(struct arena *arena, struct plan *plan, struct stage *stage)
{
    stage_identify(stage, plan->runs, arena);
    const int64_t index = hash_table_get(plan->ids, stage->id, DIGEST_TEXT - 1);
    if (index != HASH_TABLE_ABSENT) return plan->task[index];
    struct task *task = ARENA_NEW(arena, struct task);
    *task = (struct task){.stage = *stage, .index = plan->count};
    hash_table_put(plan->ids, task->stage.id, DIGEST_TEXT - 1, plan->count);
    ARENA_ADD(arena, plan->task, plan->count, task);
    return task;
}

/* True if a stage reads `other`, a stage of the same point whose kind is an input of its kind. A
 * stage of a part reads only the matching part of the other kind. */
static bool reads(const struct stage *stage, const struct stage *other, struct arena *arena)
{
    if (!stage->part || !other->part) return true;
    return !strcmp(other->part, stage_kind_part(stage->part, arena));
}

/* Sets the inputs of a stage to the stages of its side that its kind reads. */
static void take_inputs(struct arena *arena, struct stage *stage, const struct plan_point *at,
                        const char *task)
{
    stage->input = ARENA_ARRAY(arena, struct stage *, at->count);
    for (const char *const *kind = stage_kind_inputs(stage->kind, task); kind && *kind; kind++) {
        const int before = stage->inputs;
        for (int i = 0; i < at->count; i++)
            if (!strcmp(at->task[i]->stage.kind->name, *kind) &&
                reads(stage, &at->task[i]->stage, arena))
                stage->input[stage->inputs++] = &at->task[i]->stage;
        CHECK(stage->inputs > before, "%s reads %s, which this point lacks", stage->kind->name,
              *kind);
    }
}

/* Returns the stage of a kind, which is `upon` or one of its direct and indirect inputs; NULL if
 * none. */
static const struct stage *given_stage(const struct stage *upon, const struct stage_kind *kind)
{
    const struct stage *found = upon && upon->kind == kind ? upon : NULL;
    for (int i = 0; upon && !found && i < upon->inputs; i++)
        found = given_stage(upon->input[i], kind);
    return found;
}

/* A point while its stages are added. With at(..) it has two sides, each with its own options. */
struct sided_point {
    const struct plan_asker *of;
    const struct grid_resolved *resolved[2]; /* both are the same without at(..) */
    struct plan_point at[2];                 /* stages of each side; a stage may be in both */
};

/* Sets the members of a stage from a side of its point. If plan->upon gives a stage of this kind,
 * settings, options, seed and files are copied from the given stage. */
static void describe(struct arena *arena, struct stage *stage, const struct plan *plan,
                     const struct sided_point *point, int side, const struct stage_kind *kind)
{
    const struct grid *grid = plan->grid;
    const struct grid_resolved *resolved = point->resolved[side];
    const struct stage *given = given_stage(plan->upon, kind);
    stage->kind = kind;
    stage->settings = given ? given->settings : resolved->settings;
    stage->options = given ? given->options : resolved->options;
    stage->seed = given ? given->seed : point->of->seed;
    stage->files = given ? given->files : 0;
    stage->file = given ? given->file : NULL;
    if (!resolved->settings->alone) take_inputs(arena, stage, &point->at[side], grid->task);
    if (!given) stage_find_files(stage, arena);
}

void plan_put(struct arena *arena, struct plan_point *at, struct task *task,
              enum checkpoint_side side)
{
    for (int i = 0; i < at->count; i++)
        if (at->task[i] == task) {
            at->side[i] = SIDE_NONE;
            return;
        }
    int sides = at->count;
    ARENA_ADD(arena, at->side, sides, side);
    ARENA_ADD(arena, at->task, at->count, task);
    task->points++;
}

/* Returns the task of the previous point, or of the other side, if this side has the same stage;
 * else NULL. Only stages without part, inputs and seed are compared, such as corpora. They are the
 * same if their options are equal. Otherwise the search for the files of a corpus would be repeated
 * at every point, and would take most of the time of the plan. */
static struct task *find_repeated(struct arena *arena, const struct sided_point *point, int side,
                                  const struct stage_kind *kind, const char *part)
{
    const struct plan_asker *of = point->of, *before = side ? of : of->before;
    if (part || kind->inputs || kind->traits & KIND_SEEDED || !before) return NULL;
    const struct grid_resolved *own = point->resolved[side], *other = before->resolved;
    const char *const *name = settings_sections(kind->traits, kind->evaluation, arena);
    while (*name && tree_same(tree_find(own->options, *name), tree_find(other->options, *name)))
        name++;
    return *name ? NULL : plan_point_find(before->at, kind);
}

/* Adds the task of a kind, or of a part of a kind, to a side of a point. */
static void add_task(struct arena *arena, struct plan *plan, struct sided_point *point, int side,
                     const struct stage_kind *kind, const char *part)
{
    const char *grid = plan->grid->name;
    struct task *task = find_repeated(arena, point, side, kind, part);
    struct stage stage = {.part = part};
    if (!task) {
        describe(arena, &stage, plan, point, side, kind);
        task = plan_settle(arena, plan, &stage);
    }
    const bool sided = point->resolved[0] != point->resolved[1];
    ARENA_ADD(arena, point->at[side].task, point->at[side].count, task);
    plan_put(arena, point->of->at, task, !sided ? SIDE_NONE : side ? SIDE_AFTER : SIDE_BEFORE);
    stage_ask(&task->stage,
              stage_has_point(&task->stage)
                  ? arena_print(arena, "%s/%s/%u", grid, point->of->row, point->of->seed)
                  : arena_print(arena, "%s/%s", grid, kind->name),
              arena);
}

/* Returns the index of an input in the stage's inputs; adds the input if it is new. */
static int find_input(struct stage *stage, struct stage *input)
{
    int i = 0;
    while (i < stage->inputs && stage->input[i] != input) i++;
    if (i == stage->inputs) stage->input[stage->inputs++] = input;
    return i;
}

/* Adds the single task of a kind that covers the whole grid to every point. No row may wait for the
 * choice of a trial, because the task reads all rows. */
static void add_per_grid(struct arena *arena, struct plan *plan, const struct stage_kind *kind)
{
    const struct grid *grid = plan->grid;
    const struct location location = {.file = grid->path};
    const struct stage_kind *read = stage_kind_find(kind->inputs[0]);
    struct tree *options = tree_new(arena, TREE_MAP, location),
                *rows = tree_new(arena, TREE_LIST, location);
    struct stage stage = {.kind = kind,
                          .options = options,
                          .input = ARENA_ARRAY(arena, struct stage *, grid->rows),
                          .row = ARENA_ARRAY(arena, struct stage_row, grid->rows)};
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid->row[r].resolved;
        if (!resolved || resolved->settings->alone) continue;
        const int index =
            find_input(&stage, &plan_point_find(&plan->point[r * grid->seeds], read)->stage);
        struct tree *row = tree_new(arena, TREE_MAP, location);
        tree_put(arena, row, "input", tree_parse(arena, "rows", arena_print(arena, "%d", index)));
        tree_put(arena, row, "options", (struct tree *)resolved->options);
        tree_add(arena, rows, NULL, row);
        stage.row[stage.rows++] = (struct stage_row){resolved->options, resolved->settings, index};
    }
    if (!stage.rows) return;
    stage.settings = stage.row[0].settings;
    environment_machine(options, arena);
    tree_put(arena, options, "rows", rows);
    struct task *task = plan_settle(arena, plan, &stage);
    stage_ask(&task->stage, arena_print(arena, "%s/%s", grid->name, kind->name), arena);
    for (int p = 0; p < grid->rows * grid->seeds; p++) {
        const struct grid_resolved *resolved = grid->row[p / grid->seeds].resolved;
        if (resolved && !resolved->settings->alone)
            plan_put(arena, &plan->point[p], task, SIDE_NONE);
    }
}

struct column_kind {
    const struct stage_kind *kind;
    const char *task;
    bool named; /* a column or a section requests the kind */
};

static void look_at_column(void *context, const struct column *column, const char *what)
{
    struct column_kind *of = context;
    if (!word_same(column->kind, of->kind->name)) return;
    const struct stage_kind *foreign = stage_kind_foreign(of->kind, of->task);
    if (foreign)
        die_at(column_location(column),
               "%s: needs %s, which belongs to the task %s; this grid's task is %s", column->name,
               foreign->name, foreign->task, of->task);
    of->named = true;
}

/* True if a section or a column of the grid requests a kind that covers all rows. */
static bool asks_per_grid(const struct plan *plan, const struct stage_kind *kind)
{
    const struct grid *grid = plan->grid;
    struct column_kind of = {kind, grid->task, false};
    plan_each_column(plan, look_at_column, &of);
    for (int r = 0; r < grid->rows; r++)
        of.named |= grid->row[r].resolved && grid_asks(grid, grid->row[r].resolved, kind);
    return of.named;
}

void plan_add_point(struct arena *arena, struct plan *plan, const struct plan_asker *of)
{
    const struct grid_resolved *resolved = of->resolved;
    const struct stage_kind *const *kind = stage_kinds;
    int kinds = 0;
    while (kind[kinds]) kinds++;
    bool *wanted = ARENA_ARRAY(arena, bool, kinds);
    for (int k = kinds - 1; k >= 0; k--) {
        wanted[k] = !(kind[k]->traits & KIND_PER_GRID) &&
                    grid_point_computes(plan->grid, resolved, kind[k]);
        for (int reader = k + 1; reader < kinds && !resolved->settings->alone; reader++) {
            const char *const *input = stage_kind_inputs(kind[reader], plan->grid->task);
            wanted[k] |= wanted[reader] && input && word_known(kind[k]->name, input);
        }
    }
    struct sided_point point = {.of = of};
    plan_sides(arena, resolved, point.resolved);
    const int sides = point.resolved[0] == point.resolved[1] ? 1 : 2;
    for (int k = 0; k < kinds * sides; k++) {
        const struct stage_kind *one = kind[k / sides];
        if (!wanted[k / sides]) continue;
        const struct texts parts = settings_evaluated(resolved->settings, one->evaluation)->parts;
        for (int i = 0; i < parts.count; i++)
            add_task(arena, plan, &point, k % sides, one, parts.text[i]);
        if (!parts.count) add_task(arena, plan, &point, k % sides, one, NULL);
    }
}

static void add_points(struct arena *arena, struct plan *plan)
{
    const struct grid *grid = plan->grid;
    struct plan_asker *asker = ARENA_ARRAY(arena, struct plan_asker, grid->rows * grid->seeds),
                      *before = NULL;
    for (int p = 0; p < grid->rows * grid->seeds; p++) {
        const struct grid_row *row = &grid->row[p / grid->seeds];
        if (!row->resolved || row->waits) continue;
        asker[p] = (struct plan_asker){tune_resolved(row, p % grid->seeds), row->name,
                                       grid->seed[p % grid->seeds], &plan->point[p], before};
        plan_add_point(arena, plan, &asker[p]);
        before = &asker[p];
    }
}

struct grid_seed plan_point_stages(struct arena *arena, const struct plan_point *at, uint32_t seed)
{
    struct grid_stage *stage = ARENA_ARRAY(arena, struct grid_stage, at->count);
    for (int i = 0; i < at->count; i++)
        stage[i] = (struct grid_stage){
            at->task[i]->stage.kind->name, at->task[i]->stage.id, at->task[i]->stage.part,
            at->side[i], at->side[i] ? stage_side_words(&at->task[i]->stage, arena) : NULL};
    return (struct grid_seed){seed, at->count, stage};
}

static void fill_rows(struct arena *arena, const struct plan *plan, struct grid *grid)
{
    for (int r = 0; r < grid->rows; r++) {
        struct grid_row *row = &grid->row[r];
        struct grid_seed *seed = ARENA_ARRAY(arena, struct grid_seed, grid->seeds);
        for (int s = 0; s < grid->seeds; s++)
            seed[s] = plan_point_stages(arena, &plan->point[r * grid->seeds + s], grid->seed[s]);
        row->count = row->options ? grid->seeds : 0;
        row->seed = seed;
    }
    for (int i = 0; i < plan->count; i++)
        for (int k = 0; k < plan->task[i]->stage.files; k++)
            grid->incomplete |= !plan->task[i]->stage.file[k].digest;
}

struct plan *plan_build(struct arena *arena, struct grid *grid, const char *runs,
                        const struct stage *upon)
{
    struct plan *plan = ARENA_NEW(arena, struct plan);
    const int points = grid->rows * grid->seeds;
    *plan = (struct plan){.grid = grid, .runs = arena_text(arena, runs), .upon = upon};
    plan_read_drawn(plan, grid, arena);
    plan->point = ARENA_ARRAY(arena, struct plan_point, points);
    plan->ids = hash_table_new(arena, (size_t)points);
    store_check_runs(runs);
    path_guard(runs);
    stage_digests_load(runs);
    plan_keep_at(arena, grid);
    plan_tune(arena, plan);
    add_points(arena, plan);
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        if ((*kind)->traits & KIND_PER_GRID && asks_per_grid(plan, *kind) && !plan_waiting(plan))
            add_per_grid(arena, plan, *kind);
    plan_put_choices(arena, plan);
    fill_rows(arena, plan, grid);
    plan_read_over(plan, arena);
    plan->total = plan->count;
    plan->all = plan->task;
    return plan;
}

/* Marks a task and its direct and indirect inputs. */
static void want(bool *wanted, const struct task *task)
{
    if (wanted[task->index]) return;
    wanted[task->index] = true;
    for (int i = 0; i < task->stage.inputs; i++) want(wanted, plan_task(task->stage.input[i]));
}

void plan_only(struct arena *arena, struct plan *plan, const bool *row)
{
    bool *wanted = ARENA_ARRAY(arena, bool, plan->count);
    struct task **kept = ARENA_ARRAY(arena, struct task *, plan->count);
    int count = 0;
    for (int p = 0; p < plan->grid->rows * plan->grid->seeds; p++)
        for (int i = 0; i < plan->point[p].count && row[p / plan->grid->seeds]; i++)
            want(wanted, plan->point[p].task[i]);
    for (const struct plan_trial *trial = plan->trial; trial < plan->trial + plan->trials; trial++)
        for (int i = 0; i < trial->at.count && row[trial->row]; i++)
            want(wanted, trial->at.task[i]);
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        task->index = wanted[i] ? count : -1;
        if (wanted[i]) kept[count++] = task;
    }
    plan->task = kept;
    plan->count = count;
}
