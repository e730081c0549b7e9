/* sanlab-dev bench: the benches of single parts. Each prints its results. */
#pragma once

#include "experiments/cli/bench.h"
#include "results/sheet/sheet.h"

/* A training step by node, against the peak rates of products and copies. */
void bench_nodes(struct bench *bench);
void bench_search(struct bench *bench); /* a beam search by op */
/* Memory of a short training, against the estimate of plan. */
void bench_memory(struct bench *bench);
void bench_attention(struct bench *bench); /* compositions, against global attention alone */
/* A window against global attention, by sentence length. */
void bench_lengths(struct bench *bench);
void bench_recurrent(struct bench *bench); /* a single layer, LSTM and ON-LSTM */
void bench_pairs(struct bench *bench);     /* training steps of a grid of the task logic */
void bench_products(struct bench *bench);  /* our own products and OpenBLAS's: speed and errors */
void bench_bpe(struct bench *bench);       /* learning and applying BPE merges */

/* Fills cells of a row, from `column` on, with the formatted text, split at bars. */
void bench_cells(struct arena *arena, struct sheet *sheet, int row, int column, const char *format,
                 ...) PRINTF(5, 6);

/* Runs work in a child process, so that its peak memory can be measured. The child must be forked
 * before this process uses a second thread or opens a device: a GPU does not work in a later fork.
 * value: result of the work; peak: peak memory of the child, in bytes. */
struct bench_apart {
    double value, peak;
};
struct bench_apart bench_apart(double (*work)(void *context), void *context);
