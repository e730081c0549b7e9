/* The pairs of statements of a point's section evaluate.inference: which a classifier learns from,
 * which it is chosen by, which it is tested on. What they are depends on the options and the files
 * alone, so that the stages `statements` and `inference` find the same. */
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
    struct labeled data;        /* all of them, */
    struct logic_tested tested; /* of these all that are tested */
    int count;
    int32_t *pair; /* [count] those that are asked for: learned, chosen by, tested */
    struct probe_items items[PROBE_ROLES];
    int statements; /* that these have, each once, */
    int32_t *row;   /* [statements of the text] and which of them it is; -1: none */
};
/* In the arena, but for the text (logic_pairs_free). Dies where nothing is learned from, chosen by
 * or tested. */
struct inference_pairs *inference_pairs_read(struct arena *arena, const struct stage *stage);
/* Of the texts and labels of those that are asked for. */
const char *inference_pairs_digest(const struct inference_pairs *pairs, struct arena *arena);

/* The section `evaluate.inference`: pairs of statements, how a frozen encoder reads them, and the
 * classifier that learns their relation from its vectors. */

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
