/* Classifier of the relation of two sentences. One encoder yields a vector of each sentence.
 * Features of the pair are the input of a feed-forward classifier (Bowman et al. 2015; Tran et al.
 * 2018; Hao et al. 2019).
 *
 * Its batches come from labeled_batch. Paths: those of encoder.h; source.embedding; pool, the
 * sentence vectors; pair; classifier.L, counted from 1; logits; loss.loss, loss.likelihood. With
 * queries, pool is the output of multi-head attention. Its k queries, pool.queries, are trainable
 * and equal for all sentences. */
#pragma once

#include "core/model/model.h"
#include "core/model/model_options.h"

enum { PAIR_LAYERS_MOST = 8 };

struct pair_head {
    /* K, number of queries that attend to the tokens of a sentence; 0: pooling. */
    int queries;
    enum pooling pool; /* kind of pooling if there are no queries */
    bool match;        /* features [u; v; u v; |u - v|] instead of [u; v] */
    int layers;        /* hidden layers with ReLU before the output layer */
    int hidden[PAIR_LAYERS_MOST];
};

struct pair_options {
    const struct model_options *model;
    const struct encoder_options *encoder;
    struct pair_head head;
    int words, classes;
};

/* `options` must outlive the model. ops: as in model_new. */
struct model *pair_classifier_new(struct arena *arena, const struct ops *ops,
                                  const struct pair_options *options);
/* Cost of training on `pairs` pairs with `tokens` tokens in total: operations of products, and work
 * (graph_work), which is proportional to time. */
struct pair_cost {
    double flops, work;
};
struct pair_cost pair_classifier_train_cost(const struct pair_options *options, double pairs,
                                            double tokens);
