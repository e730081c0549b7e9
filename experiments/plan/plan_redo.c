/* A stage that was loaded becomes a task; its inputs are then those tasks. */
#include "experiments/plan/plan_redo.h"

#include <string.h>

#include "core/base/lease.h"
#include "core/base/table.h"

static void check_free(const struct stage *stage)
{
    struct lease_owner owner;
    if (lease_held(stage->folder, &owner))
        die("redo: %s: process %d on %s works on it", stage->name, owner.pid, owner.host);
}

/* Its folder goes before its work begins. */
static void check_files(struct arena *arena, const struct stage *stage)
{
    const char *lacks = stage_lacks(stage, arena);
    if (lacks) die("redo: %s: %s", stage->name, lacks);
}

/* What it reads may be done again first, and what that reads, in turn, must be there. */
static void check_inputs(const struct task *task)
{
    const struct task *by = task->blocked_by;
    if (task->replace && by && by->state == TASK_MISSING)
        die("redo: %s: %s", by->stage.name, by->reason);
    if (task->replace && by) die("redo: %s: %s", task->stage.name, task->reason);
}

/* The task of a stage, behind those of what it reads. */
static struct task *add(struct arena *arena, struct plan *plan, const struct stage *stage)
{
    const int64_t known = table_get(plan->ids, stage->id, strlen(stage->id));
    if (known != TABLE_ABSENT) return plan->task[known];
    struct task *task = ARENA_NEW(arena, struct task);
    task->stage = *stage;
    task->stage.input = ARENA_ARRAY(arena, struct stage *, stage->inputs + 1);
    for (int i = 0; i < stage->inputs; i++)
        task->stage.input[i] = &add(arena, plan, stage->input[i])->stage;
    ARENA_MORE(arena, plan->task, plan->count);
    task->index = plan->count;
    table_put(plan->ids, task->stage.id, strlen(task->stage.id), plan->count);
    plan->task[plan->count++] = task;
    return task;
}

struct plan *plan_redo(struct arena *arena, const char *runs, const char *const *folder,
                       int folders, struct redo_left *left)
{
    struct plan *plan = ARENA_NEW(arena, struct plan);
    struct grid *grid = ARENA_NEW(arena, struct grid);
    struct task **again = ARENA_ARRAY(arena, struct task *, folders);
    *grid = (struct grid){.name = "redo", .path = "redo"};
    *plan = (struct plan){.grid = grid, .runs = runs, .ids = table_new(arena, 64)};
    *left = (struct redo_left){.stage = ARENA_ARRAY(arena, const struct stage *, folders)};
    for (int i = 0; i < folders; i++) {
        const struct stage *stage = stage_load(arena, folder[i]);
        /* Nobody who sends a folder says what is run. */
        const struct texts *program = stage->kind->program ? stage->kind->program(stage) : NULL;
        check_free(stage);
        if (program && i == 0)
            die("redo: %s: it runs the program %s, which its folder names; only a run of its grid "
                "does",
                stage->name, program->text[0]);
        if (program) {
            left->stage[left->count++] = stage;
            continue;
        }
        check_files(arena, stage);
        again[i] = add(arena, plan, stage);
    }
    plan->total = plan->count;
    plan->all = plan->task;
    plan_inspect_all(arena, plan, 0);
    plan_set_stale(arena, plan, STALE_IGNORE);
    for (int i = 0; i < folders; i++)
        if (again[i]) plan_again(again[i], "again (redo)");
    plan_find_lacking(arena, plan);
    for (int i = 0; i < plan->count; i++) check_inputs(plan->task[i]);
    return plan;
}
