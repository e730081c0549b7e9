/* A stage's folder is moved, and its record written, only by whoever holds its lease. */
#include "experiments/plan/plan_folders.h"

#include <stdlib.h>
#include <time.h>

#include "core/base/file.h"
#include "core/base/lease.h"
#include "core/base/progress.h"

/* NULL, and perhaps the reason, when it is not ours. */
static struct lease *take(struct arena *arena, const struct stage *stage, const char **fault)
{
    char *reason;
    struct lease *lease = lease_try(stage->folder, &reason);
    *fault = reason ? arena_text(arena, reason) : NULL;
    free(reason);
    return lease;
}

/* Moves the folder of a stage that is done again out of the way. Under its lease, and only when it
 * is still what the plan saw: another runner may be at it already. */
static bool make_room(struct arena *arena, const struct plan *plan, struct task *task,
                      const char **fault)
{
    const struct stage *stage = &task->stage;
    const bool there = file_is_folder(stage->folder); /* or another runner has just moved it */
    *fault = NULL;
    struct lease *lease = there ? take(arena, stage, fault) : NULL;
    if (*fault) return false;
    bool same = lease && plan_is_as_seen(task);
    if (same) {
        char *replaced = heap_print("%s/replaced", plan->runs);
        long long now = (long long)time(NULL); /* or later, where that name is taken */
        char *to = heap_print("%s/%s-%lld", replaced, stage->name, now);
        while (file_is_folder(to)) {
            free(to);
            to = heap_print("%s/%s-%lld", replaced, stage->name, ++now);
        }
        file_make_folder(replaced);
        file_rename(stage->folder, to);
        char *lock = heap_print("%s/lock", to); /* it went along */
        file_unlink(lock);
        free(lock);
        free(to);
        free(replaced);
    }
    if (lease) lease_release(lease);
    task->replace = false;
    return same;
}

void plan_put_away(struct arena *arena, const struct plan *plan, const struct stage *stage)
{
    struct task task = {.stage = *stage, .done_at = stage_done_at(stage)};
    const char *fault;
    if (!make_room(arena, plan, &task, &fault) && file_is_folder(stage->folder))
        die("%s: %s", stage->name, fault ? fault : "somebody works on it");
}

void plan_put_all_away(struct arena *arena, struct plan *plan)
{
    for (int i = plan->count - 1; i >= 0; i--) {
        struct task *task = plan->task[i];
        if (!task->replace) continue;
        plan_put_away(arena, plan, &task->stage);
        task->replace = false;
    }
}

/* stage_write by whoever has the lease: so a temporary file of anybody else is a dead one's. */
static bool write_leased(struct arena *arena, const struct stage *stage, const char **fault)
{
    struct lease *lease = take(arena, stage, fault);
    if (!lease) return false;
    stage_write(stage);
    lease_release(lease);
    return true;
}

bool plan_prepare(struct arena *arena, const struct plan *plan, struct task *task,
                  const char **fault)
{
    if (task->replace && !make_room(arena, plan, task, fault)) return false;
    file_make_folder(task->stage.folder);
    return write_leased(arena, &task->stage, fault);
}

void plan_record_names(struct arena *arena, const struct plan *plan, bool quiet)
{
    const char *fault, *first = NULL;
    int count = 0, done = 0, failed = 0;
    for (int i = 0; i < plan->count; i++) count += plan->task[i]->unnamed;
    struct progress *progress = quiet ? NULL : progress_open_synced("names", count);
    for (int i = 0; i < plan->count; i++) {
        if (!plan->task[i]->unnamed || plan->task[i]->replace) continue;
        if (!write_leased(arena, &plan->task[i]->stage, &fault) && fault && !failed++)
            first = fault;
        progress_step(progress, ++done, NULL);
    }
    progress_close(progress, NULL);
    if (failed) warn("%s; the names of %d stages stay as they are", first, failed);
}
