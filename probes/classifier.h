/* The classifier of a probing task, as SentEval trains it (Conneau and Kiela 2018,
 * senteval/tools/classifier.py), on vectors that are given.
 *
 *     logits = x W + b                                        linear
 *     logits = sigmoid(dropout(x V + a)) W + b                with hidden units
 *
 * Dropout comes before the sigmoid: a dropped unit is 1/2. Cross entropy is the mean over a batch,
 * the short last one of an epoch, too. Adam has betas 0.9 and 0.999, epsilon 1e-8 and coupled L2 on
 * all parameters, biases included. Every weight and bias starts as U(+-1/sqrt(K)), K the width of
 * what it is multiplied with (a bias: of what its weight is). An epoch is a fresh permutation of
 * train. How long it is trained and on which settings, a protocol says (protocol.h). The parameters
 * of the best evaluation are those that test is predicted with.
 *
 * Random numbers (core/base/random.h) are functions of the seed and of these streams, so settings
 * of one shape start alike and all of them see the same batches and the same mask:
 *     probe.hidden.weight [D, H], probe.hidden.bias [H]         uniform value i of the array,
 *     probe.output.weight [H or D, C], probe.output.bias [C]    row by row
 *     probe.epoch     permutation of train, its step the epoch from 0
 *     probe.dropout   value row * H + unit, row that of the batch; its step the update from 0
 *
 * Settings are trained side by side in groups that fit a core's second cache. On the CPU no bit
 * depends on what is in a group, nor on threads, nor on the instruction set. Products are too small
 * for several threads: one is best. */
#pragma once

#include "core/base/arena.h"
#include "probes/classifier_job.h"

/* Puts items into the order in which SentEval trains and scores them: by number of tokens, then by
 * label, equal ones as they came; tokens and label by item. */
void probe_order(int32_t *item, int count, const int *tokens, const int32_t *label);

struct probe_result {
    int settings, chosen;          /* by accuracy on dev: probe_choose */
    struct probe_trained *trained; /* [settings] in the protocol's order */
};

/* Whether more training could have helped: the best evaluation is the last one, or there were fewer
 * than 1,000 updates. */
bool probe_undertrained(const struct probe_trained *trained);

/* Trains what is not known. What it returns lives in the arena.
 * --trace probe: the loss of every update before it, by setting; every score. */
struct probe_result probe_train(const struct probe_job *job, struct arena *arena);
