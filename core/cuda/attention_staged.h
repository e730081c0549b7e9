/* Rows of one head of a sentence in shared memory. All rows are loaded once, at the same time, and
 * then read by several warps (warp_rows.h). */
#pragma once

#include "core/cuda/warp_rows.h"

#ifdef DEVICE_BF16

enum {
    STAGED_THREADS = 64, /* two tiles at the same time, enough for most sentences */
    STAGED_MOST = 128,   /* upper bound of the rows of a sentence */
    STAGED_OPERANDS = 4,
    STAGED_AHEAD = 4 /* packs of each operand that a thread loads at the same time */
};

/* Returns the number of rows to allocate per operand: `longest`, rounded up to whole lines. */
BOTH_FN int staged_room(int longest)
{
    return (longest + 1) / 2 * 2;
}

/* Rows of q and dy, or of k and v. */
struct operand {
    struct slice rows;
    int count;
};

DEVICE_FN struct slice staged(const struct act *x)
{
    struct slice s;
    s.x = x, s.at = s.ld = 0, s.folded = true;
    return s;
}

/* Copies the rows of operands to shared memory, operands `apart` elements apart. Called by the
 * whole block. */
DEVICE_FN void stage(const struct operand *from, const int operands, const int d, struct act *to,
                     int apart)
{
    const int packs = d / PACK, threads = (int)blockDim.x;
    int most = 0;
    UNROLL for (int k = 0; k < operands; k++) most = most > from[k].count ? most : from[k].count;
    for (int first = (int)threadIdx.x; first < most * packs; first += STAGED_AHEAD * threads) {
        struct words held[STAGED_AHEAD][STAGED_OPERANDS];
        UNROLL for (int u = 0; u < STAGED_AHEAD; u++) UNROLL for (int k = 0; k < operands; k++)
        {
            const int n = first + u * threads;
            if (n < from[k].count * packs)
                held[u][k] = words_at(from[k].rows.x,
                                      slice_place(from[k].rows, n / packs, n % packs * PACK, d));
        }
        UNROLL for (int u = 0; u < STAGED_AHEAD; u++) UNROLL for (int k = 0; k < operands; k++)
        {
            const int n = first + u * threads;
            if (n < from[k].count * packs)
                *(struct words *)(void *)act_to(to, k * apart + fold(n) * PACK) = held[u][k];
        }
    }
    __syncthreads();
}

/* Loops over the first rows of this warp's tiles. The warps of a block share `rows` rows. */
#define EACH_STAGED_TILE(i0, rows)                                                                 \
    for (int i0 = warp_of() * ATTENTION_TILE; i0 < (rows);                                         \
         i0 += STAGED_THREADS / WARP * ATTENTION_TILE)

#endif
