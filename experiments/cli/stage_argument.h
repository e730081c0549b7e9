/* Functions for verbs with the argument STAGE. */
#pragma once

#include "core/model/frozen.h"
#include "experiments/cli/stage_search.h"
#include "experiments/cli/verb.h"
#include "results/query/query.h"

struct stage; /* experiments/stage/stage.h */

/* Returns the store of --runs, brought up to date. Dies if the folder does not exist. The store is
 * closed when the verb ends. Verbs that work on RUNS for a long time close it before
 * (stage_argument_close). */
struct store *stage_argument_store(struct verb_call *call);
void stage_argument_close(struct verb_call *call);
/* Kinds of stages that train a model. */
#define STAGE_ARGUMENT_TRAIN ((const char *const[]){"train", NULL})
#define STAGE_ARGUMENT_MODELS ((const char *const[]){"train", "relate", NULL})
/* Returns the only stage that `word` selects (stage_search.h). Its kind is the first kind of the
 * NULL-terminated list of which `word` selects a stage. For the kind train, `word` may also be a
 * file of `export model`, FILE.safetensors (model_file.h). Closes the store. */
struct found_stage stage_argument(struct verb_call *call, const char *word,
                                  const char *const *kind);
/* Returns the job with which frozen_open opens the model of a train or relate stage. */
struct frozen_job stage_argument_job(const struct stage *stage, const char *checkpoint,
                                     struct arena *arena);
/* Returns the model of the stage that stage_argument finds, with the parameters of --checkpoint.
 * Sets *train to the stage, unless `train` is NULL. Dies if --checkpoint selects several models. */
struct frozen *stage_argument_frozen(struct verb_call *call, const char *word,
                                     const char *const *kind, const struct stage **train);
/* Finds the stages that the words from word[first] on select, newest first. The words are a grid
 * with its assignments, or a filter. Without words, finds all stages. Returns their number. Sets
 * *grid to the grid; without a name if the words are no grid. */
int stage_argument_choose(struct verb_call *call, struct store *store, int first,
                          struct found_stage **stage, struct grid *grid);

/* Returns the options of a kind of stage with their defaults, as JSON; an empty list if the kind is
 * unknown. */
const char *stage_argument_defaults(struct arena *arena, const char *kind);
