/* sanlab bench: what is measured, and on what. */
#ifndef EXPERIMENTS_CLI_BENCH_H
#define EXPERIMENTS_CLI_BENCH_H

#include "core/bench/profile.h"
#include "core/decode/beam.h"
#include "experiments/cli/verb.h"
#include "experiments/grid/settings.h"
#include "results/sheet/sheet.h"

/* A measurement. What follows `rounds` is of those that measure a model. */
struct bench {
    struct verb_call *call;
    measure_clock *clock;
    int rounds;
    const char *name;           /* of the grid and its row, or of the preset */
    const struct tree *options; /* of a preset, with what was overridden; NULL: a grid's row */
    const struct settings *settings;
    struct translating translating;
    struct beam_options beam;
    const char *text;         /* where the corpus comes from, for people */
    const char *train_folder; /* of a train stage that has a checkpoint; NULL: none */
};

/* Each prints what it has measured. */
void bench_training(const struct bench *bench); /* a step, node by node, against the two floors */
void bench_search(const struct bench *bench); /* with the weights of a checkpoint if there is one */
void bench_memory(const struct bench *bench); /* of a short training, against what plan says */
void bench_attention(const struct bench *bench); /* compositions beside global attention alone */
void bench_lengths(const struct bench *bench); /* of sentences: a window beside global attention */
void bench_recurrent(const struct bench *bench); /* a layer alone, LSTM and ON-LSTM */
void bench_pairs(const struct bench *bench);     /* a classifier of pairs; takes its grid itself */
void bench_products(const struct bench *bench);  /* our own beside OpenBLAS's: speed, errors */
void bench_bpe(const struct bench *bench);       /* merges learned from files, and applied */

/* Of a model preset, with "key=value" laid over it: name, options and settings. */
void bench_take_preset(struct bench *bench, const char *name, const char *const *change,
                       int changes);
/* The table of ops that is measured: opens the device. */
const struct ops *bench_table(const struct bench *bench);
/* "1 thread, processor time, cpu-v4, own products 1". */
void bench_print_machine(const struct bench *bench, const struct ops *ops);
/* Fills cells of a row, from `column` on, with what the format prints between bars. */
void bench_cells(struct arena *arena, struct sheet *sheet, int row, int column, const char *format,
                 ...) PRINTF(5, 6);
/* Work in a process of its own, begun before this one has used a second thread or opened a device,
 * since no GPU works in a copy of the process that opened it: what it returns, and the largest part
 * of memory that the process ever held, in bytes. */
struct bench_apart {
    double value, peak;
};
struct bench_apart bench_apart(double (*work)(void *context), void *context);

#endif
