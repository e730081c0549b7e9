/* How fast training is, and where its time goes: real optimizer steps (core/train/step.h) of a list
 * whose nodes are timed one by one.
 *
 * A round is the same few batches every time; each is one optimizer step. The first round warms up,
 * every time is the median over the rounds behind it, so that a moment in which the machine did
 * something else does not count. Only real tokens are work. */
#ifndef CORE_BENCH_BENCH_H
#define CORE_BENCH_BENCH_H

#include "core/train/translating.h"

enum bench_pass { BENCH_FORWARD, BENCH_BACKWARD, BENCH_PASSES };
enum { BENCH_ROUNDS = 99 }; /* at most */

/* One node of the list; everything is a sum over the batches of one round. */
struct bench_node {
    const char *path, *type;
    double seconds[BENCH_PASSES];
    double flops[BENCH_PASSES]; /* of matrix products: a backward pass takes twice a forward one */
    /* A lower bound: every operand is read once, every result written once, and read before when it
     * is added to. */
    double bytes[BENCH_PASSES];
};

struct bench_training {
    int batches, nodes;
    struct bench_node *node; /* [nodes] */
    /* What a step does outside of its nodes: Adam; the gradient's norm; packing and loading of
     * batches, sums of losses. */
    double adam, norm, rest;
    double adam_bytes, norm_bytes;
    double seconds; /* of a round in all */
    double flops;
    int64_t tokens[SIDES]; /* real ones of a round */
    double loss;           /* of the last step: that something was learned */
};

struct bench_job {
    struct translating translating;
    int batches, rounds;   /* of a round; timed ones */
    bool spread;           /* batches of all lengths of sentences, instead of the epoch's first */
    double (*clock)(void); /* in seconds: clock_seconds or bench_cpu_seconds */
};

/* A step has train.batch_tokens / train.accumulate tokens: a micro-batch where training cuts its
 * steps. Lives in the arena. */
struct bench_training bench_train(const struct bench_job *job, struct arena *arena);

/* Models side by side: in every round each of them takes the same steps once, one after the other,
 * so that what the machine does meanwhile meets them alike. round[r * jobs + i] is round r of model
 * i, for as many rounds as job[0] says; nodes live in the arena. All jobs have job[0]'s clock. */
void bench_race(const struct bench_job *job, int jobs, struct bench_training *round,
                struct arena *arena);

/* The products of a linear node on the first batch: shapes, strides and flags, to be done on other
 * operands (a, b and c are of memory that is gone; bias, too, but NULL is none). That of the weight
 * is a gemm_weight: transpose_a, K = T. */
enum bench_product { BENCH_OUT, BENCH_IN_GRADIENT, BENCH_WEIGHT_GRADIENT, BENCH_PRODUCTS };
struct bench_linear {
    const char *path;
    struct gemm product[BENCH_PRODUCTS];
};
/* Those of all linear nodes, in the arena. */
struct bench_linear *bench_linears(const struct bench_job *job, int *count, struct arena *arena);

/* Self-attention of one composition alone: projections, branches, fusion, forward and backward over
 * `sentences` sentences of `length` tokens. */
struct bench_block {
    const struct ops *ops;
    const struct attention_spec *spec;
    int width, heads, length, sentences, rounds;
    double (*clock)(void);
};
/* Median seconds of a forward and a backward pass together. */
double bench_attention_block(const struct bench_block *block);

/* The same ops with a clock around each (one such table at a time), and what it has counted since
 * the last bench_ops_clear. */
struct bench_op {
    const char *name;
    int64_t calls;
    double seconds;
};
const struct ops *bench_ops(const struct ops *inner, double (*clock)(void));
const struct bench_op *bench_ops_read(int *count);
double bench_ops_seconds(const char *name);
void bench_ops_clear(void);

/* Of 1 to BENCH_ROUNDS values. */
double bench_median(const double *value, int count);
/* Time on processors that this process has used, all its threads together: for ratios of one
 * thread's work on a machine that others use, too. */
double bench_cpu_seconds(void);
/* Bytes read and written per second when memory beyond the caches is copied by all threads: best of
 * five. */
double bench_copy_rate(double (*clock)(void));

/* Sentences of random tokens whose lengths are spread as those of multi30k in 8k joint subwords (15
 * a side, longer ones with longer ones): enough to time a model without a corpus. */
const struct corpus *bench_corpus(struct arena *arena, uint32_t seed);

#endif
