/* Rows of one head of a sentence in shared memory: they are loaded once, all at the same time, and
 * then read by several warps (warp_rows.h). */
#pragma once

#include "core/cuda/warp_rows.h"

#ifdef DEVICE_BF16

enum {
    STAGED_THREADS = 64, /* two tiles at one time: most sentences have no more */
    STAGED_MOST = 128,   /* rows of a sentence */
    STAGED_OPERANDS = 4,
    STAGED_AHEAD = 4 /* packs of each that a thread loads at one time */
};

/* Rows that each operand has room for: whole lines of them. */
BOTH_FN int staged_room(int longest)
{
    return (longest + 1) / 2 * 2;
}

/* Rows of q and dy, of which there are as many as queries, or of k and v. */
struct operand {
    struct slice rows;
    int count;
};

/* What stands folded from x on. */
DEVICE_FN struct slice staged(const struct act *x)
{
    struct slice s;
    s.x = x, s.at = s.ld = 0, s.folded = true;
    return s;
}

/* The rows of operands to shared memory, `apart` elements from one to the next; for the whole
 * block. */
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

/* Tiles of so many rows that this warp has of its block's, by their first row. */
#define EACH_STAGED_TILE(i0, rows)                                                                 \
    for (int i0 = warp_of() * ATTENTION_TILE; i0 < (rows);                                         \
         i0 += STAGED_THREADS / WARP * ATTENTION_TILE)

#endif
