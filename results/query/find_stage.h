/* The one way in which a stage is named: wherever a verb takes STAGE, it may be
 *
 *   0123abcd                  its id, or the first digits of it (4 at least)
 *   train-0123abcd            its folder's name, or how that begins; a path that ends in it, too
 *   xu2019-table1/+ Gate/1    a name: GRID/ROW/SEED as a grid gave it
 *   xu2019-table1/+ Gate/1/score   and its kind, since a row has several stages */
#pragma once

#include "results/store/store.h"

struct found_stage {
    int64_t number; /* in the table `stage` */
    const char *id, *kind, *folder, *status;
    const char *path;     /* RUNS/stages/folder */
    double started, wall; /* seconds since 1970, NaN when not yet; seconds of all attempts */
    int64_t step;         /* the last one that a metric has, or 0 */
};
/* The stages that a statement gives, whose columns are these of the table `stage`; returns how
 * many. */
#define FOUND_COLUMNS "number, stage.id, kind, folder, status, started, wall, step"
int find_read(struct store *store, sqlite3_stmt *ask, struct found_stage **found,
              struct arena *arena);

/* The stage that `word` means, in a database that the collector has brought up to date. With `kind`
 * ("train"; NULL: any) only those are looked at, so that a name is enough. Dies when there is none,
 * and with the candidates when there are several. */
struct found_stage find_stage(struct store *store, const char *word, const char *kind,
                              struct arena *arena);
/* The same, but says whether there is one instead of dying. */
bool find_stage_try(struct store *store, const char *word, const char *kind,
                    struct found_stage *found, struct arena *arena);

/* The stage, and whatever reads it, through any chain of readers, inputs first. */
int find_readers(struct store *store, const char *id, struct found_stage **found,
                 struct arena *arena);
/* The stages whose ids these are, in their order, of those that have a folder; returns how many. */
int find_stages(struct store *store, const char *const *id, int ids, struct found_stage **found,
                struct arena *arena);
