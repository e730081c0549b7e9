/* Declares the parts of `sanlab-dev bench`. Each function measures one part and prints the
 * results. */
#pragma once

#include "experiments/cli/bench.h"
#include "results/sheet/sheet.h"

/* Measures a training step by node, and compares it with the peak rates of products and copies. */
void bench_nodes(struct bench *bench);
void bench_search(struct bench *bench); /* measures a beam search by op */
/* Compares the memory of a short training with the estimate of `sanlab plan`. */
void bench_memory(struct bench *bench);
/* Compares the speed of compositions of attention with global attention alone. */
void bench_attention(struct bench *bench);
/* Compares a window with global attention, by sentence length. */
void bench_lengths(struct bench *bench);
void bench_recurrent(struct bench *bench); /* measures one LSTM or ON-LSTM layer */
/* measures training steps of a grid with the task logic */
void bench_pairs(struct bench *bench);
/* Compares speed and errors of sanlab's own matrix products with OpenBLAS. */
void bench_products(struct bench *bench);
void bench_bpe(struct bench *bench); /* measures learning and applying of BPE merges */

/* Formats a text and splits it at each "|". Writes the parts to cells of a row, from `column`
 * on. */
void bench_cells(struct arena *arena, struct sheet *sheet, int row, int column, const char *format,
                 ...) PRINTF(5, 6);

/* Runs `work` in a child process, so that its peak memory can be measured. The child must be forked
 * before this process uses a second thread or opens a device. After that, a GPU would not work in a
 * fork. value: result of the work; peak: peak memory of the child, in bytes. */
struct bench_apart {
    double value, peak;
};
struct bench_apart bench_apart(double (*work)(void *context), void *context);
