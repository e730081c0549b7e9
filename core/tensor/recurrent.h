/* Declares the arguments of the ops for recurrent cells. Included by ops.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/tensor/real.h"

/* One step of a recurrent layer, in one direction or in two at the same time. The step processes
 * the next token of each of the `alive` longest sentences. In arrays [T, E*D], the D columns from
 * e*D on belong to direction e; in arrays [T, E*G], the G columns from e*G on. Arrays [E, B,
 * columns] have one row per sentence, the longest sentence first.
 *
 * a = x + h is the input of the G gate units, before sigmoid, tanh or softmax. c' is the cell of
 * the previous step.
 *   lstm     G = 4D: [output o | candidate g | input i | forget f]
 *            c = f c' + i g, y = o tanh(c)   (Hochreiter and Schmidhuber 1997, Gers 2000)
 *   onlstm   G = 2n + 4D, n = D / chunk: [master input | master forget | the 4D of lstm]
 *            F = cumsum(softmax(master forget)), I = 1 - cumsum(softmax(master input)).
 *            Each element of F and I applies to `chunk` neighboring units.
 *            w = F I, c = (f w + F - w) c' + (i w + I - w) g, y = o tanh(c)
 *                                            (Shen et al. 2019, eqs. 9 to 14; Hao et al. 2019)
 *
 * If a recorded step is replayed with other batches, `alive` and `later` are the numbers for which
 * the op is launched. The actual numbers are in `counted`, in device memory.
 *
 * Backward runs from the last step to the first. Only the first `later` sentences have a token in
 * the following step. For the others, the gradients from the following step are 0. */
enum { RECURRENT_DIRECTIONS = 2 };
struct recurrent {
    int E, B, D, G, chunk; /* E: directions; B: rows of arrays by sentence */
    int alive, later;
    const int32_t *counted; /* [2] actual alive and later; NULL: the members are exact */
    const int32_t *begin;   /* [1] index of the step's first row in the lists; NULL: 0 */
    bool first;             /* first token of the sentences: c' and h are 0 */
    /* True if the direction starts at the last token. The row of the previous step is then row + 1,
     * else row - 1. */
    bool reverse[RECURRENT_DIRECTIONS];
    const int32_t *row[RECURRENT_DIRECTIONS]; /* [begin + alive] the step's rows of x and out */
    const struct act *x;                      /* [T, E*G] */
    /* [E, B, G]: product of `state` and the recurrent weights */
    const struct act *h;
    struct act *gates;       /* [T, E*G]: softmax of the masters (onlstm); o, g, i, f */
    real *cell;              /* [T, E*D]: c */
    struct act *out, *state; /* y as [T, E*D] and as [E, B, D] */
    struct act *before;      /* [T, E*D]: y of the previous step; NULL: not needed */
    struct act *master_input, *master_forget; /* [T, E*n]: I, F */
    const struct act *out_gradient;           /* [T, E*D] */
    const struct act *state_gradient;         /* [E, B, D]: from the following step */
    /* [E, B, D]: gradient of c from the following step. Backward overwrites it with the gradient of
     * c'. */
    real *cell_gradient;
    struct act *x_gradient, *h_gradient; /* gradients of a, as [T, E*G] and as [E, B, G] */
};
