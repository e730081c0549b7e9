/* Computes small matrix products whose operands are in the L1 cache, for attention.c,
 * attention_tile.c and squeeze.c. They are not packed (gemm.c), because packing would take too
 * long. Every element is one chain of multiply-adds in the order of k. So the bits depend neither
 * on blocks of rows and columns nor on the width of registers. */
#pragma once

#include "core/cpu/vec.h"

/* Rows of a block. A block needs two accumulators per row, two registers for B and one for A. These
 * are 15 of 16 registers with AVX2, 19 of 32 with AVX-512 and NEON. */
enum { BLOCK_ROWS = (int)REG == LANES / 2 ? 6 : 8 };

/* Computes a block of C: `rows` rows of `vecs` registers. rows, vecs and `whole` must be constants.
 * `whole` is true if no register extends past column n. */
INLINE void tile_block(const int rows, const int vecs, const bool whole, int n, int k,
                       const real *a, int64_t ai, int64_t ak, const real *b, int64_t ldb, real *c,
                       int64_t ldc, bool add)
{
    const int last = whole ? REG : n - (vecs - 1) * REG;
    reg sum[BLOCK_ROWS][2];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++)
            sum[i][x] = add ? reg_load(c + i * ldc + x * REG, x < vecs - 1 ? REG : last) : (reg){0};
    for (int s = 0; s < k; s++) {
        reg right[2];
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++)
            right[x] = reg_load(b + s * ldb + x * REG, x < vecs - 1 ? REG : last);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
            for (int x = 0; x < vecs; x++)
                sum[i][x] = reg_fma(a[i * ai + s * ak], right[x], sum[i][x]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++)
            reg_store(c + i * ldc + x * REG, x < vecs - 1 ? REG : last, sum[i][x]);
}

INLINE void tile_rows(int rows, const int vecs, const bool whole, int n, int k, const real *a,
                      int64_t ai, int64_t ak, const real *b, int64_t ldb, real *c, int64_t ldc,
                      bool add)
{
#define ROWS(count)                                                                                \
    case count:                                                                                    \
        if (count > BLOCK_ROWS) break;                                                             \
        tile_block(count, vecs, whole, n, k, a, ai, ak, b, ldb, c, ldc, add);                      \
        break;
    switch (rows) {
        ROW_COUNTS(ROWS)
    }
#undef ROWS
}

/* C[m, n] (+)= A[m, k] B[k, n]; element (i, s) of A is a[i*ai + s*ak], so a transposed A needs no
 * copy. */
static void tile_product(int m, int n, int k, const real *a, int64_t ai, int64_t ak, const real *b,
                         int64_t ldb, real *c, int64_t ldc, bool add)
{
    for (int x = 0; x < n; x += 2 * REG) {
        const int left = n - x;
        int blocks = (m + BLOCK_ROWS - 1) / BLOCK_ROWS;
        /* Blocks have similar heights. A block of one row has at most two chains, and would wait
         * for each multiply-add. */
        for (int i = 0, rows; i < m; i += rows, blocks--) {
            const real *ahead = a + i * ai;
            real *to = c + i * ldc + x;
            rows = (m - i + blocks - 1) / blocks;
            if (left >= 2 * REG)
                tile_rows(rows, 2, true, left, k, ahead, ai, ak, b + x, ldb, to, ldc, add);
            else if (left == REG)
                tile_rows(rows, 1, true, left, k, ahead, ai, ak, b + x, ldb, to, ldc, add);
            else if (left > REG)
                tile_rows(rows, 2, false, left, k, ahead, ai, ak, b + x, ldb, to, ldc, add);
            else
                tile_rows(rows, 1, false, left, k, ahead, ai, ak, b + x, ldb, to, ldc, add);
        }
    }
}
