/* Matrix products of our own. K is cut at 0, 256, 512, ..; the sum of a block is one chain of
 * multiply-adds from +0 in the order of k; then c = scale * sum (added to what is there when `add`,
 * and from the second block on), last the bias. So the bits depend on nothing else: not on tiles,
 * threads, packing or instruction set. */
#include "core/cpu/vec.h"

#ifdef SANLAB_DOUBLE
#include "core/cpu/blas.h"

void CPU(gemm)(const struct gemm *g)
{
    blas_gemm(g);
}

void CPU(gemm_weight)(const struct gemm_weight *g)
{
    blas_gemm_weight(g);
}

#else

enum {
    ROWS = (int)REG == (int)LANES ? 12 : 6, /* of a tile; two registers are its columns */
    COLUMNS = 2 * REG,
    DEPTH = 256 /* of a block of K */
};
enum { LEFT, RIGHT }; /* slots of scratch */

/* op(A) and op(B): the distances of two rows and of two columns. */
struct operand {
    const real *x;
    int64_t down, across;
};

static void pack(struct operand from, int rows, int columns, int width, real *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++)
            to[(int64_t)i * width + j] = j < columns ? from.x[i * from.down + j * from.across] : 0;
}

/* One tile: a is [depth, ROWS], b [depth, COLUMNS]. */
static void tile(int depth, const real *a, const real *b, int rows, int columns, real scale,
                 bool add, const real *bias, real *c, int ldc)
{
    reg sum[ROWS][2] = {0};
    for (int k = 0; k < depth; k++)
#pragma GCC unroll 16
        for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 2
            for (int x = 0; x < 2; x++)
                sum[i][x] =
                    reg_fma(a[k * ROWS + i], reg_load(b + k * COLUMNS + x * REG, REG), sum[i][x]);
#pragma GCC unroll 16
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 2
        for (int x = 0; x < 2; x++) {
            const int left = columns - x * REG;
            if (i >= rows || left <= 0) continue;
            real *at = c + (int64_t)i * ldc + x * REG;
            reg y = sum[i][x] * scale;
            if (add) y = reg_load(at, left) + y;
            if (bias) y = y + reg_load(bias + x * REG, left);
            reg_store(at, left, y);
        }
}

static void product(struct operand a, struct operand b, int M, int N, int K, real scale, bool add,
                    const real *bias, real *c, int ldc)
{
    for (int i = 0; K == 0 && i < M; i++)
        for (int j = 0; j < N; j++) {
            real *at = c + (int64_t)i * ldc + j;
            *at = (add ? *at : 0) + (bias ? bias[j] : 0);
        }
    const int panels = (N + COLUMNS - 1) / COLUMNS;
    real *right = CPU(scratch)(RIGHT, (int64_t)panels * COLUMNS * DEPTH);
    for (int k = 0; k < K; k += DEPTH) {
        const int depth = K - k < DEPTH ? K - k : DEPTH;
        const bool more = add || k > 0;
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (int p = 0; p < panels; p++)
                pack((struct operand){b.x + k * b.down + p * COLUMNS * b.across, b.down, b.across},
                     depth, N - p * COLUMNS, COLUMNS, right + (int64_t)p * COLUMNS * depth);
            real *left = CPU(scratch)(LEFT, (int64_t)ROWS * DEPTH);
#pragma omp for schedule(static)
            for (int i = 0; i < M; i += ROWS) {
                pack((struct operand){a.x + i * a.down + k * a.across, a.across, a.down}, depth,
                     M - i, ROWS, left);
                for (int p = 0; p < panels; p++)
                    tile(depth, left, right + (int64_t)p * COLUMNS * depth, M - i, N - p * COLUMNS,
                         scale, more, k + depth == K && bias ? bias + p * COLUMNS : NULL,
                         c + (int64_t)i * ldc + p * COLUMNS, ldc);
            }
        }
    }
}

static struct operand operand(const struct act *x, int ld, bool transpose)
{
    return transpose ? (struct operand){in(x), 1, ld} : (struct operand){in(x), ld, 1};
}

void CPU(gemm)(const struct gemm *g)
{
    product(operand(g->a, g->lda, g->transpose_a), operand(g->b, g->ldb, g->transpose_b), g->M,
            g->N, g->K, g->scale, g->add, g->bias, out(g->c), g->ldc);
}

void CPU(gemm_weight)(const struct gemm_weight *g)
{
    product(operand(g->a, g->lda, true), operand(g->b, g->ldb, false), g->M, g->N, g->T, g->scale,
            g->add, NULL, g->c, g->N);
}

#endif

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
