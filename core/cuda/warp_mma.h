/* Products of a warp on tensor cores, with operands in registers. On a GPU, mma is the instruction
 * mma.m16n8k16 of PTX. On the host, it is simt_mma (core/simt/simt.c). It computes C [16, 8] += A
 * [16, 16] B [16, 8], with A and B in bf16 and C in floats. Each word of A and B has a pair of
 * neighboring numbers, the first in the lower half. Lane 4 g + c has these numbers, where 2c ..
 * stands for 2c and 2c + 1:
 *
 *   a[0], a[1]   A[g, 2c ..], A[g + 8, 2c ..];   a[2], a[3]   A[g, 2c + 8 ..], A[g + 8, 2c + 8 ..]
 *   b[0], b[1]   B[2c .., g], B[2c + 8 .., g]
 *   c[0], c[1]   C[g, 2c ..];                    c[2], c[3]   C[g + 8, 2c ..]
 *
 * So a lane can round its numbers of C to pairs. Two such tiles are A of the next product, which
 * sums over the columns of C (result_left). */
#pragma once

#include "core/cuda/act.h"

#ifdef DEVICE_BF16

/* Loops over this lane's numbers in several tiles C [16, 8]: number i of tile t. The loops are
 * unrolled, so the tiles stay in registers. */
#define EACH_ELEMENT(t, i, tiles)                                                                  \
    UNROLL for (int t = 0; t < (tiles); t++) UNROLL for (int i = 0; i < 4; i++)

/* Return g and c of this lane. */
DEVICE_FN int mma_row(void)
{
    return lane_of() / 4;
}
DEVICE_FN int mma_column(void)
{
    return lane_of() % 4;
}

/* Returns a word with two numbers, rounded to bf16. */
DEVICE_FN uint32_t mma_pair(float low, float high)
{
    return act_of(low) | (uint32_t)act_of(high) << 16;
}

/* Return the sum and the maximum over the four lanes that have numbers of the same row of C. */
DEVICE_FN float mma_row_sum(float x)
{
    x += __shfl_xor_sync(ALL_LANES, x, 1);
    return x + __shfl_xor_sync(ALL_LANES, x, 2);
}
DEVICE_FN float mma_row_max(float x)
{
    for (int away = 1; away <= 2; away *= 2) {
        const float other = __shfl_xor_sync(ALL_LANES, x, away);
        x = other > x ? other : x;
    }
    return x;
}

#ifdef __CUDACC__

/* Without `volatile`, nvcc could move the statement into a branch that some lanes do not take. */
DEVICE_FN void mma(float c[4], const uint32_t a[4], const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#else

#define mma(c, a, b) simt_mma(c, a, b, SIMT_PLACE)

#endif
#endif
