/* Moves and writes the folders of a plan's stages, only under their leases. Checks the disk space
 * before a run, because stages that fail on a full disk may have run for hours. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/lease.h"
#include "core/base/path.h"
#include "core/base/progress.h"
#include "experiments/plan/plan.h"
#include "results/sheet/number_format.h"

static const double reserve_share = 0.05, reserve_least = 64e6;

char *plan_disk_parent(const char *path)
{
    char *place = heap_print("%s", path);
    struct stat info;
    while (!path_stat(place, &info)) {
        char *slash = strrchr(place, '/');
        if (!slash || slash == place) {
            free(place);
            return heap_print("%s", slash ? "/" : ".");
        }
        *slash = 0;
    }
    return place;
}

double plan_disk_spare(const char *path)
{
    struct statvfs disk;
    SCOPED(heap_free) char *place = plan_disk_parent(path);
    return statvfs(place, &disk) != 0 ? -1 : (double)disk.f_bavail * (double)disk.f_frsize;
}

double plan_disk_bytes(const char *path, bool blocks)
{
    struct stat info;
    if (!path_stat(path, &info)) return 0;
    const bool is_folder = S_ISDIR(info.st_mode);
    double bytes = blocks ? 512. * (double)info.st_blocks : is_folder ? 0 : (double)info.st_size;
    DIR *folder = is_folder ? file_list(path) : NULL;
    for (const char *name; (name = file_next(folder));) {
        SCOPED(heap_free) char *below = heap_print("%s/%s", path, name);
        bytes += plan_disk_bytes(below, blocks);
    }
    return bytes;
}

struct plan_disk plan_disk(const struct plan *plan)
{
    struct plan_disk disk = {.spare = plan_disk_spare(plan->runs)};
    PLAN_EACH(plan, task) {
        if (!plan_will_run(task)) continue;
        double needed = task->estimate.disk;
        if (task->state == TASK_STOPPED || task->state == TASK_FAILED)
            needed = fmax(0, needed - plan_disk_bytes(task->stage.folder, false));
        disk.needed += needed;
        if (!disk.largest || task->estimate.disk > disk.largest->estimate.disk) disk.largest = task;
    }
    if (disk.needed > 0) disk.reserve = fmax(reserve_least, reserve_share * disk.needed);
    return disk;
}

/* Dies if a folder in which a run creates files or folders is not writable. */
static void check_rights(struct arena *arena, const struct plan *plan)
{
    static const char *const part[] = {"stages", "grids", "names"};
    for (size_t i = 0; i < COUNT_OF(part); i++) {
        const char *folder = arena_print(arena, "%s/%s", plan->runs, part[i]);
        SCOPED(heap_free) char *place = plan_disk_parent(folder);
        if (eaccess(place, W_OK | X_OK) != 0)
            die("%s: cannot be written: %s; nothing was started", place, file_why(errno));
    }
}

void plan_check_disk(struct arena *arena, const struct plan *plan, bool force)
{
    check_rights(arena, plan);
    const struct plan_disk disk = plan_disk(plan);
    if (disk.spare < 0 || disk.needed + disk.reserve <= disk.spare) return;
    const char *text = arena_print(
        arena,
        "%s: the disk has %s free; this grid needs about %s (%s alone %s) and a reserve of %s",
        plan->runs, number_bytes(arena, disk.spare), number_bytes(arena, disk.needed),
        disk.largest->stage.name, number_bytes(arena, disk.largest->estimate.disk),
        number_bytes(arena, disk.reserve));
    if (!force)
        die("%s; make room (sanlab gc), keep fewer checkpoints (train.keep_best, "
            "train.keep_average), or run with --force",
            text);
    warn("%s", text);
}

/* Takes the lease of a stage. If the lease cannot be taken, returns NULL, and sets *fault to the
 * reason, or to NULL if another process holds the lease. */
static struct lease *take(struct arena *arena, const struct stage *stage, const char **fault)
{
    SCOPED(heap_free) char *reason = NULL;
    struct lease *lease = lease_try(stage->folder, &reason);
    *fault = reason ? arena_text(arena, reason) : NULL;
    return lease;
}

/* Moves the folder of a stage that runs again to RUNS/replaced. Another runner may already compute
 * the stage again. So the function takes the lease, and moves the folder only if it still has the
 * old result that the plan saw. Returns true if the folder was moved. */
static bool make_room(struct arena *arena, const struct plan *plan, struct task *task,
                      const char **fault)
{
    const struct stage *stage = &task->stage;
    const bool there = file_is_folder(stage->folder); /* false: another runner has moved it */
    *fault = NULL;
    struct lease *lease = there ? take(arena, stage, fault) : NULL;
    /* Perhaps the other process is about to move the folder. Its old result must not count. */
    if (there && !lease) return false;
    bool same = lease && plan_is_as_seen(task);
    if (same) {
        const char *replaced = arena_print(arena, "%s/replaced", plan->runs), *to;
        long long now = (long long)time(NULL); /* incremented until the name is new */
        while (file_is_folder(to = arena_print(arena, "%s/%s-%lld", replaced, stage->name, now)))
            now++;
        file_make_folder(replaced);
        file_rename(stage->folder, to);
        /* Removes the lock of this lease, which was moved with the folder. */
        file_unlink(arena_print(arena, "%s/lock", to));
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
        die("%s: %s", stage->name, fault ? fault : "another process works on it");
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

/* Writes the record of a stage under its lease. So a temporary file in a folder without an owner
 * belongs to a dead process. */
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
    PLAN_EACH(plan, task) count += task->unnamed && !task->replace;
    struct progress *progress = quiet ? NULL : progress_open_synced("names", count);
    PLAN_EACH(plan, task) {
        if (!task->unnamed || task->replace) continue;
        if (!write_leased(arena, &task->stage, &fault) && fault && !failed++) first = fault;
        progress_step(progress, ++done);
    }
    progress_close(progress);
    if (failed) warn("%s; the names of %d stages were not recorded", first, failed);
}
