/* Trains the classifier of a probing task on given vectors, as SentEval does (Conneau and Kiela
 * 2018, senteval/tools/classifier.py).
 *
 *     logits = x W + b                                        linear
 *     logits = sigmoid(dropout(x V + a)) W + b                with hidden units
 *
 * Dropout comes before the sigmoid: a dropped unit is 1/2. Cross entropy is the mean over a batch,
 * also over the last, shorter batch of an epoch. Adam has betas 0.9 and 0.999, epsilon 1e-8 and
 * coupled L2 on all parameters, biases included. Every weight and bias starts as a uniform random
 * number between -1/sqrt(K) and 1/sqrt(K), where K is the input width of the layer. Each epoch has
 * train in a new random order. The protocol defines the settings and the length of training
 * (protocol.h). The labels of test are predicted with the parameters that have the best accuracy on
 * dev.
 *
 * Random numbers (core/base/random.h) depend only on the seed and on the following streams.
 * Settings with the same hidden units and dropout therefore have the same initial parameters,
 * batches and dropout masks:
 *     probe.hidden.weight [D, H], probe.hidden.bias [H]         uniform value i of the array,
 *     probe.output.weight [H or D, C], probe.output.bias [C]    row by row
 *     probe.epoch     permutation of train; step: the epoch, from 0
 *     probe.dropout   value row * H + unit, `row` in the batch; step: the update, from 0
 *
 * Settings are trained together in groups that fit the second-level cache of a core. On the CPU, no
 * bit of a result depends on the grouping, the threads or the instruction set. One thread is
 * fastest, because the products are too small for several threads. */
#pragma once

#include "core/base/arena.h"
#include "probes/classifier_job.h"

/* Sorts items into the order in which SentEval trains and scores them: by number of tokens, then by
 * label; the sort is stable. `tokens` and `label` are indexed by item. */
void probe_order(int32_t *item, int count, const int *tokens, const int32_t *label);

struct probe_result {
    int settings, chosen; /* number of settings; index of the best one on dev (probe_choose) */
    struct probe_trained *trained; /* [settings] in the order of the protocol */
};

/* True if more training could have helped: the last evaluation is the best one, or there were fewer
 * than 1,000 updates. */
bool probe_undertrained(const struct probe_trained *trained);

/* Trains the settings whose results are not known from an earlier run (struct probe_calls). The
 * result is in the arena. --trace probe prints the loss before every update, by setting, and every
 * dev score. */
struct probe_result probe_train(const struct probe_job *job, struct arena *arena);
