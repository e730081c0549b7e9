/* Products of a few rows that stay in the first cache, blocked in registers: what is too small or
 * too thin for BLAS (attention/tile.h, squeeze.c). */
#ifndef CORE_CPU_TILE_PRODUCT_H
#define CORE_CPU_TILE_PRODUCT_H

#include "core/cpu/vec.h"

INLINE void tile_block(const int rows, const int vecs, int n, int k, const real *a, int64_t ai,
                       int64_t ak, const real *b, int64_t ldb, real *c, int64_t ldc, bool add)
{
    vec sum[8][2];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++)
            sum[i][x] = add ? vec_load(c + i * ldc + x * LANES, n - x * LANES) : (vec){0};
    for (int s = 0; s < k; s++) {
        vec right[2];
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++) right[x] = vec_load(b + s * ldb + x * LANES, n - x * LANES);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            const vec left = vec_full(a[i * ai + s * ak]);
#pragma GCC unroll 2
            for (int x = 0; x < vecs; x++) sum[i][x] = vec_fma(left, right[x], sum[i][x]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++) vec_store(c + i * ldc + x * LANES, n - x * LANES, sum[i][x]);
}

/* C[m, n] (+)= A[m, k] B[k, n], A's element (i, s) at a[i*ai + s*ak]: a transposed A costs nothing.
 * Every element is one chain of multiply-adds over s, whatever the blocks. */
static void tile_product(int m, int n, int k, const real *a, int64_t ai, int64_t ak, const real *b,
                         int64_t ldb, real *c, int64_t ldc, bool add)
{
    for (int x = 0; x < n; x += 2 * LANES) {
        const int left = n - x;
        const bool two = left > LANES, whole = left >= 2 * LANES || left == LANES;
        int i = 0;
        /* Whole vectors are known to the compiler as such: no test for the tail in the loop. */
        if (two && whole)
            for (; i + 8 <= m; i += 8)
                tile_block(8, 2, 2 * LANES, k, a + i * ai, ai, ak, b + x, ldb, c + i * ldc + x, ldc,
                           add);
        else if (whole)
            for (; i + 8 <= m; i += 8)
                tile_block(8, 1, LANES, k, a + i * ai, ai, ak, b + x, ldb, c + i * ldc + x, ldc,
                           add);
        if (two && whole)
            for (; i < m; i++)
                tile_block(1, 2, 2 * LANES, k, a + i * ai, ai, ak, b + x, ldb, c + i * ldc + x, ldc,
                           add);
        else if (whole)
            for (; i < m; i++)
                tile_block(1, 1, LANES, k, a + i * ai, ai, ak, b + x, ldb, c + i * ldc + x, ldc,
                           add);
        else if (two)
            for (; i < m; i++)
                tile_block(1, 2, left, k, a + i * ai, ai, ak, b + x, ldb, c + i * ldc + x, ldc,
                           add);
        else
            for (; i < m; i++)
                tile_block(1, 1, left, k, a + i * ai, ai, ak, b + x, ldb, c + i * ldc + x, ldc,
                           add);
    }
}

#endif
