/* sanlab-dev bench: its parts. Each prints what it has measured. */
#pragma once

#include "experiments/cli/bench.h"
#include "results/sheet/sheet.h"

void bench_nodes(struct bench *bench);     /* a training step, node by node, against two limits */
void bench_search(struct bench *bench);    /* a beam search, op by op */
void bench_memory(struct bench *bench);    /* of a short training, against the estimate of plan */
void bench_attention(struct bench *bench); /* compositions next to global attention alone */
void bench_lengths(struct bench *bench);   /* of sentences: a window next to global attention */
void bench_recurrent(struct bench *bench); /* a layer alone, LSTM and ON-LSTM */
void bench_pairs(struct bench *bench);     /* training steps of a grid of the task logic */
void bench_products(struct bench *bench);  /* our own and OpenBLAS's: speed and errors */
void bench_bpe(struct bench *bench);       /* merges learned from files, and applied */

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
