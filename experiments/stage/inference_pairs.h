/* Chooses the pairs of statements with which the classifier of the stage `inference` is trained,
 * validated (dev) and tested. The choice depends only on the options of section evaluate.inference
 * and on the files. So the stages `statements` and `inference` choose the same pairs. */
#pragma once

#include "core/corpus/labeled.h"
#include "experiments/stage/logic_report.h"
#include "experiments/stage/stage.h"
#include "logic/pairs.h"
#include "probes/classifier.h"
#include "experiments/stage/logic_options.h"

struct inference_pairs {
    struct formula_names names;
    struct logic_pairs text;
    struct labeled data;        /* all pairs */
    struct logic_tested tested; /* all tested pairs */
    int count;
    int32_t *pair; /* [count] chosen pairs: for training, then dev, then testing */
    struct probe_items items[PROBE_ROLES];
    int statements; /* number of distinct statements in the chosen pairs */
    int32_t *row;   /* [text.statements] row of the statement's vector, from 0; -1: not chosen */
};
/* Reads and chooses the pairs. All memory is in the arena. Dies if there are no pairs for
 * training, dev or testing. */
struct inference_pairs *inference_pairs_read(struct arena *arena, const struct stage *stage);
/* Returns the digest of the texts and labels of the chosen pairs. */
const char *inference_pairs_digest(const struct inference_pairs *pairs, struct arena *arena);

/* Section `evaluate.inference`: options of the pairs, of the frozen encoder, and of the classifier.
 * The encoder computes vectors of statements. The classifier predicts the relation of a pair from
 * its two vectors. */

struct inference_options {
    struct logic_section logic; /* only the options of LOGIC_PAIR_ROWS, and `features` */
    const char *checkpoint, *rules;
    int train, pool, protocol;
    bool end, standardize, start;
};
extern const struct section inference_section;
extern const struct evaluation evaluation_inference; /* kind_inference.c */

/* Value of `pool` for the model's own pooling. The smaller values are those of enum pooling. */
enum { INFERENCE_OWN = 3 };
/* Names of the .npy files of a stage `statements`, for the trained parameters and for the
 * parameters before training. */
#define INFERENCE_TRAINED "trained"
#define INFERENCE_START "start"

const struct inference_options *inference_options_at(const struct settings *settings);
/* Member `ask` of struct stage_kind. In a grid with the task logic, completes the options of rows
 * that request the evaluation. Missing options of the pairs are copied from section logic. A
 * missing `pool` becomes `own`. */
void inference_ask(struct grid *grid, struct arena *arena);
