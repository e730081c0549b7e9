/* sanlab bench: what is measured, and on what. */
#ifndef EXPERIMENTS_CLI_BENCH_H
#define EXPERIMENTS_CLI_BENCH_H

#include "core/train/bench.h"
#include "experiments/cli/verb.h"
#include "experiments/plan/settings.h"

struct bench_subject {
    const char *name; /* of the grid and its row, or of the preset */
    const struct translator_options *model;
    const struct train_options *train;
    const struct corpus *corpus;
    const char *text;  /* where the corpus comes from, for people */
    const char *train_folder; /* of a train stage that has checkpoints; NULL: none */
};

/* "1 thread, processor time, cpu-v4, OpenBLAS SkylakeX"; warns about older kernels. */
void bench_print_machine(double (*clock)(void));

/* A training step, node by node, against the two floors. */
void bench_print_training(struct verb_call *call, const struct bench_subject *subject);

#endif
