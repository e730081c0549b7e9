/* Matrix products that are exactly defined, so that no processor, library or number of threads
 * decides a bit of them. With k cut into blocks at 256, 512, ..,
 *   s_b = fma(a_ik, b_kj, ..) over block b in the order of k, one chain that begins with +0
 *   c   = scale s_0, or c + scale s_0 when `add`; then c = c + scale s_b for b = 1, 2, ..
 *   c   = c + bias
 * where each product, sum and fma rounds once. Without any k, c is 0 or what it was, + bias. What a
 * NaN carries is not defined. Rows and columns are cut and padded as it suits (gemm_tile.h), k is
 * not. The k of gemm_weight are the rows of a micro-batch from its first one on, so `accumulate` is
 * part of the bits, as it is of a stage's id. */
#include "core/cpu/vec.h"

#ifdef SANLAB_DOUBLE
#include "core/cpu/blas.h"

/* Doubles are the witnesses of floats: their products are a library's. */
void CPU(gemm)(const struct gemm *g)
{
    blas_gemm(g);
}

void CPU(gemm_weight)(const struct gemm_weight *g)
{
    blas_gemm_weight(g);
}

void CPU(pack)(const struct pack *p)
{
    CHECK(false, "the double table packs nothing (%d columns)", p->N);
}

#else
#include <omp.h>

#include "core/cpu/cpu.h"
#include "core/cpu/gemm_tile.h"

enum {
    BLOCK = 256,                 /* of k */
    TILES = 240 / GEMM_ROWS,     /* of A that a thread packs at once, for its second cache */
    SHARED = CPU_PACKED / BLOCK, /* columns of B that are packed at once, for the last cache */
    LEFT = 0,
    RIGHT,
    OPERAND /* slots of scratch */
};

struct product {
    int M, N, K;
    const real *a, *b; /* elements (i, k) and (k, j) are a[i ai + k ak] and b[k bk + j bj] */
    int64_t ai, ak, bk, bj;
    const real *packed; /* all of B, or NULL */
    real *c;            /* [M, N] */
    int64_t ldc;
    bool add;
    real scale;
    const real *bias;
};

/* A part of the work: tiles and panels of C, blocks of k. */
struct share {
    int tile, tile_end, panel, panel_end, k, k_end;
};

/* Panels of B that are packed: `panels` of them from `panel` on, block after block from k on. */
struct right {
    real *packed; /* NULL: every thread packs what it needs, panel by panel */
    int panel, panels, k;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int parts(int all, int most)
{
    return (all + most - 1) / most;
}

static real *panel_of(const struct right *right, int panel, int k, int K)
{
    return right->packed + (int64_t)(k - right->k) * right->panels * GEMM_PANEL +
           (int64_t)(panel - right->panel) * GEMM_PANEL * K;
}

static void pack_panel(const struct product *p, int panel, int k, int K, real *to)
{
    const int j = panel * GEMM_PANEL;
    gemm_pack_panel(K, least(GEMM_PANEL, p->N - j), p->b + k * p->bk + j * p->bj, p->bk, p->bj, to);
}

static void compute(const struct product *p, int tiles, const struct right *right, struct share s)
{
    const bool direct = p->bj == 1 && tiles == 1; /* every panel is read once */
    real *left = CPU(scratch)(LEFT, TILES * (GEMM_ROWS * BLOCK + GEMM_MARGIN));
    real *own = CPU(scratch)(RIGHT, GEMM_PANEL * BLOCK);
    const int height = parts(s.tile_end - s.tile, parts(s.tile_end - s.tile, TILES));
    for (int t0 = s.tile; t0 < s.tile_end; t0 += height) {
        const int t1 = least(t0 + height, s.tile_end);
        for (int k = s.k; k < s.k_end; k += BLOCK) {
            const int K = least(BLOCK, p->K - k);
            struct finish finish = {.add = p->add || k > 0, .scale = p->scale};
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
                    pack_panel(p, q, k, K, own);
                if (p->bias && k + K == p->K) finish.bias = p->bias + j;
                for (int t = t0; t < t1; t++) {
                    const int i = part_at(p->M, tiles, t);
                    gemm_tile(part_at(p->M, tiles, t + 1) - i, K,
                              left + (t - t0) * (GEMM_ROWS * K + GEMM_MARGIN), b, ldb,
                              p->c + i * p->ldc + j, p->ldc, columns, &finish);
                }
            }
        }
    }
}

/* C in down x across shares for the threads, none of them much larger than another. A is packed
 * anew for every share of a row of them, so there are several across only where there are few
 * tiles. B is packed by all threads together, or, where few tiles read it, by who needs it. */
static void product(const struct product *p)
{
    const int tiles = parts(p->M, GEMM_ROWS), panels = parts(p->N, GEMM_PANEL);
    const bool alone = 2.0 * p->M * p->N * p->K < 4e5; /* not worth waking others */
    const int threads = alone ? 1 : omp_get_max_threads();
    const bool shared = !p->packed && (tiles > TILES || panels < 4 * threads);
    const int wide = shared ? least(panels, SHARED / GEMM_PANEL) : panels;
    const int deep = shared ? SHARED / (wide * GEMM_PANEL) * BLOCK : p->K;
    int down = parts(tiles, TILES), across = 1;
    if (shared || p->packed) { /* shares of four tiles at least */
        if (down < 4 * threads) down = least(4 * threads, parts(tiles, 4));
        if (down > threads) down = parts(down, threads) * threads;
    }
    while (threads > 1 && down * across < 2 * threads && 2 * across <= wide) across *= 2;
    real *room =
        shared ? CPU(scratch)(OPERAND, (int64_t)wide * GEMM_PANEL * least(deep, p->K)) : NULL;
#pragma omp parallel if (threads > 1)
    for (int q = 0; q < panels; q += wide) {
        for (int k = 0; k < p->K; k += deep) {
            const int q_end = least(panels, q + wide), k_end = least(p->K, k + deep);
            const struct right right = {shared ? room : (real *)(uintptr_t)p->packed, q, q_end - q,
                                        k};
            if (shared) {
#pragma omp for collapse(2) schedule(static)
                for (int block = k; block < k_end; block += BLOCK)
                    for (int panel = q; panel < q_end; panel++) {
                        const int K = least(BLOCK, p->K - block);
                        pack_panel(p, panel, block, K, panel_of(&right, panel, block, K));
                    }
            }
#pragma omp for collapse(2) schedule(dynamic)
            for (int y = 0; y < down; y++)
                for (int x = 0; x < across; x++)
                    compute(p, tiles, &right,
                            (struct share){part_at(tiles, down, y), part_at(tiles, down, y + 1),
                                           q + part_at(q_end - q, across, x),
                                           q + part_at(q_end - q, across, x + 1), k, k_end});
        }
    }
}

/* K = 0. */
static void empty_product(const struct product *p)
{
    for (int i = 0; i < p->M; i++)
        for (int j = 0; j < p->N; j++) {
            real *c = p->c + i * p->ldc + j;
            if (!p->add) *c = 0;
            if (p->bias) *c += p->bias[j];
        }
}

static void any_product(const struct product *p)
{
    if (p->M == 0 || p->N == 0) return;
    if (p->K == 0)
        empty_product(p);
    else
        product(p);
}

void CPU(gemm)(const struct gemm *g)
{
    const bool ta = g->transpose_a, tb = g->transpose_b;
    any_product(&(struct product){.M = g->M,
                                  .N = g->N,
                                  .K = g->K,
                                  .a = in(g->a),
                                  .b = in(g->b),
                                  .ai = ta ? 1 : g->lda,
                                  .ak = ta ? g->lda : 1,
                                  .bk = tb ? 1 : g->ldb,
                                  .bj = tb ? g->ldb : 1,
                                  .packed = in(g->packed),
                                  .c = out(g->c),
                                  .ldc = g->ldc,
                                  .add = g->add,
                                  .scale = g->scale,
                                  .bias = g->bias});
}

void CPU(gemm_weight)(const struct gemm_weight *g)
{
    any_product(&(struct product){.M = g->M,
                                  .N = g->N,
                                  .K = g->T,
                                  .a = in(g->a),
                                  .b = in(g->b),
                                  .ai = 1,
                                  .ak = g->lda,
                                  .bk = g->ldb,
                                  .bj = 1,
                                  .c = g->c,
                                  .ldc = g->N,
                                  .add = g->add,
                                  .scale = g->scale});
}

void CPU(pack)(const struct pack *p)
{
    const bool turned = p->transpose_b;
    const struct product of = {
        .N = p->N, .K = p->K, .b = in(p->b), .bk = turned ? 1 : p->ldb, .bj = turned ? p->ldb : 1};
    const struct right right = {out(p->packed), 0, parts(p->N, GEMM_PANEL), 0};
#pragma omp parallel for collapse(2) schedule(static)
    for (int k = 0; k < p->K; k += BLOCK)
        for (int panel = 0; panel < right.panels; panel++) {
            const int K = least(BLOCK, p->K - k);
            pack_panel(&of, panel, k, K, panel_of(&right, panel, k, K));
        }
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
