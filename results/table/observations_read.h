/* Declares functions that the readers of observations share. Only observations_*.c include this
 * header. */
#pragma once

#include <jansson.h>

#include "results/table/observations.h"

/* The stage that a reader reads. The reader allocates from the arena. */
struct observations_job {
    struct observations *observations; /* to be filled; id, name and class are set */
    struct arena *arena;
    struct store *store;
    const char *kind, *value, *folder;
    const json_t *stage, *summary, *outputs; /* stage.json, the stage's summary, and `outputs` of
                                                done.json */
};
/* Returns the cached observations of a key; *fresh is then NULL. If the cache has none, adds empty
 * observations, and *fresh is the arena for their contents. */
struct observations *observations_kept(const char *key, struct arena **fresh);
const char *observations_folder(const struct observations_job *job, const char *kind,
                                const char *id);
/* Returns the string `key` of a JSON object, copied to the arena; NULL if there is none. */
const char *observations_word(struct observations_job *job, const json_t *object, const char *key);
/* Sets the problem if the score differs from the recorded value. `what` names the items in the
 * message. */
void observations_check(struct observations_job *job, const char *what, double recorded);
