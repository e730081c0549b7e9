/* A grid that fills the disk half way leaves nothing: so room is asked for before it starts. */
#include "experiments/plan/plan_disk.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "experiments/plan/plan_schedule.h"
#include "results/sheet/number.h"

static const double margin_share = 0.05, margin_least = 64e6;

char *plan_disk_place(const char *path)
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
    char *place = plan_disk_place(path);
    const int failed = statvfs(place, &disk);
    free(place);
    return failed ? -1 : (double)disk.f_bavail * (double)disk.f_frsize;
}

double plan_disk_bytes(const char *path, bool blocks)
{
    struct stat info;
    if (!path_stat(path, &info)) return 0;
    const bool is_folder = S_ISDIR(info.st_mode);
    double bytes = blocks ? 512. * (double)info.st_blocks : is_folder ? 0 : (double)info.st_size;
    DIR *folder = is_folder ? file_list(path) : NULL;
    for (const char *name; (name = file_next(folder));) {
        char *below = heap_print("%s/%s", path, name);
        bytes += plan_disk_bytes(below, blocks);
        free(below);
    }
    return bytes;
}

struct plan_disk plan_disk(const struct plan *plan)
{
    struct plan_disk disk = {.spare = plan_disk_spare(plan->runs)};
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (!plan_will_run(task)) continue;
        double needed = task->estimate.disk;
        if (task->state == TASK_STOPPED || task->state == TASK_FAILED)
            needed = fmax(0, needed - plan_disk_bytes(task->stage.folder, false));
        disk.needed += needed;
        if (!disk.largest || task->estimate.disk > disk.largest->estimate.disk) disk.largest = task;
    }
    if (disk.needed > 0) disk.margin = fmax(margin_least, margin_share * disk.needed);
    return disk;
}

/* Dies if a folder that a run writes to, or will make folders in, cannot be written. */
static void check_rights(struct arena *arena, const struct plan *plan)
{
    static const char *const part[] = {"stages", "grids", "names"};
    for (size_t i = 0; i < COUNT_OF(part); i++) {
        char *place = plan_disk_place(arena_print(arena, "%s/%s", plan->runs, part[i]));
        if (eaccess(place, W_OK | X_OK) != 0)
            die("%s: cannot be written: %s; nothing was started", place, file_why(errno));
        free(place);
    }
}

void plan_check_disk(struct arena *arena, const struct plan *plan, bool force)
{
    check_rights(arena, plan);
    const struct plan_disk disk = plan_disk(plan);
    if (disk.spare < 0 || disk.needed + disk.margin <= disk.spare) return;
    const char *text = arena_print(
        arena, "%s: the disk has %s left, this grid needs about %s (%s alone %s) and %s to spare",
        plan->runs, number_bytes(arena, disk.spare), number_bytes(arena, disk.needed),
        disk.largest->stage.name, number_bytes(arena, disk.largest->estimate.disk),
        number_bytes(arena, disk.margin));
    if (!force)
        die("%s; make room (sanlab gc), keep fewer checkpoints (train.keep_best, "
            "train.keep_average), or run with --force",
            text);
    warn("%s", text);
}
