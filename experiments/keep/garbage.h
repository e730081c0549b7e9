/* Garbage collection: finds the files of a run folder that are no longer needed. The list is shown
 * to the user before anything is removed.
 *
 *   stages      to which no grid's record, report (RUNS/reports) or tag refers, directly or as an
 *               input of another stage
 *   spare parts of finished stages, as their kinds define (optimizers of finished trainings, which
 *               only longer trainings would continue)
 *   leftovers   temporary files older than an hour, quarantined checkpoints, locks without owners,
 *               stages' folders that never became stages, names of removed grids
 *
 * Changes nothing outside RUNS, follows no link and removes no link. A stage in progress stays. A
 * stage cannot be started while it is being removed. */
#pragma once

#include "results/store/store.h"

enum gc_kind { GC_STAGE, GC_SPARE, GC_LEFTOVER, GC_LOCK, GC_KINDS };

struct gc_item {
    enum gc_kind kind;
    const char *path;   /* relative to RUNS: "stages/train-0123456789ab" */
    const char *reason; /* a few words */
    int64_t bytes;
};

struct gc_list {
    int count;
    struct gc_item *item; /* [count] */
    int64_t bytes;        /* sum of all items */
};

/* Lists removable items. The database must be up to date. Dies if a report's record cannot be read.
 * Keeps optimizers of trainings that ended within `keep_optimizers` days. */
struct gc_list gc_find(struct store *store, int keep_optimizers, struct arena *arena);
/* Removes the items of `shown` that are also in `now`. `now` is a second list, because the user may
 * have taken long to confirm. Returns the number of bytes freed. */
int64_t gc_remove(const char *runs, const struct gc_list *shown, const struct gc_list *now);
