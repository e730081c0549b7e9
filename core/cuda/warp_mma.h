/* Products of a warp on tensor cores with operands in registers: mma.m16n8k16 of PTX (on the host
 * core/simt/simt.c). C [16, 8] += A [16, 16] B [16, 8] in bf16, summed in floats. Lane 4 g + c has
 * the following pairs of neighbors; the lower neighbor is in the lower half:
 *
 *   a[0], a[1]   A[g, 2c ..], A[g + 8, 2c ..];   a[2], a[3]   A[g, 2c + 8 ..], A[g + 8, 2c + 8 ..]
 *   b[0], b[1]   B[2c .., g], B[2c + 8 .., g]
 *   c[0], c[1]   C[g, 2c ..];                    c[2], c[3]   C[g + 8, 2c ..]
 *
 * So C of a product, rounded to pairs, is A of the next product, which sums over C's columns. */
#pragma once

#include "core/cuda/act.h"

#ifdef DEVICE_BF16

/* Loops over the i-th number of a lane in the t-th tile of C; the tiles stay in registers. */
#define EACH_ELEMENT(t, i, tiles)                                                                  \
    UNROLL for (int t = 0; t < (tiles); t++) UNROLL for (int i = 0; i < 4; i++)

/* g and c of the lane. */
DEVICE_FN int mma_row(void)
{
    return lane_of() / 4;
}
DEVICE_FN int mma_column(void)
{
    return lane_of() % 4;
}

/* Returns two numbers, rounded to bf16. */
DEVICE_FN uint32_t mma_pair(float low, float high)
{
    return act_of(low) | (uint32_t)act_of(high) << 16;
}

/* Sum and maximum over the four lanes that share a row of C. */
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

/* The statement is volatile: otherwise it could move into a branch that some lanes do not take. */
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
