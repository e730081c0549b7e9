/* The name of a stage. Every verb with an argument STAGE accepts
 *
 *   0123abcd                    its id, or a prefix of it (4 digits at least)
 *   train-0123abcd              its folder's name, a prefix of it, or a path that ends in it
 *   xu2019-table1/+ Gate/1      a name from a grid: GRID/ROW/SEED
 *   xu2019-table1/+ Gate/1/score     the same with its kind, since a row has several stages */
#pragma once

#include "results/store/store.h"

struct found_stage {
    int64_t number; /* in the table `stage` */
    const char *id, *kind, *folder, *status;
    const char *path;     /* RUNS/stages/folder */
    double started, wall; /* seconds since 1970, NaN if not started; seconds of all attempts */
    int64_t step;         /* the last step of a metric, or 0 */
};
/* Reads the stages of a statement with these columns of the table `stage`. Returns their number. */
#define FOUND_COLUMNS "number, stage.id, kind, folder, status, started, wall, step"
int find_read(struct store *store, sqlite3_stmt *ask, struct found_stage **found,
              struct arena *arena);

/* Returns the stage of the name `word`. The database must be up to date. With `kind` ("train";
 * NULL: any) only stages of that kind are considered, so that a name without kind is enough. Exits
 * with an error if there is none, and with the candidates if there are several. */
struct found_stage find_stage(struct store *store, const char *word, const char *kind,
                              struct arena *arena);
/* Like find_stage, but returns false instead of exiting. */
bool find_stage_try(struct store *store, const char *word, const char *kind,
                    struct found_stage *found, struct arena *arena);

/* Finds the stage and its direct and indirect readers. Inputs come before their readers. */
int find_readers(struct store *store, const char *id, struct found_stage **found,
                 struct arena *arena);
/* Finds the stages of these ids that have a folder, in the order of the ids. Returns their
 * number. */
int find_stages(struct store *store, const char *const *id, int ids, struct found_stage **found,
                struct arena *arena);
