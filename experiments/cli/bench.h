/* sanlab bench: what is measured, and on what. */
#ifndef EXPERIMENTS_CLI_BENCH_H
#define EXPERIMENTS_CLI_BENCH_H

#include "core/bench/bench.h"
#include "core/decode/beam.h"
#include "experiments/cli/verb.h"
#include "experiments/grid/settings.h"

struct bench_subject {
    const char *name;           /* of the grid and its row, or of the preset */
    const struct tree *options; /* of a preset, with what was overridden; NULL: a grid's row */
    const struct ops *ops;
    const struct translator_options *model;
    const struct train_options *train;
    struct beam_options beam;
    const struct corpus *corpus;
    const char *text;         /* where the corpus comes from, for people */
    const char *train_folder; /* of a train stage that has a checkpoint; NULL: none */
};

/* Of a model preset, with "key=value" laid over it; without a corpus. */
void bench_take_preset(struct arena *arena, const char *name, const char *const *change,
                       int changes, struct bench_subject *subject);

/* "1 thread, processor time, cpu-v4, own products 1". */
void bench_print_machine(double (*clock)(void));
/* What a node or parameter does in its layer: encoder.3.feedforward.inner is
 * encoder.*.feedforward.inner. */
const char *bench_role(struct arena *arena, const char *path);

/* A training step, node by node, against the two floors. */
void bench_print_training(struct verb_call *call, const struct bench_subject *subject,
                          double (*clock)(void));
/* Beam search in batches, with the weights of the checkpoint if there is one. */
void bench_print_search(struct verb_call *call, const struct bench_subject *subject,
                        double (*clock)(void));
/* Peak memory of a short training, against the estimate of `plan`. */
void bench_print_memory(struct verb_call *call, const struct bench_subject *subject);
/* Training steps with compositions of attention beside those with global attention alone. */
void bench_print_attention(struct verb_call *call, const struct bench_subject *subject,
                           double (*clock)(void));
/* Time and memory of one block by the length of sentences: a window beside global attention. */
void bench_print_lengths(struct verb_call *call, const struct bench_subject *subject,
                         double (*clock)(void));
/* Work in a process of its own, begun before this one has used a second thread: what it returns,
 * and the largest part of memory that the process ever held, in bytes. */
struct bench_apart {
    double value, peak;
};
struct bench_apart bench_apart(double (*work)(void *context), void *context);
/* Our own products beside OpenBLAS's: speed, for --rounds or about a minute, and errors. */
void bench_print_products(struct verb_call *call, double (*clock)(void));
/* Merges learned from the files of --bpe, and applied to them. */
void bench_print_bpe(struct verb_call *call, double (*clock)(void));

#endif
