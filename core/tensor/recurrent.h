/* Arguments of the recurrent cells, ops of the table. Included by ops.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/tensor/real.h"

/* One step of a recurrent layer, in one direction or in two at the same time. The step processes
 * the next token of each of the `alive` longest sentences. Direction e uses columns e*D .. of [T,
 * E*D] and e*G .. of [T, E*G]. Arrays by sentence are [E, B, columns], the longest sentence first.
 *
 * G = 4D, [output | candidate | input | forget], a = x + h before sigmoid and tanh:
 *   lstm     c = f c' + i g, y = o tanh(c)           (Hochreiter and Schmidhuber 1997, Gers 2000)
 * G = 2n + 4D, [master input n | master forget n | as above], n = D / chunk:
 *   onlstm   F = cumsum(softmax(.)), I = 1 - cumsum(softmax(.)), each for `chunk` neighbors.
 *            w = F I, c = (f w + F - w) c' + (i w + I - w) g, y = o tanh(c).
 *                                            (Shen et al. 2019, eqs. 9 to 14; Hao et al. 2019)
 *
 * If a recorded step is replayed with other batches, `alive` and `later` are the launched numbers,
 * and `counted` in device memory has the real numbers.
 *
 * Backward runs from the last step to the first. The gradients from the following step exist for
 * the first `later` sentences, and are 0 for the others. */
enum { RECURRENT_DIRECTIONS = 2 };
struct recurrent {
    int E, B, D, G, chunk; /* directions, capacity in sentences; chunk: onlstm only */
    int alive, later;
    const int32_t *counted; /* [2] real alive and later; NULL: the members are exact */
    const int32_t *begin;   /* [1] index of the step's first row in the lists; NULL: 0 */
    bool first;             /* first token of the sentences: c' and h are 0 */
    /* The direction starts at the last token: the previous step's row is row + 1. */
    bool reverse[RECURRENT_DIRECTIONS];
    const int32_t *row[RECURRENT_DIRECTIONS]; /* [begin + alive] packed rows */
    const struct act *x;                      /* [T, E*G] */
    /* [E, B, G]: product of `state` and the recurrent weights */
    const struct act *h;
    struct act *gates;       /* [T, E*G]: o, g, i, f; the softmax of masters */
    real *cell;              /* [T, E*D]: c */
    struct act *out, *state; /* y as [T, E*D] and as [E, B, D] */
    struct act *before;      /* [T, E*D]: y of the previous step; NULL: not needed */
    struct act *master_input, *master_forget; /* [T, E*n]: I, F */
    const struct act *out_gradient;           /* [T, E*D] */
    const struct act *state_gradient;         /* [E, B, D]: from the following step */
    /* [E, B, D]: gradient of c from the following step; replaced by the gradient for the previous
     * step */
    real *cell_gradient;
    struct act *x_gradient, *h_gradient; /* gradients of a, as [T, E*G] and as [E, B, G] */
};
