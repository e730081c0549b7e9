/* Profiles training: runs optimizer steps (core/train/step.h), and measures the time of each node
 * of the list.
 *
 * Every round runs the same batches; each batch is one optimizer step. The first round is a
 * warm-up. Every time is the median over the following rounds, which ignores moments in which the
 * machine was busy. */
#pragma once

#include "core/bench/measure.h"
#include "core/train/translating.h"

enum profile_pass { PROFILE_FORWARD, PROFILE_BACKWARD, PROFILE_PASSES };

/* One node of the list; all numbers are sums over the batches of one round. */
struct profile_node {
    const char *path, *type;
    double seconds[PROFILE_PASSES];
    /* Operations of matrix products; a backward pass takes twice as many as a forward pass. */
    double flops[PROFILE_PASSES];
    /* Lower bound of the memory traffic. Every operand is read once, and every result is written
     * once. A result to which a pass adds is also read once. */
    double bytes[PROFILE_PASSES];
    int K, N; /* of the product in the forward pass, for a linear node; else 0 */
};

/* Number of parts of a step outside of its nodes. They are Adam, the norm of the gradient, and the
 * rest: packing and loading of batches, and sums of losses. These parts have no type. Their times
 * are in PROFILE_FORWARD. */
enum { PROFILE_MORE = 3 };

struct profile {
    int batches, nodes;
    struct profile_node *node; /* [nodes] nodes of the list, then PROFILE_MORE other parts */
    double seconds;            /* seconds of a round */
    double flops;
    int64_t tokens[SIDES]; /* tokens of a round */
};

struct profile_job {
    struct translating translating;
    int batches, rounds; /* batches per round; number of measured rounds */
    measure_clock *clock;
};

/* Profiles training. A step is one micro-batch: it has at most train.batch_tokens /
 * train.accumulate tokens. The result is in the arena. */
struct profile profile_train(const struct profile_job *job, struct arena *arena);

/* Returns the role of a node or parameter in its layer: encoder.*.feedforward.inner for
 * encoder.3.feedforward.inner. */
const char *profile_role(struct arena *arena, const char *path);
