/* Functions for verbs that take a STAGE. */
#pragma once

#include "core/model/frozen.h"
#include "experiments/cli/stage_search.h"
#include "experiments/cli/verb.h"
#include "results/query/query.h"

struct stage; /* experiments/stage/stage.h */

/* Returns the store of --runs, brought up to date. Dies if the folder does not exist. The store is
 * closed when the verb ends, or earlier, before long work on RUNS. */
struct store *stage_argument_store(struct verb_call *call);
void stage_argument_close(struct verb_call *call);
/* Kinds of stages that train a model. */
#define STAGE_ARGUMENT_TRAIN ((const char *const[]){"train", NULL})
#define STAGE_ARGUMENT_MODELS ((const char *const[]){"train", "relate", NULL})
/* Returns the one stage of `word` (stage_search.h), of the first kind in the NULL-terminated list
 * that fits. Closes the store. */
struct found_stage stage_argument(struct verb_call *call, const char *word,
                                  const char *const *kind);
/* Returns the job for frozen_open of a stage that trains: train or relate. */
struct frozen_job stage_argument_job(const struct stage *stage, const char *checkpoint,
                                     struct arena *arena);
/* Returns the model of a trained stage that stage_argument finds, loaded from the checkpoint of
 * --checkpoint. *train: the stage, unless `train` is NULL. Dies if --checkpoint selects several
 * models. */
struct frozen *stage_argument_frozen(struct verb_call *call, const char *word,
                                     const char *const *kind, const struct stage **train);
/* True if the words from word[first] on may be a grid with assignments, and are not a filter. */
bool stage_argument_is_alone(const struct verb_call *call, int first);
/* Finds the stages that the words from word[first] on select, newest first. The words are a grid
 * with its assignments, or a filter. Without words, finds all stages. Returns their number. */
int stage_argument_choose(struct verb_call *call, struct store *store, int first,
                          struct found_stage **stage);

/* Returns the defaults of the options of a kind of stage; no options if the kind is unknown. */
const char *stage_argument_defaults(struct arena *arena, const char *kind);
