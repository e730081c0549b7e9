/* What a run folder need not keep. Found first, shown, and removed only then.
 *
 *   stages      that no grid's record names, no report cites (RUNS/reports), nobody has tagged, and
 *               that none of those reads
 *   spare parts of finished stages, as their kinds say (optimizers of trainings that are over,
 *               which only longer ones would go on with)
 *   leftovers   temporary files older than an hour, quarantined checkpoints, locks whose owners are
 *               gone, stages' folders that never became stages, names of grids that are gone
 *
 * Nothing outside RUNS is touched and no link is followed: what is a link stays. A stage that
 * somebody works on stays, and cannot be started while it goes. */
#pragma once

#include "results/store/store.h"

enum gc_kind { GC_STAGE, GC_SPARE, GC_LEFTOVER, GC_LOCK, GC_KINDS };

struct gc_item {
    enum gc_kind kind;
    const char *path;   /* below RUNS: "stages/train-0123456789ab" */
    const char *reason; /* a few words */
    int64_t bytes;
};

struct gc_list {
    int count;
    struct gc_item *item; /* [count] */
    int64_t bytes;        /* of all */
};

/* The database must have been brought up to date. Dies when a report's record cannot be read.
 * Optimizers of trainings that ended within so many days stay. */
struct gc_list gc_find(struct store *store, int keep_optimizers, struct arena *arena);
/* Removes what was shown and, found once more, may still go: who was asked may have thought for
 * long. Returns the bytes that are free now. */
int64_t gc_remove(const char *runs, const struct gc_list *shown, const struct gc_list *now);
