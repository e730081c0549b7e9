/* The encoder-decoder of Vaswani et al. 2017, as THUMT builds it, as lists of nodes that share
 * their parameters.
 *
 * Paths: source.embedding, target.embedding, target.softmax (or embedding), encoder.bias,
 * encoder.L.attention.{norm,qkv,gate,output}, encoder.L.feedforward.{norm,inner,outer},
 * encoder.norm, decoder.L.{attention,cross,feedforward}, decoder.norm; outputs encoder.output,
 * decoder.output, logits, loss.loss, loss.likelihood. Layers count from 1. */
#ifndef CORE_MODEL_TRANSLATOR_H
#define CORE_MODEL_TRANSLATOR_H

#include "core/model/options.h"

struct translator_build {
    const struct translator_options *options;
    int source_size, target_size; /* vocabularies */
    const struct ops *ops;
    double label_smoothing;
};

struct translator {
    struct translator_build build;
    struct arena *arena;
    struct parameters parameters;
};

/* Nothing is allocated on the device yet. */
struct translator *translator_new(struct arena *arena, const struct translator_build *build);

/* A new list of the model. Parameters must all be made (by one training list) before
 * parameters_place; lists are planned and placed by the caller. */
struct graph *translator_list(struct translator *model, enum graph_mode mode);
/* The same in another arena, for lists that do not live as long as the model. */
struct graph *translator_list_in(struct arena *arena, struct translator *model,
                                 enum graph_mode mode);

/* Both slabs of a model that only infers, or all of one that trains; masters are started. */
void translator_place(struct translator *model, bool train, uint32_t seed);

/* Width of the sinusoids that the model needs: D, or 0. */
int translator_sinusoids(const struct translator *model);

/* Multiply-adds twice, of one forward pass with the loaded counts. */
double graph_flops(const struct graph *graph);

/* Sums of the two losses of what an infer or train list has just computed. */
struct loss_sum {
    double loss, likelihood;
};
struct loss_sum graph_losses(const struct graph *graph);

#endif
