/* Ablates parts of a trained encoder (Michel et al. 2019; Voita et al. 2019). Each ablation makes
 * one change to the encoder and measures how much the loss of the reference translations rises. The
 * changes are:
 *   - the output of a layer's self-attention, of a head or of a branch is replaced by 0
 *   - a gate is held at 0, 1/2 or 1
 *
 * The model is not trained again. Gate weights alone do not explain predictions
 * (Jain and Wallace 2019).
 *
 * A gate is held for all tokens, or only for the words of one class (tagged.h). */
#pragma once

#include "core/corpus/tagged.h"
#include "core/decode/likelihood.h"

enum ablated { ABLATED_ATTENTION, ABLATED_HEAD, ABLATED_BRANCH, ABLATED_GATE };

struct ablation {
    enum ablated what;
    int layer;     /* from 1; 0: all layers that have the part */
    int head;      /* from 1, for heads and gates; 0: all heads */
    int branch;    /* from 1 */
    double number; /* value of a held gate: 0, 0.5 or 1 */
    int class;     /* class of the words whose gates are held, from 1; 0: all words */
    /* "attention", "head", "branch 2", "gate 0.5", or the class; NULL: all words. */
    const char *name;
};

/* Rise of the loss of a sentence: loss with the change minus loss without it. */
struct rise {
    double nats;
    int tokens; /* target tokens with <eos>; ablate_classes: source words with a held gate */
};

struct ablations {
    int sentences, count;
    const struct ablation *of; /* [count] */
    struct rise *rise; /* [count][sentences]; tokens is 0 in a sentence without a word of the
                        * class */
};
/* Measures all parts of the loaded encoder on a split with source and target. The first part is the
 * attention of all layers. Then follow, for each layer: its attention, each head, each branch if
 * there are several, and its gates. A gate is held in all heads together, and then in each head if
 * each head has a gate. The result is in the arena. The function reports progress for the loaded
 * set. */
struct ablations ablate_parts(const struct frozen *frozen, const struct split *split,
                              struct arena *arena);
/* Measures the rise of the loss if gates are held at `number`, for all words and for the words of
 * each class. The gates are held first in all gated layers together, then in each gated layer. The
 * split of `text` needs source and target. */
struct ablations ablate_classes(const struct frozen *frozen, const struct tagged_text *text,
                                double number, struct arena *arena);

/* Mean of the rises: sum of nats / sum of tokens. The standard error and the interval `low` to
 * `high` (middle 95%) are computed from 1,000 bootstrap samples of sentences. The comparison is
 * paired, because a rise is the difference of two losses of the same sentence. The mean is NaN
 * without tokens. The error and interval are NaN with fewer than two sentences. */
enum { RISE_SAMPLES = 1000 };
struct rise_mean {
    double mean, error, low, high;
    int64_t tokens;
    int sentences; /* number of sentences with tokens */
};
struct rise_mean rise_mean(const struct rise *rise, int sentences);
