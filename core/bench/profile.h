/* How fast training is, and where its time goes: real optimizer steps (core/train/step.h) of a list
 * whose nodes are timed one by one.
 *
 * A round is the same few batches every time; each is one optimizer step. The first round warms up,
 * every time is the median over the rounds behind it, so that a moment in which the machine did
 * something else does not count. Only real tokens are work. */
#pragma once

#include "core/bench/measure.h"
#include "core/train/translating.h"

enum profile_pass { PROFILE_FORWARD, PROFILE_BACKWARD, PROFILE_PASSES };

/* One node of the list; everything is a sum over the batches of one round. */
struct profile_node {
    const char *path, *type;
    double seconds[PROFILE_PASSES];
    /* Of matrix products: a backward pass takes twice a forward one. */
    double flops[PROFILE_PASSES];
    /* A lower bound: every operand is read once, every result written once, and read before when it
     * is added to. */
    double bytes[PROFILE_PASSES];
};

/* What a step does outside of its nodes: Adam; the gradient's norm; packing and loading of batches,
 * sums of losses. They have no type and one pass. */
enum { PROFILE_MORE = 3 };

struct profile {
    int batches, nodes;
    struct profile_node *node; /* [nodes] those of the list, then PROFILE_MORE */
    double seconds;            /* of a round in all */
    double flops;
    int64_t tokens[SIDES]; /* real ones of a round */
};

struct profile_job {
    struct translating translating;
    int batches, rounds; /* of a round; timed ones */
    bool spread;         /* batches of all lengths of sentences, instead of the epoch's first */
    measure_clock *clock;
};

/* A step has train.batch_tokens / train.accumulate tokens: a micro-batch where training cuts its
 * steps. Lives in the arena. */
struct profile profile_train(const struct profile_job *job, struct arena *arena);

/* Models side by side: in every round each of them takes the same steps once, one after the other,
 * so that what the machine does meanwhile meets them alike. round[r * jobs + i] is round r of model
 * i, for as many rounds as job[0] says; nodes live in the arena. All jobs have job[0]'s clock. */
void profile_race(const struct profile_job *job, int jobs, struct profile *round,
                  struct arena *arena);

/* The function of a node or parameter in its layer: encoder.*.feedforward.inner of
 * encoder.3.feedforward.inner. */
const char *profile_role(struct arena *arena, const char *path);
