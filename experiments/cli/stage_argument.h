/* Functions for verbs that take a STAGE. */
#pragma once

#include "core/model/frozen.h"
#include "experiments/cli/stage_place.h"
#include "experiments/cli/verb.h"
#include "results/query/query.h"

struct stage; /* experiments/stage/stage.h */

/* The store of --runs, brought up to date. Dies if the folder does not exist. It is closed when the
 * verb is done, or before what works on RUNS for long. */
struct store *stage_argument_store(struct verb_call *call);
void stage_argument_close(struct verb_call *call);
/* Kinds of stages that train a model. */
#define STAGE_ARGUMENT_TRAIN ((const char *const[]){"train", NULL})
#define STAGE_ARGUMENT_MODELS ((const char *const[]){"train", "relate", NULL})
/* The one stage that `word` means (stage_place.h), of the first of these kinds, up to NULL, of
 * which it means one; for callers that need nothing else of the store. */
struct found_stage stage_argument(struct verb_call *call, const char *word,
                                  const char *const *kind);
/* Returns the job for frozen_open of a stage that trains: train or relate. */
struct frozen_job stage_argument_job(const struct stage *stage, const char *checkpoint,
                                     struct arena *arena);
/* The model of the stage that stage_argument means, of kinds that train, with the checkpoint of
 * --checkpoint, loaded; and the stage, unless `train` is NULL. Dies when that means several
 * models. */
struct frozen *stage_argument_frozen(struct verb_call *call, const char *word,
                                     const char *const *kind, const struct stage **train);
/* True if the words from word[first] on may be a grid with assignments, and are no filter. */
bool stage_argument_is_alone(const struct verb_call *call, int first);
/* The stages that the words from word[first] on mean, newest first: those of a grid with its
 * assignments, or those that a filter takes; all when there are no such words. Returns how many. */
int stage_argument_choose(struct verb_call *call, struct store *store, int first,
                          struct found_stage **stage);

/* Returns the defaults of the options of a kind of stage; no options if the kind is unknown. */
const char *stage_argument_defaults(struct arena *arena, const char *kind);
