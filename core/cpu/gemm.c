/* Computes matrix products. Their bits are defined here: they do not depend on processor, library
 * or number of threads. */

/* The definition of C = scale A B, with k cut into blocks at 256, 512, ..:
 *   s_b = fma(a_ik, b_kj, ..) over block b in the order of k, one chain that begins with +0
 *   c   = scale s_0, or c + scale s_0 with `add`; then c = c + scale s_b for b = 1, 2, ..
 *   c   = c + bias
 * Each product, sum and fma rounds once. If K is 0, c is 0 (with `add`: unchanged), plus the bias.
 * The payload of a NaN is undefined. Rows and columns may be cut and padded arbitrarily
 * (gemm_tile.h), k may not. For gemm_weight, k is a row of a micro-batch. So the option
 * `accumulate`, the number of micro-batches, affects the bits. It is part of a stage's id. */
#include "core/cpu/vec.h"

#ifdef SANLAB_DOUBLE
#include "core/cpu/blas.h"
#include "core/cpu/cpu.h"
#include "core/cpu/gemm_each.h"

/* The double build verifies the float build. So it computes products by a library, not by the code
 * that it verifies. */
void CPU(gemm)(const struct gemm *g)
{
    blas_gemm(g);
}

void CPU(gemm_weight)(const struct gemm_weight *g)
{
    blas_gemm_weight(g);
    cpu_sum_bias(g, CPU(sum_columns));
}

void CPU(pack)(const struct pack *p)
{
    CHECK(false, "the double table packs nothing (%d columns)", p->N);
}

#else
#include <omp.h>

#include "core/cpu/cpu.h"
#include "core/cpu/gemm_each.h"
#include "core/cpu/gemm_tile.h"

enum {
    BLOCK = 256, /* block size of k */
    /* maximum number of tiles of A that a thread packs together; they fit into the L2 cache */
    TILES = 240 / GEMM_ROWS,
    /* Size of the part of B that is packed together. COLUMNS limits its columns times its blocks of
     * k, so that the part fits into the L2 cache. A single block of k may have up to COLUMNS_MOST
     * columns, which fit into the last-level cache. */
    COLUMNS = 1024,
    COLUMNS_MOST = CPU_PACKED / BLOCK,
    /* number of multiply-adds that take as long as one number of other loops (worth_sharing) */
    PRODUCTS = 12,
    IN_PLACE = 4, /* maximum number of panels for which A is read in place */
    PAGE = 1024,  /* numbers in a page of memory */
    STREAMS = 64, /* maximum number of panels that a thread fills at the same time */
    /* minimum columns of a share: with fewer, packing A would take too much of the time */
    COLUMNS_OF_SHARE = 192,
    LEFT = 0,
    RIGHT,
    OPERAND /* LEFT, RIGHT and OPERAND are slots of scratch memory */
};

struct product {
    int M, N, K;
    const real *a, *b; /* elements (i, k) and (k, j) are a[i ai + k ak] and b[k bk + j bj] */
    int64_t ai, ak, bk, bj;
    const real *packed; /* all of B in packed form, or NULL */
    real *c;            /* [M, N] */
    int64_t ldc;
    bool add;
    real scale;
    const real *bias;
};

/* A part of the work: ranges of tiles and panels of C, and of k. */
struct share {
    int tile, tile_end, panel, panel_end, k, k_end;
};

/* Packed panels of B: `panels` panels from `panel` on, for blocks of k from `k` on, ordered by
 * block. There are `margin` numbers of padding after a panel. */
struct right {
    real *packed; /* NULL: every thread packs the panels that it needs, one by one */
    int panel, panels, k, margin;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int parts(int all, int size)
{
    return (all + size - 1) / size;
}

static real *panel_of(const struct right *right, int panel, int k, int K)
{
    const int block = (k - right->k) / BLOCK;
    return right->packed + (int64_t)block * right->panels * (BLOCK * GEMM_PANEL + right->margin) +
           (int64_t)(panel - right->panel) * (K * GEMM_PANEL + right->margin);
}

/* Packs K rows of b [.., N] from k on into panels [K][GEMM_PANEL], with `margin` numbers between
 * two panels. */
static void pack_panels(const struct product *p, int panel, int panels, int k, int K, real *to,
                        int margin)
{
    const int j = panel * GEMM_PANEL;
    gemm_pack_panels(K, least(panels * GEMM_PANEL, p->N - j), p->b + k * p->bk + j * p->bj, p->bk,
                     p->bj, to, K * GEMM_PANEL + margin);
}

/* Packs B with all threads of a team, in parallel over blocks of k and over groups of neighboring
 * panels. */
static void pack_right(const struct product *p, const struct right *right, int k_end, int threads)
{
    const int run = least(STREAMS, parts(right->panels, threads));
#pragma omp for collapse(2) schedule(static)
    for (int k = right->k; k < k_end; k += BLOCK)
        for (int panel = 0; panel < right->panels; panel += run) {
            const int K = least(BLOCK, p->K - k), first = right->panel + panel;
            pack_panels(p, first, least(run, right->panels - panel), k, K,
                        panel_of(right, first, k, K), right->margin);
        }
}

/* Returns the memory of a part of an operand: element (i, j) is at[i * down + j * across]; down or
 * across is 1. */
static struct gemm_soon soon_of(const real *at, int rows, int64_t down, int columns, int64_t across)
{
    if (across == 1) return (struct gemm_soon){at, down, rows, columns};
    return (struct gemm_soon){at, across, columns, rows};
}

/* Returns the memory of a panel of B in the block of k at k. */
static struct gemm_soon soon_right(const struct product *p, int panel, int k)
{
    const int j = panel * GEMM_PANEL;
    return soon_of(p->b + k * p->bk + j * p->bj, least(BLOCK, p->K - k), p->bk,
                   least(GEMM_PANEL, p->N - j), p->bj);
}

/* Returns the memory of the tiles of A that this thread probably packs after tiles t0 to t1 - 1 of
 * the block at k. These are the same tiles of the share's next block. After its last block, they
 * are as many tiles behind those of the other threads. */
static struct gemm_soon soon_left(const struct product *p, int tiles, int t0, int t1, int k,
                                  struct share s)
{
    int first = t0;
    k += BLOCK;
    if (k >= s.k_end) {
        k = s.k;
        first = t1 + (omp_get_num_threads() - 1) * (t1 - t0);
        if (first >= tiles) first -= tiles, k = s.k_end;
    }
    if (first < 0 || first >= tiles || k >= p->K) return (struct gemm_soon){0};
    const int i = part_at(p->M, tiles, first);
    const int end = part_at(p->M, tiles, least(tiles, first + t1 - t0));
    return soon_of(p->a + i * p->ai + k * p->ak, end - i, p->ai, least(BLOCK, p->K - k), p->ak);
}

/* Computes a share of C [M, N], one block of k after the other. The tiles of A stay in the L2 cache
 * while the share's panels are processed. All tiles read a panel before the next panel is loaded.
 */
static void compute(const struct product *p, int tiles, const struct right *right, struct share s)
{
    /* only one tile reads a panel, so packing would not save time */
    const bool direct = p->bj == 1 && tiles == 1;
    /* few panels read A, so packing it would not save time either, unless its k are far apart */
    const bool in_place = parts(p->N, GEMM_PANEL) <= IN_PLACE && p->ak < PAGE;
    if (s.panel == s.panel_end) return;
    real *left = CPU(scratch)(LEFT, TILES * (GEMM_ROWS * BLOCK + GEMM_MARGIN));
    real *own = CPU(scratch)(RIGHT, GEMM_PANEL * BLOCK);
    const int height = parts(s.tile_end - s.tile, parts(s.tile_end - s.tile, TILES));
    for (int t0 = s.tile; t0 < s.tile_end; t0 += height) {
        const int t1 = least(t0 + height, s.tile_end);
        for (int k = s.k; k < s.k_end; k += BLOCK) {
            const int K = least(BLOCK, p->K - k);
            struct finish finish = {.add = p->add || k > 0, .scale = p->scale};
            const struct gemm_soon next_tiles = soon_left(p, tiles, t0, t1, k, s);
            int pieces = 0; /* of next_tiles that were prefetched */
            if (!in_place)
                gemm_pack_tiles(p->M, tiles, t0, t1, K, p->a + k * p->ak, p->ai, p->ak, left);
            for (int q = s.panel; q < s.panel_end; q++) {
                const int j = q * GEMM_PANEL, columns = least(GEMM_PANEL, p->N - j);
                const real *b = own;
                int64_t ldb = GEMM_PANEL;
                if (right->packed)
                    b = panel_of(right, q, k, K);
                else if (direct && columns == GEMM_PANEL)
                    b = p->b + k * p->bk + j, ldb = p->bk;
                else
                    pack_panels(p, q, 1, k, K, own, 0);
                struct gemm_soon next_panel = {0};
                if (!right->packed && q + 1 < s.panel_end) next_panel = soon_right(p, q + 1, k);
                if (p->bias && k + K == p->K) finish.bias = p->bias + j;
                for (int t = t0; t < t1; t++) {
                    const int i = part_at(p->M, tiles, t);
                    struct gemm_soon piece = gemm_piece(&next_panel, t - t0);
                    if (!piece.ld) piece = gemm_piece(&next_tiles, pieces++);
                    if (!piece.ld) piece.at = left; /* an address that costs nothing */
                    const int rows = part_at(p->M, tiles, t + 1) - i;
                    const real *a = left + (t - t0) * (GEMM_ROWS * K + GEMM_MARGIN);
                    int64_t ai = 1, ak = rows;
                    if (in_place) a = p->a + i * p->ai + k * p->ak, ai = p->ai, ak = p->ak;
                    gemm_tile(rows, K, a, ai, ak, b, ldb, p->c + i * p->ldc + j, p->ldc, columns,
                              &finish, piece);
                }
            }
        }
    }
}

/* Cuts C into `down` times `across` shares of similar size for the threads. Shares with the same
 * rows each pack these rows of A, so `across` exceeds 1 only for few tiles. All threads together
 * pack B. Exception: if few tiles read B, each thread packs the panels that it needs. */
static void product(const struct product *p)
{
    const int tiles = parts(p->M, GEMM_ROWS), panels = parts(p->N, GEMM_PANEL);
    const bool alone = !worth_sharing((int64_t)p->M * p->N * p->K / PRODUCTS);
    const int threads = alone ? 1 : omp_get_max_threads();
    const bool few = tiles <= TILES && p->N >= 2 * threads * COLUMNS_OF_SHARE;
    const bool shared = !p->packed && !few;
    const int columns =
        /* with more columns, a large C is read and written less often */
        tiles > 4 * TILES ? COLUMNS_MOST : COLUMNS;
    const int wide = few ? panels : least(panels, COLUMNS_MOST / GEMM_PANEL);
    const int blocks = columns / (wide * GEMM_PANEL), deep = few ? p->K : most(blocks, 1) * BLOCK;
    int down = parts(tiles, TILES), across = 1;
    if (!few) { /* shares of at least four tiles */
        if (down < 2 * threads) down = least(2 * threads, parts(tiles, 4));
        if (down > threads) down = parts(down, threads) * threads;
    }
    while (threads > 1 && down * across < 2 * threads && 2 * across <= wide) across *= 2;
    const int64_t capacity = (int64_t)wide * (BLOCK * GEMM_PANEL + GEMM_MARGIN);
    real *packed =
        shared ? CPU(scratch)(OPERAND, capacity * parts(least(deep, p->K), BLOCK)) : NULL;
#pragma omp parallel if (threads > 1)
    for (int q = 0; q < panels; q += wide) {
        for (int k = 0; k < p->K; k += deep) {
            const int q_end = least(panels, q + wide), k_end = least(p->K, k + deep);
            const struct right whole = {(real *)(uintptr_t)p->packed, 0, panels, 0, 0};
            const struct right part = {packed, q, q_end - q, k, GEMM_MARGIN};
            const struct right *right = shared ? &part : &whole;
            if (shared) pack_right(p, right, k_end, threads);
#pragma omp for collapse(2) schedule(dynamic)
            for (int y = 0; y < down; y++)
                for (int x = 0; x < across; x++)
                    compute(p, tiles, right,
                            (struct share){part_at(tiles, down, y), part_at(tiles, down, y + 1),
                                           q + part_at(q_end - q, across, x),
                                           q + part_at(q_end - q, across, x + 1), k, k_end});
        }
    }
}

/* K = 0: c [M, N] = (c if add) + bias. */
static void empty_product(const struct product *p)
{
    for (int i = 0; i < p->M; i++)
        for (int j = 0; j < p->N; j++) {
            real *c = p->c + i * p->ldc + j;
            if (!p->add) *c = 0;
            if (p->bias) *c += p->bias[j];
        }
}

static void one_gemm(const struct gemm *g)
{
    const bool ta = g->transpose_a, tb = g->transpose_b;
    struct product p = {.M = g->M, .N = g->N, .K = g->K, .add = g->add, .scale = g->scale};
    p.a = in(g->a), p.ai = ta ? 1 : g->lda, p.ak = ta ? g->lda : 1;
    p.b = in(g->b), p.bk = tb ? 1 : g->ldb, p.bj = tb ? g->ldb : 1;
    p.packed = in(g->packed);
    p.c = out(g->c), p.ldc = g->ldc;
    p.bias = in(g->bias);
    if (p.M == 0 || p.N == 0) return;
    if (p.K == 0)
        empty_product(&p);
    else
        product(&p);
}

/* C = scale op(A) op(B) (+ C) (+ bias): [M, K] by [K, N] -> [M, N], as defined above. */
void CPU(gemm)(const struct gemm *g)
{
    cpu_gemm_each(g, one_gemm);
}

/* dW (+)= scale A^T B, db (+)= sum_t B[t]: A [T, M], B [T, N] -> dW [M, N], db [N]. */
void CPU(gemm_weight)(const struct gemm_weight *g)
{
    cpu_gemm_weight_each(g, one_gemm);
    cpu_sum_bias(g, CPU(sum_columns));
}

/* Packs B [K, N] into panels [K][GEMM_PANEL], ordered by block of k, with all threads. */
void CPU(pack)(const struct pack *p)
{
    const bool turned = p->transpose_b;
    if (p->N == 0 || p->K == 0) return;
    const struct product of = {
        .N = p->N, .K = p->K, .b = in(p->b), .bk = turned ? 1 : p->ldb, .bj = turned ? p->ldb : 1};
    const struct right right = {out(p->packed), 0, parts(p->N, GEMM_PANEL), 0, 0};
#pragma omp parallel if (worth_sharing((int64_t)p->N * p->K))
    pack_right(&of, &right, p->K, omp_get_num_threads());
}

#endif

/* sum[j] (+)= sum_t x[t, j]: x [T, N] -> sum [N]. Parallel over blocks of 16 columns. Even and odd
 * rows are two separate chains of additions, so that an addition need not wait for the one before
 * it. */
void CPU(sum_columns)(const struct act *x, int T, const int32_t *rows, int N, int ld, bool add,
                      real *sum)
{
    T = op_rows(T, rows);
    const int blocks = (N + LANES - 1) / LANES;
#pragma omp parallel for schedule(static) if (blocks > 1 && worth_sharing((int64_t)T * N))
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
