/* Copies the rows of one head of a sentence to shared memory. Then several warps read them
 * (warp_rows.h). */
#pragma once

#include "core/cuda/warp_rows.h"

#ifdef DEVICE_BF16

enum {
    STAGED_THREADS = 64, /* two warps, each with a tile; most sentences have at most two tiles */
    STAGED_MOST = 128,   /* maximum number of rows of a sentence */
    STAGED_OPERANDS = 4,
    STAGED_AHEAD = 4 /* packs of an operand that a thread loads at the same time */
};

/* Returns the number of rows to allocate per operand: `longest`, rounded up to an even number. An
 * even number of rows fills whole lines (fold). */
BOTH_FN int staged_room(int longest)
{
    return (longest + 1) / 2 * 2;
}

/* An operand to copy: the rows of q, k, v or dy. */
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

/* Copies the rows of operands to shared memory, where operands begin `apart` elements apart. All
 * threads of the block call this function. It ends with a barrier. */
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

/* Loops over the tiles of this warp; i0 is the first row of a tile. The tiles of `rows` rows are
 * divided among the warps of the block. */
#define EACH_STAGED_TILE(i0, rows)                                                                 \
    for (int i0 = warp_of() * ATTENTION_TILE; i0 < (rows);                                         \
         i0 += STAGED_THREADS / WARP * ATTENTION_TILE)

#endif
