/* For readers of observations (observations_*.c); only they include this. */
#pragma once

#include <jansson.h>

#include "results/table/observations.h"

/* What a reader is given, and what is common to them. All that it takes lives in the arena. */
struct observations_job {
    struct observations *observations; /* id, name and class are there */
    struct arena *arena;
    struct store *store;
    const char *kind, *value, *folder;
    const json_t *stage, *summary, *outputs; /* stage.json; of done.json */
};
const struct observations *observations_read(struct store *store, const char *kind, const char *id,
                                             const char *value, const char *class,
                                             void (*read)(struct observations_job *job));
/* What is kept under a key. New ones are empty, and *fresh is the arena that what fills them lives
 * in; else NULL. */
struct observations *observations_kept(const char *key, struct arena **fresh);
const char *observations_folder(const struct observations_job *job, const char *kind,
                                const char *id);
/* A text of an object of JSON; NULL: there is none. */
const char *observations_word(struct observations_job *job, const json_t *object, const char *key);
/* Whether the score is what was recorded; else the problem says both. `what` it was computed of. */
void observations_check(struct observations_job *job, const char *what, double recorded);
