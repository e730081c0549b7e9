/* Finds stages by their names. A verb with an argument STAGE accepts these names:
 *
 *   0123abcd                    its id, or a prefix of it (4 digits at least)
 *   train-0123abcd              its folder's name, a prefix of it, or a path that ends in it
 *   xu2019-table1/+ Gate/1      a name from a grid: GRID/ROW/SEED
 *   xu2019-table1/+ Gate/1/score     the same with its kind, since a row has several stages */
#pragma once

#include "results/store/store.h"

struct found_stage {
    int64_t number; /* number of the stage in the table `stage` */
    const char *id, *kind, *folder, *status;
    const char *path; /* RUNS/stages/folder */
};
/* Reads the stages from the rows of a statement, which selects FOUND_COLUMNS. Returns their
 * number. */
#define FOUND_COLUMNS "number, stage.id, kind, folder, status"
int find_read(struct store *store, sqlite3_stmt *ask, struct found_stage **found,
              struct arena *arena);

/* Returns the stage with the name `word`. The database must be up to date. If `kind` is given, only
 * stages of this kind are considered, for example "train", so a name without kind is sufficient
 * (NULL: all kinds). If no stage or several stages have the name, exits with an error. For several
 * stages, the message lists them. */
struct found_stage find_stage(struct store *store, const char *word, const char *kind,
                              struct arena *arena);
/* Like find_stage, but returns false if no stage has the name. */
bool find_stage_try(struct store *store, const char *word, const char *kind,
                    struct found_stage *found, struct arena *arena);

/* Exits with an error that lists the stages if there are several. */
void find_one(const char *word, const struct found_stage *found, int count);

/* Finds the stage `id` and all stages that read it, directly or indirectly. Inputs come before
 * their readers. Returns the number of stages. */
int find_readers(struct store *store, const char *id, struct found_stage **found,
                 struct arena *arena);
/* Finds these ids and those of all direct and indirect inputs, sorted. Returns their number. */
int find_needed(struct store *store, const char *const *id, int ids, const char ***needed,
                struct arena *arena);
/* Finds the stages of these ids that have a folder, in the order of the ids. Returns their
 * number. */
int find_stages(struct store *store, const char *const *id, int ids, struct found_stage **found,
                struct arena *arena);
