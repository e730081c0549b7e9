/* Computes a tile of a matrix product C = A B in registers, and packs A and B for it (Goto and van
 * de Geijn 2008). A tile is two registers wide. Its height is as large as the registers allow: 12 x
 * 32 with AVX-512, 6 x 16 with AVX2, 10 x 8 with NEON. Over a block of k, each element of C is one
 * chain of multiply-adds. A is packed in tiles [K][rows] or read in place. B is packed in panels
 * [K][GEMM_PANEL]. */
#pragma once

#include "core/cpu/vec.h"

enum {
    GEMM_ROWS = (int)REG == (int)LANES  ? 12
                : (int)REG == LANES / 2 ? 6
                                        : 10,
    /* Padding after every packed tile, and after panels that are written together, in numbers.
     * Stores of whole registers may write past the end of a tile. The padding also avoids distances
     * of a power of two, which would map the same k of all tiles to one cache set. */
    GEMM_MARGIN = LANES,
    GEMM_SOON = 2, /* rows of memory that are prefetched per row of a tile */
    GEMM_AHEAD = 4 /* distance between prefetching and copying, in rows of memory */
};

/* Final step after the sum over a block of k: C = scale * sum, + C if `add`, + bias if it is not
 * NULL. */
struct finish {
    bool add;
    real scale;
    const real *bias; /* bias of the panel's columns, or NULL */
};

/* Memory from which an operand will be packed soon: `rows` rows of `columns` numbers, ld numbers
 * apart. While a tile is computed, a piece of this memory is prefetched, so that packing need not
 * wait for it. A piece has GEMM_ROWS * GEMM_SOON rows of GEMM_PANEL columns. */
struct gemm_soon {
    const real *at;
    int64_t ld;
    int rows, columns;
};

/* Returns the beginning of piece n. If there is no such piece, ld is 0. The piece may extend past
 * the end of the memory: a prefetch never faults. */
INLINE struct gemm_soon gemm_piece(const struct gemm_soon *soon, int n)
{
    const int across = (soon->columns + GEMM_PANEL - 1) / GEMM_PANEL;
    const int row = across ? n / across * GEMM_ROWS * GEMM_SOON : 0;
    if (row >= soon->rows) return (struct gemm_soon){0};
    return (struct gemm_soon){.at = soon->at + row * soon->ld + n % across * GEMM_PANEL,
                              .ld = soon->ld};
}

/* Applies `finish` to the sums of a tile, and writes the tile to C. rows, vecs and `whole` must be
 * constants. `whole` is true if the columns fill all `vecs` registers. */
INLINE void gemm_finish(const int rows, const int vecs, const bool whole, reg sum[GEMM_ROWS][2],
                        real *restrict c, int64_t ldc, int columns, const struct finish *finish)
{
    const int last = whole ? REG : columns - (vecs - 1) * REG;
    if (finish->scale != 1) {
#pragma GCC unroll 12
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
            for (int x = 0; x < vecs; x++) sum[i][x] *= finish->scale;
    }
    if (finish->add) {
#pragma GCC unroll 12
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
            for (int x = 0; x < vecs; x++)
                sum[i][x] += reg_load(c + i * ldc + x * REG, x < vecs - 1 ? REG : last);
    }
    if (finish->bias) {
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++) {
            const reg bias = reg_load(finish->bias + x * REG, x < vecs - 1 ? REG : last);
#pragma GCC unroll 12
            for (int i = 0; i < rows; i++) sum[i][x] += bias;
        }
    }
#pragma GCC unroll 12
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++)
            reg_store(c + i * ldc + x * REG, x < vecs - 1 ? REG : last, sum[i][x]);
}

/* Computes a tile of C over K values of k, from a and b. Element (i, k) of A is a[i * ai + k * ak];
 * ai or ak is the constant 1. b has a row for each k, ldb numbers apart. Meanwhile, C and the piece
 * `soon` are prefetched, a few lines at a time. If all lines were requested at once, loads of A
 * would wait. */
INLINE void gemm_rows(const int rows, const int vecs, int K, const real *restrict a, int64_t ai,
                      int64_t ak, const real *restrict b, int64_t ldb, real *restrict c,
                      int64_t ldc, int columns, const struct finish *finish, struct gemm_soon soon)
{
    reg sum[GEMM_ROWS][2];
#pragma GCC unroll 12
    for (int i = 0; i < rows; i++) sum[i][0] = sum[i][1] = (reg){0};
    for (int row = 0, k = 0; row < rows; row++) {
#pragma GCC unroll 2
        for (int x = 0; x < vecs; x++) __builtin_prefetch(c + row * ldc + x * REG, 1);
        __builtin_prefetch(c + row * ldc + columns - 1, 1);
        for (int x = 0; x < GEMM_SOON; x++, soon.at += soon.ld) {
            __builtin_prefetch(soon.at);
            __builtin_prefetch(soon.at + REG);
        }
        for (const int end = K * (row + 1) / rows; k < end; k++, a += ak, b += ldb) {
            reg right[2];
#pragma GCC unroll 2
            for (int x = 0; x < vecs; x++) right[x] = reg_load(b + x * REG, REG);
#pragma GCC unroll 12
            for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
                for (int x = 0; x < vecs; x++) sum[i][x] = reg_fma(a[i * ai], right[x], sum[i][x]);
        }
    }
    if (columns == vecs * REG)
        gemm_finish(rows, vecs, true, sum, c, ldc, columns, finish);
    else
        gemm_finish(rows, vecs, false, sum, c, ldc, columns, finish);
}

/* Computes a tile as gemm_rows does. Element (i, k) of A is a[i * ai + k * ak]; ai or ak is 1. */
static void gemm_tile(int rows, int K, const real *a, int64_t ai, int64_t ak, const real *b,
                      int64_t ldb, real *c, int64_t ldc, int columns, const struct finish *finish,
                      struct gemm_soon soon)
{
#define TILE(count, vecs)                                                                          \
    if (ai != 1)                                                                                   \
        gemm_rows(count, vecs, K, a, ai, 1, b, ldb, c, ldc, columns, finish, soon);                \
    else if (ak != count)                                                                          \
        gemm_rows(count, vecs, K, a, 1, ak, b, ldb, c, ldc, columns, finish, soon);                \
    else /* packed */                                                                              \
        gemm_rows(count, vecs, K, a, 1, count, b, ldb, c, ldc, columns, finish, soon);
#define ROWS(count)                                                                                \
    case count:                                                                                    \
        if (count > GEMM_ROWS) break;                                                              \
        if (columns > REG) {                                                                       \
            TILE(count, 2)                                                                         \
        } else {                                                                                   \
            TILE(count, 1)                                                                         \
        }                                                                                          \
        break;
    switch (rows) {
        ROW_COUNTS(ROWS)
    }
#undef ROWS
#undef TILE
}

/* Splits `all` items into parts of similar size; the first parts may have one item more. Returns
 * the beginning of part i. */
INLINE int part_at(int all, int parts, int i)
{
    const int larger = all % parts;
    return i * (all / parts) + (i < larger ? i : larger);
}

/* Packs tiles first to end - 1 of A, for K values of k. The M rows of A are divided into `tiles`
 * tiles. Element (i, k) is a[i * ai + k * ak]; ai or ak is 1. A store of a whole register may write
 * past the numbers of its k. The store for the next k overwrites the excess. */
static void gemm_pack_tiles(int M, int tiles, int first, int end, int K, const real *a, int64_t ai,
                            int64_t ak, real *to)
{
    const int stride = GEMM_ROWS * K + GEMM_MARGIN;
    if (ai == 1) {
        for (int k = 0; k < K; k++) {
            const real *from = a + k * ak + part_at(M, tiles, first), *last = a + k * ak + M;
            const int64_t ahead = k + GEMM_AHEAD < K ? GEMM_AHEAD * ak : 0;
            for (int t = first; t < end; t++) {
                const int rows = M / tiles + (t < M % tiles);
                __builtin_prefetch(from + ahead);
#pragma GCC unroll 3
                for (int x = 0; x < GEMM_ROWS; x += REG)
                    reg_store(to + (t - first) * stride + k * rows + x, REG,
                              reg_load(from + x, last - from - x));
                from += rows;
            }
        }
        return;
    }
    for (int t = first; t < end; t++, to += stride) {
        const int row = part_at(M, tiles, t), rows = part_at(M, tiles, t + 1) - row;
        const int upper = rows > TURN ? rows - TURN : 0; /* rows before the last TURN rows */
        const real *from = a + row * ai;
        int k = 0;
        for (; k + TURN <= K; k += TURN) {
            if (upper) vec_transpose(from + k, ai, TURN, to + k * rows, rows);
            vec_transpose(from + upper * ai + k, ai, rows - upper, to + k * rows + upper, rows);
        }
        for (; k < K; k++)
            for (int i = 0; i < rows; i++) to[k * rows + i] = from[i * ai + k];
    }
}

/* Packs `columns` columns of B, for K values of k, into panels that begin `stride` numbers apart.
 * The last panel is padded with zeros. Element (k, j) is b[k * bk + j * bj]; bk or bj is 1. */
static void gemm_pack_panels(int K, int columns, const real *b, int64_t bk, int64_t bj, real *to,
                             int stride)
{
    if (bj == 1) { /* all panels together, in the order of the rows of B */
        for (int k = 0; k < K; k++, b += bk, to += GEMM_PANEL) {
            real *at = to;
            for (int j = 0; j < columns; j += GEMM_PANEL, at += stride)
#pragma GCC unroll 2
                for (int x = j; x < j + GEMM_PANEL; x += REG)
                    reg_store(at + x - j, REG,
                              x < columns ? reg_load(b + x, columns - x) : (reg){0});
        }
        return;
    }
    for (int j = 0; j < columns; j += GEMM_PANEL, to += stride, b += GEMM_PANEL * bj) {
        int k = 0;
        for (; k + TURN <= K; k += TURN)
            for (int x = 0; x < GEMM_PANEL; x += TURN)
                vec_transpose(b + k + x * bj, bj, columns - j - x, to + k * GEMM_PANEL + x,
                              GEMM_PANEL);
        for (; k < K; k++)
            for (int x = 0; x < GEMM_PANEL; x++)
                to[k * GEMM_PANEL + x] = x < columns - j ? b[k + x * bj] : 0;
    }
}
