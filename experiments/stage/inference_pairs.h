/* The pairs of statements of a point's section evaluate.inference: for training, for choosing (dev)
 * and for testing the classifier. They depend only on the options and the files, so that the stages
 * `statements` and `inference` find the same pairs. */
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
    int32_t *pair; /* [count] chosen pairs: for training, choosing and testing */
    struct probe_items items[PROBE_ROLES];
    int statements; /* number of distinct statements of the chosen pairs */
    int32_t *row;   /* [statements of the text] row of the statement, from 0; -1: not chosen */
};
/* Reads the pairs. Memory is in the arena, except the text (logic_pairs_free). Dies if there are no
 * pairs for training, choosing or testing. */
struct inference_pairs *inference_pairs_read(struct arena *arena, const struct stage *stage);
/* Returns the digest of texts and labels of the chosen pairs. */
const char *inference_pairs_digest(const struct inference_pairs *pairs, struct arena *arena);

/* Section `evaluate.inference`: pairs of statements, how a frozen encoder reads them, and the
 * classifier of their relation on its vectors. */

struct inference_options {
    struct logic_section logic; /* used: the choice of pairs, bins, dev and features */
    const char *checkpoint, *rules;
    int train, pool, protocol;
    bool end, standardize, start;
};
extern const struct section inference_section;
extern const struct evaluation evaluation_inference; /* kind_inference.c */

enum { INFERENCE_OWN = 3 }; /* value of `pool` after the words of enum pooling */
/* Names of the .npy files of a stage `statements`. */
#define INFERENCE_TRAINED "trained"
#define INFERENCE_START "start"

const struct inference_options *inference_options_at(const struct settings *settings);
/* For struct stage_kind: completes the options of rows in a grid of the task logic that request the
 * evaluation. Options of pairs default to those of section logic; the pool defaults to the model's
 * own. */
void inference_ask(struct grid *grid, struct arena *arena);
