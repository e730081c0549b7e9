/* sanlab redo: runs one stage again, and all stages that read it. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/lease.h"
#include "core/base/hash_table.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"
#include "experiments/run/gpus.h"
#include "experiments/run/runner.h"

/* Dies if a stage that must run again is blocked. An input of the stage may have to run first, and
 * may then lack its own inputs. */
static void check_inputs(const struct task *task)
{
    const struct task *by = task->blocked_by;
    if (task->replace && by && by->state == TASK_MISSING)
        die("redo: %s: %s", by->stage.name, by->reason);
    if (task->replace && by) die("redo: %s: %s", task->stage.name, task->reason);
}

/* Returns the task of a stage. Adds it after the tasks of its inputs. */
static struct task *add(struct arena *arena, struct plan *plan, const struct stage *stage)
{
    const int64_t known = hash_table_get(plan->ids, stage->id, strlen(stage->id));
    if (known != HASH_TABLE_ABSENT) return plan->task[known];
    struct task *task = ARENA_NEW(arena, struct task);
    task->stage = *stage;
    task->stage.input = ARENA_ARRAY(arena, struct stage *, stage->inputs + 1);
    for (int i = 0; i < stage->inputs; i++)
        task->stage.input[i] = &add(arena, plan, stage->input[i])->stage;
    task->index = plan->count;
    hash_table_put(plan->ids, task->stage.id, strlen(task->stage.id), plan->count);
    return ARENA_ADD(arena, plan->task, plan->count, task);
}

/* Returns a plan in which the stages of these folders run again, whatever their states. The plan
 * also has their inputs. If the stage of folder[i] runs another program, it is not in the plan,
 * because only a run of its grid may start it. Sets left[i] to such a stage. Dies if a process
 * works on a stage, or if a file that a stage reads is missing or has changed. Dies if the first
 * stage runs another program. */
static struct plan *plan_redo(struct arena *arena, const char *runs, const char *const *folder,
                              int folders, const struct stage **left)
{
    struct plan *plan = ARENA_NEW(arena, struct plan);
    struct grid *grid = ARENA_NEW(arena, struct grid);
    struct task **again = ARENA_ARRAY(arena, struct task *, folders);
    *grid = (struct grid){.name = "redo", .path = "redo"};
    *plan = (struct plan){.grid = grid, .runs = runs, .ids = hash_table_new(arena, 64)};
    for (int i = 0; i < folders; i++) {
        const struct stage *stage = stage_load(arena, folder[i]);
        /* A folder from elsewhere must not decide which program runs. */
        const struct texts *program = stage->kind->program ? stage->kind->program(stage) : NULL;
        struct lease_owner owner;
        if (lease_held(stage->folder, &owner))
            die("redo: %s: process %d on %s works on it", stage->name, owner.pid, owner.host);
        if (program && i == 0)
            die("redo: %s: runs the program %s, which only `sanlab run` of its grid starts",
                stage->name, program->text[0]);
        if (program) {
            left[i] = stage;
            continue;
        }
        const char *lacks = stage_lacks(stage, arena); /* checked before its folder is moved */
        if (lacks) die("redo: %s: %s", stage->name, lacks);
        again[i] = add(arena, plan, stage);
    }
    plan_inspect_all(arena, plan, 0);
    plan_set_stale(arena, plan, STALE_IGNORE);
    for (int i = 0; i < folders; i++)
        if (again[i]) plan_again(again[i], "again (redo)");
    plan_find_lacking(arena, plan);
    for (int i = 0; i < plan->count; i++) check_inputs(plan->task[i]);
    return plan;
}

static void put_away(struct arena *arena, const struct plan *plan, const struct stage **left,
                     int folders)
{
    for (int i = 0; i < folders; i++)
        if (left[i] && file_is_folder(left[i]->folder)) plan_put_away(arena, plan, left[i]);
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const struct runner_options options = {.workers = verb_number(call, "-j"),
                                           .form = DISPLAY_AUTO,
                                           .goes_on = "`sanlab run` of their grid continues",
                                           .quiet = verb_switch(call, "--quiet")};
    verb_take_one(call, "stage");
    gpus_find(); /* dies if the device does not work */
    struct store *store = stage_argument_store(call);
    const struct found_stage stage = stage_search_one(call, store, call->word[0], NULL);
    struct found_stage *again;
    const int folders = find_readers(store, stage.id, &again, arena);
    const char **path = ARENA_ARRAY(arena, const char *, folders);
    for (int i = 0; i < folders; i++) path[i] = again[i].path;
    stage_argument_close(call);
    const struct stage **left = ARENA_ARRAY(arena, const struct stage *, folders);
    struct plan *plan = plan_redo(arena, verb_value(call, "--runs"), path, folders, left);
    plan_estimate(arena, plan, false);
    plan_check_disk(arena, plan, false);
    for (int i = 0; i < folders && !options.quiet; i++)
        printf(!i ? "%s: done again\n"
               : left[i]
                   ? "%s reads it and runs a program: `sanlab run` of its grid does it again\n"
                   : "%s reads it: done again as well\n",
               again[i].folder);
    fflush(stdout);
    put_away(arena, plan, left, folders);
    plan_put_all_away(arena, plan);
    const int status = runner_run(arena, plan, &options);
    /* Meanwhile, a run of their grid may have computed these stages again from the old inputs. */
    put_away(arena, plan, left, folders);
    return status;
}

const struct verb verb_redo = {.name = "redo", .run = run, .gpus = true};
