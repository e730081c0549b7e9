/* What a trained translator loses when a part of its encoder is taken away (Michel et al. 2019;
 * Voita et al. 2019): how much the loss of true targets rises without a layer's self-attention,
 * a head or a branch (they are 0 where the layer reads them), or with a gate that is held at 0,
 * 1/2 or 1. Nothing is trained again. Weights of gates alone are no explanation (Jain and Wallace
 * 2019).
 *
 * A gate is held for all tokens, or for the words of one class alone (tagged.h). */
#pragma once

#include "core/corpus/tagged.h"
#include "core/decode/likelihood.h"

enum ablated { ABLATED_ATTENTION, ABLATED_HEAD, ABLATED_BRANCH, ABLATED_GATE };

struct ablation {
    enum ablated what;
    int layer;        /* from 1; 0: all that have one */
    int head;         /* from 1; 0: all. Of a gate, too */
    int branch;       /* from 1 */
    double number;    /* of a gate: 0, 0.5 or 1 */
    int class;        /* of the words where a gate is held, from 1; 0: all */
    const char *name; /* "attention", "head", "branch 2", "gate 0.5", or the class; NULL: all */
};

/* By how much each sentence's loss rises. */
struct rise {
    double nats;
    int tokens; /* of the target, with <eos>; of a class its words in the source */
};

struct ablations {
    int sentences, count;
    const struct ablation *of; /* [count] */
    struct rise *rise; /* [count][sentences]; a sentence without a word of a class has no tokens */
};
/* All that the loaded encoder has: first the attention of all layers, then layer by layer its
 * attention, each head, each of its branches if it has several, and its gates, all of them and then
 * head by head where each has its own. In the arena, of a split with both sides. Progress is
 * reported as that of the loaded set. */
struct ablations ablate_parts(const struct frozen *frozen, const struct split *split,
                              struct arena *arena);
/* Gates held at `number` at all words, and at those of each class: of all gated layers, then of
 * each. text: its split has both sides. */
struct ablations ablate_classes(const struct frozen *frozen, const struct tagged_text *text,
                                double number, struct arena *arena);

/* Of rises with tokens: the sum of nats by that of tokens; its standard error and the middle 95%
 * of 1,000 bootstrap samples of sentences, which are paired since a rise is a difference. NaN:
 * no sentence has tokens, or of error and interval only one has. */
enum { RISE_SAMPLES = 1000 };
struct rise_mean {
    double mean, error, low, high;
    int64_t tokens;
    int sentences; /* with tokens */
};
struct rise_mean rise_mean(const struct rise *rise, int sentences);
