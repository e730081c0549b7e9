/* Finds the files of a runs folder that are no longer needed, and removes them. The caller shows
 * the list to the user before anything is removed.
 *
 *   stages       that no grid's record, no report (RUNS/reports) and no tag needs. The record, the
 *                report or the tag needs the stages to which it refers, and all their inputs
 *   optimizers   of finished trainings. Only a longer training would use them
 *   leftovers    temporary files older than an hour, quarantined checkpoints, and folders in
 *                RUNS/stages without a stage.json
 *
 * Changes nothing outside of RUNS. Neither follows nor removes links. A stage in progress stays. No
 * process can start a stage while the stage is being removed. */
#pragma once

#include "results/store/store.h"

enum gc_kind { GC_STAGE, GC_SPARE, GC_LEFTOVER, GC_KINDS };

struct gc_item {
    enum gc_kind kind;
    const char *path;   /* relative to RUNS: "stages/train-0123456789ab" */
    const char *reason; /* reason for the removal, in a few words */
    int64_t bytes;
};

struct gc_list {
    int count;
    struct gc_item *item; /* [count] */
    int64_t bytes;        /* sum of all items */
};

/* Lists the items that can be removed. The database must be up to date. Dies if the record of a
 * report cannot be read. Keeps the optimizers of trainings that ended less than `keep_optimizers`
 * days ago (0: keeps none). */
struct gc_list gc_find(struct store *store, int keep_optimizers, struct arena *arena);

/* A request to remove stages and the stages that read them. */
struct gc_named {
    const char *const *id; /* [ids] */
    int ids;
    const char *grid; /* grid of the place that the user named; NULL: the user named a stage */
    const char *const *point; /* [points] points of the place: "Base/1" */
    int points;
};
/* Lists the stages of a request that can be removed. A stage stays if another grid, another point
 * of the grid's newest record or a report needs it, or if a process works on it. The inputs of such
 * a stage also stay. If the request names a stage, one grid may have the stage. Sets *stays to
 * lines about the stages that stay, [*count]: "FOLDER stays: REASON". */
struct gc_list gc_find_named(struct store *store, const struct gc_named *named, const char ***stays,
                             int *count, struct arena *arena);

/* Removes the items of `shown` that are also in `now`. `shown` is the list that the user has seen.
 * `now` is a second list from after the confirmation, because files may have changed meanwhile.
 * Returns the number of bytes freed. */
int64_t gc_remove(const char *runs, const struct gc_list *shown, const struct gc_list *now);
