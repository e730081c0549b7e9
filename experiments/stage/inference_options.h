/* The section `evaluate.inference`: pairs of statements, how a frozen encoder reads them, and the
 * classifier that learns their relation from its vectors. */
#ifndef EXPERIMENTS_STAGE_INFERENCE_OPTIONS_H
#define EXPERIMENTS_STAGE_INFERENCE_OPTIONS_H

#include "experiments/stage/logic_options.h"

struct inference_options {
    struct logic_section logic; /* of it what says which pairs there are, bins, dev and features */
    const char *checkpoint, *rules;
    int train, pool, protocol;
    bool end, standardize, start;
};
extern const struct section inference_section;
extern const struct evaluation evaluation_inference; /* kind_inference.c */

enum { INFERENCE_OWN = 3 }; /* pool: behind the words of enum pooling */
/* NAME.npy of a stage `statements`. */
#define INFERENCE_TRAINED "trained"
#define INFERENCE_START "start"

const struct inference_options *inference_options_at(const struct settings *settings);
/* For struct stage_kind, of rows that ask for it in a grid of the task logic: what they do not say
 * of pairs is as the section logic has it, and vectors are the model's own. */
void inference_ask(struct grid *grid, struct arena *arena);

#endif
