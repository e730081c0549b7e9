/* Declares functions that the readers of observations share. Only observations_*.c include this
 * header. */
#pragma once

#include "results/store/tsv.h"
#include "results/store/value_cache.h"
#include "results/table/observations.h"

/* The stage that a reader reads. The reader allocates from the arena. It sets a problem, or the
 * items with their statistic. If a record is missing, it sets nothing. Then observations_read
 * computes the score and compares it with the recorded value. Without a statistic, the reader sets
 * the score. */
struct observations_job {
    struct observations *observations; /* to be filled; id, name, signature and class are set */
    struct arena *arena;
    struct store *store;
    struct value_cache *cache; /* of the stage, which has this number */
    int64_t number;
    const char *kind, *value, *folder;
};
/* Returns observations that are computed from others. `name` is the name of the computation. If the
 * cache has none, adds a copy of of[0], or of the first with a problem. *fresh is then the arena
 * for their contents, else NULL. */
struct observations *observations_derived(const char *name, const struct observations *const *of,
                                          int count, struct arena **fresh);
const char *observations_folder(const struct observations_job *job, const char *kind,
                                const char *id);
/* Return the digest of an output file, and the id of an input. NULL: the database has none. */
const char *observations_digest(const struct observations_job *job, const char *file);
const char *observations_input(const struct observations_job *job, int index);
/* Returns the rows of a table of the stage. *count is their number. Before the call, it is the
 * expected number; 0: any. digest: NULL for a table without a record. If they cannot be read, sets
 * the problem and returns NULL. */
const void *observations_table(struct observations_job *job, const char *path, const char *digest,
                               const struct tsv_form *form, int *count);
/* Returns a value of the stage that is a number of items; 0: none. */
int observations_count(const struct observations_job *job, const char *name);
/* Copies the items with these indices from `from` to the job's observations, with their labels and
 * lines. The indices must be sorted by stratum. Without an index, sets the problem that no item is
 * of the class. */
void observations_choose(struct observations_job *job, const struct observations *from,
                         const struct item *label, const int *index, int count);
