/* Declares the parts of `sanlab-dev bench`. Each function measures one part and prints the
 * results. */
#pragma once

#include "experiments/cli/bench.h"
#include "results/sheet/sheet.h"

/* Measures a training step by node, and compares it with the peak rates of products and copies. */
void bench_nodes(struct bench *bench);
void bench_search(struct bench *bench);    /* measures a beam search by op */
void bench_recurrent(struct bench *bench); /* measures one LSTM or ON-LSTM layer */
/* measures training steps of a grid with the task logic */
void bench_pairs(struct bench *bench);
void bench_bpe(struct bench *bench); /* measures learning and applying of BPE merges */

/* Formats a text and splits it at each "|". Writes the parts to cells of a row, from `column`
 * on. */
void bench_cells(struct arena *arena, struct sheet *sheet, int row, int column, const char *format,
                 ...) PRINTF(5, 6);
