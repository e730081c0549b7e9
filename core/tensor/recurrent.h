/* Arguments of the recurrent cells, ops of the table in ops.h, which includes this. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/tensor/real.h"

/* One step of a recurrent layer, in one direction or in both at once: the next token of each of the
 * `alive` longest sentences. Direction e has the columns e*D .. of [T, E*D] and e*G .. of [T, E*G];
 * what is by sentence is [E, B, columns], the longest sentence first.
 *
 * G = 4D, [output | candidate | input | forget], before sigmoid and tanh a = x + h:
 *   lstm     c = f c' + i g, y = o tanh(c)           (Hochreiter and Schmidhuber 1997, Gers 2000)
 * G = 2n + 4D, [master input n | master forget n | as above], n = D / chunk:
 *   onlstm   F = cumsum(softmax(.)), I = 1 - cumsum(softmax(.)), each for `chunk` neighbors,
 *            w = F I, c = (f w + F - w) c' + (i w + I - w) g, y = o tanh(c)
 *                                            (Shen et al. 2019, eqs. 9 to 14; Hao et al. 2019)
 *
 * Where a recorded step is replayed with other batches, `alive` and `later` are what it is launched
 * for, and device memory says how many there are.
 *
 * Backward goes from the last step to the first. What comes from the step after it is read of the
 * `later` sentences that have one, and is 0 of the others. */
enum { RECURRENT_DIRECTIONS = 2 };
struct recurrent {
    int E, B, D, G, chunk; /* directions, room for sentences; chunk: of onlstm */
    int alive, later;
    const int32_t *counted; /* [2] alive and later; NULL: those two are exact */
    const int32_t *begin;   /* [1] where this step's rows begin in the lists; NULL: at 0 */
    bool first;             /* no token is before this one: c' and h are 0 */
    bool reverse[RECURRENT_DIRECTIONS];       /* from the last token: the one before is row + 1 */
    const int32_t *row[RECURRENT_DIRECTIONS]; /* [begin + alive] packed rows */
    const struct act *x;                      /* [T, E*G] */
    const struct act *h;                      /* [E, B, G]: the product of `state` */
    struct act *gates;                        /* [T, E*G]: o, g, i, f; the softmax of masters */
    real *cell;                               /* [T, E*D]: c */
    struct act *out, *state;                  /* y as [T, E*D] and as [E, B, D] */
    struct act *before; /* [T, E*D]: y of the token before; NULL: not wanted */
    struct act *master_input, *master_forget; /* [T, E*n]: I, F */
    const struct act *out_gradient;           /* [T, E*D] */
    const struct act *state_gradient;         /* [E, B, D]: from the step after this one */
    real *cell_gradient;                 /* [E, B, D]: the same of c; then for the one before */
    struct act *x_gradient, *h_gradient; /* of a, as [T, E*G] and as [E, B, G] */
};
