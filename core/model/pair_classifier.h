/* How two sentences are related: an encoder for both, a vector of each, features of the pair, a
 * classifier (Bowman et al. 2015; Tran et al. 2018; Hao et al. 2019).
 *
 * Its batches are labeled_batch's. Paths: those of encoder.h; source.embedding; pool, the vectors
 * of the sentences; pair; classifier.L, counted from 1; logits; loss.loss, loss.likelihood. With
 * queries pool is the output of multi-head attention, whose queries are k trainable rows,
 * pool.queries, the same for every sentence. */
#pragma once

#include "core/model/model.h"
#include "core/model/options.h"

enum { PAIR_LAYERS_MOST = 8 };

struct pair_head {
    int queries;       /* rows of a sentence that attend to its tokens; 0: it is pooled */
    enum pooling pool; /* then, so */
    bool match;        /* features [u; v; u v; |u - v|], not [u; v] alone */
    int layers;        /* of the classifier, beside the last one, with rectifiers */
    int hidden[PAIR_LAYERS_MOST];
};

struct pair_options {
    const struct model_options *model;
    const struct encoder_options *encoder;
    struct pair_head head;
    int words, classes;
};

/* `options` lives as long as the model. ops: as model_new has it. */
struct model *pair_classifier_new(struct arena *arena, const struct ops *ops,
                                  const struct pair_options *options);
/* Of training on so many pairs of so many tokens in all: operations of products, and what time is
 * proportional to (graph_work). */
struct pair_cost {
    double flops, work;
};
struct pair_cost pair_classifier_train_cost(const struct pair_options *options, double pairs,
                                            double tokens);
