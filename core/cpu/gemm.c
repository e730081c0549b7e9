/* Matrix products: fixed blocks of the output, each by single-threaded BLAS, so that the number of
 * threads does not change a bit (plain multi-threaded OpenBLAS splits sums by thread). The region
 * is parallel even around a single block: outside of one OpenBLAS would use all threads. */
#include <cblas.h>

#include "core/cpu/vec.h"

#ifdef SANLAB_DOUBLE
#define BLAS_GEMM cblas_dgemm
#else
#define BLAS_GEMM cblas_sgemm
#endif

/* Blocks depend on the shape alone. Every block packs its operands again, so few, large and square
 * ones cost least: the longer side is halved while a half of c blocks keeps 16e6 c^2 operations
 * (two blocks of almost anything, eight of the largest). */
struct blocks {
    int down, across, rows, columns;
};

static struct blocks blocks_of(int M, int N, int K)
{
    enum { MOST = 16, ROUND = 16 };
    struct blocks blocks = {1, 1, M, N};
    double half = 1.0 * M * N * K; /* operations of half a block: a product has 2 M N K */
    for (double count = 1; count < MOST && half >= 16e6 * count * count; count *= 2, half /= 2) {
        int *side = blocks.rows >= blocks.columns ? &blocks.rows : &blocks.columns;
        *side = (*side / 2 + ROUND - 1) / ROUND * ROUND;
    }
    blocks.down = (M + blocks.rows - 1) / blocks.rows;
    blocks.across = (N + blocks.columns - 1) / blocks.columns;
    return blocks;
}

static void product(bool ta, bool tb, int M, int N, int K, real alpha, const real *a, int lda,
                    const real *b, int ldb, real beta, real *c, int ldc, const real *bias)
{
    const struct blocks blocks = blocks_of(M, N, K);
    const int rows = blocks.rows, columns = blocks.columns;
    const int down = blocks.down, across = blocks.across;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int y = 0; y < down; y++) {
        for (int x = 0; x < across; x++) {
            const int i = y * rows, j = x * columns;
            const int m = M - i < rows ? M - i : rows, n = N - j < columns ? N - j : columns;
            const real *a_block = a + (ta ? i : (int64_t)i * lda);
            const real *b_block = b + (tb ? (int64_t)j * ldb : j);
            real *c_block = c + (int64_t)i * ldc + j;
            BLAS_GEMM(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
                      tb ? CblasTrans : CblasNoTrans, m, n, K, alpha, a_block, lda, b_block, ldb,
                      beta, c_block, ldc);
            if (!bias) continue;
            for (int r = 0; r < m; r++) {
                real *row = c_block + (int64_t)r * ldc;
                for (int k = 0; k < n; k += LANES)
                    vec_store(row + k, n - k,
                              vec_load(row + k, n - k) + vec_load(bias + j + k, n - k));
            }
        }
    }
}

void CPU(gemm)(const struct gemm *g)
{
    if (g->M == 0 || g->N == 0) return;
    product(g->transpose_a, g->transpose_b, g->M, g->N, g->K, g->scale, in(g->a), g->lda, in(g->b),
            g->ldb, g->add ? 1 : 0, out(g->c), g->ldc, g->bias);
}

void CPU(gemm_weight)(const struct gemm_weight *g)
{
    if (g->M == 0 || g->N == 0) return;
    product(true, false, g->M, g->N, g->T, g->scale, in(g->a), g->lda, in(g->b), g->ldb,
            g->add ? 1 : 0, g->c, g->N, NULL);
}

/* Columns in blocks; within one, rows in order: one fixed order of additions. */
void CPU(sum_columns)(const struct act *x, int T, int N, int ld, bool add, real *sum)
{
    const int blocks = (N + LANES - 1) / LANES;
#pragma omp parallel for schedule(static) if (blocks > 1)
    for (int block = 0; block < blocks; block++) {
        const int c = block * LANES, n = N - c;
        vec even = {0}, odd = {0};
        const real *row = in(x) + c;
        int t = 0;
        for (; t + 1 < T; t += 2, row += 2 * (int64_t)ld) {
            even += vec_load(row, n);
            odd += vec_load(row + ld, n);
        }
        if (t < T) even += vec_load(row, n);
        even += odd;
        if (add) even += vec_load(sum + c, n);
        vec_store(sum + c, n, even);
    }
}
