/* Matrix products. The library computes products of the sizes for which it is fast (products.h).
 * Kernels of this file compute small or unaligned products, in tiles of 32 x 32 and steps of 32 in
 * k. */
#include "core/cuda/chunk.h"
#include "core/cuda/act.h"
#include "core/cuda/products.h"

enum { TILE = 32, THREADS = 256, WARPS = THREADS / WARP, ROWS = TILE / WARPS, THIN = 16 };

/* C = op(A) op(B) for `products` products. Element (i, k) of op(A) is a[i ai + k ak]. Element (k,
 * j) of op(B) is b[k bk + j bj]. For gradients of weights, k is divided into chunks, and each chunk
 * stores a partial sum. */
struct product_job {
    int64_t M, N, K;
    /* [1] actual M (with chunks: K) = rows[0] * each; NULL: M and K are exact */
    const int32_t *rows;
    int each;
    const struct act *a, *b;
    int64_t ai, ak, bk, bj, stride_a, stride_b;
    int64_t tiles_m, tiles_n; /* number of tiles of a product */
    float scale;
    struct act *c; /* [M, N], `stride_c` elements apart; NULL: part is written */
    int64_t ldc, stride_c;
    bool add;
    const struct act *bias;
    float *part;    /* [products, chunks, M, N]: partial sums */
    int64_t chunks; /* number of chunks of k; 0: k is not divided */
};

enum {
    CHUNK = 512, /* values of k per chunk */
    /* From this number of columns (N) or summands (K) on, multiply_whole computes the remainder of
     * the division by PACK separately. */
    ODD = 512
};

DEVICE_FN int64_t counted(int64_t launched, const struct product_job *p)
{
    return p->rows ? (int64_t)*p->rows * p->each : launched;
}

/* c[i, j] = scale sum_k a[i, k] b[k, j] (+ c[i, j]) (+ bias[j]), or the partial sum of a chunk: [M,
 * K] by [K, N] -> [M, N]. A block computes 32 x 32 elements of C. It loops over k in order, 32 at a
 * time. A warp computes four rows of these elements, and a lane computes one column. Rows in shared
 * memory have TILE + 1 elements, so that they begin in different banks. */
KERNEL(product_kernel, THREADS, struct product_job, p)
{
    SHARED(float, memory);
    float *a = memory, *b = memory + TILE * (TILE + 1); /* [TILE k][TILE + 1] */
    int64_t block = blockIdx.x;
    const int64_t j0 = block % p->tiles_n * TILE;
    block /= p->tiles_n;
    const int64_t i0 = block % p->tiles_m * TILE;
    block /= p->tiles_m;
    const int64_t chunk = p->chunks ? block % p->chunks : 0;
    const int64_t product = p->chunks ? block / p->chunks : block;
    const int64_t M = p->chunks ? p->M : counted(p->M, p);
    const int64_t all = p->chunks ? counted(p->K, p) : p->K;
    const int64_t k_end = p->chunks && (chunk + 1) * CHUNK < all ? (chunk + 1) * CHUNK : all;
    const struct act *of_a = act_from(p->a, product * p->stride_a);
    const struct act *of_b = act_from(p->b, product * p->stride_b);
    const int lane = lane_of(), warp = warp_of();
    float sum[ROWS];
    for (int r = 0; r < ROWS; r++) sum[r] = 0;
    for (int64_t k0 = chunk * CHUNK; k0 < k_end; k0 += TILE) {
        /* Consecutive lanes read consecutive addresses. */
        for (int r = warp; r < TILE; r += WARPS) {
            const int ka = p->ak == 1 ? lane : r, i = p->ak == 1 ? r : lane;
            const int kb = p->bj == 1 ? r : lane, j = p->bj == 1 ? lane : r;
            a[ka * (TILE + 1) + i] = i0 + i < M && k0 + ka < k_end
                                         ? act_get(of_a, (i0 + i) * p->ai + (k0 + ka) * p->ak)
                                         : 0;
            b[kb * (TILE + 1) + j] = j0 + j < p->N && k0 + kb < k_end
                                         ? act_get(of_b, (k0 + kb) * p->bk + (j0 + j) * p->bj)
                                         : 0;
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            for (int r = 0; r < ROWS; r++)
                sum[r] =
                    fmaf(a[k * (TILE + 1) + warp * ROWS + r], b[k * (TILE + 1) + lane], sum[r]);
        __syncthreads();
    }
    const int64_t j = j0 + lane;
    for (int r = 0; r < ROWS; r++) {
        const int64_t i = i0 + warp * ROWS + r;
        if (i >= M || j >= p->N) continue;
        float x = sum[r] * p->scale;
        if (p->chunks) {
            p->part[((product * p->chunks + chunk) * M + i) * p->N + j] = x;
            continue;
        }
        const int64_t at = product * p->stride_c + i * p->ldc + j;
        if (p->add) x += act_get(p->c, at);
        if (p->bias) x += act_get(p->bias, j);
        act_put(p->c, at, x);
    }
}

static void product(struct product_job *p, int products)
{
    p->tiles_m = parts(p->M, TILE), p->tiles_n = parts(p->N, TILE);
    if (!p->each) p->each = 1;
    const int64_t blocks = (products ? products : 1) * p->tiles_m * p->tiles_n;
    LAUNCH(product_kernel, blocks * (p->chunks ? p->chunks : 1),
           2 * TILE * (TILE + 1) * sizeof(float), p);
}

/* True if the rows of a matrix begin at multiples of 16 bytes. */
static bool aligned(const void *x, int64_t ld, int64_t next)
{
    return (uintptr_t)x % 16 == 0 && ld % PACK == 0 && next % PACK == 0;
}

struct mask_job {
    struct act *c;
    const uint32_t *mask;
    int64_t M, N, ldc;
};

/* Sets elements of c to 0 if their bit of the mask is 0. c is [M, N], mask is [M, N / 32]. A thread
 * processes one pack. */
KERNEL(mask_kernel, THREADS, struct mask_job, m)
{
    const int64_t at = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * PACK;
    if (at >= m->M * m->N) return;
    struct act *row = act_to(m->c, at / m->N * m->ldc);
    const struct stretch s = stretch_of(at % m->N, m->N);
    const uint32_t bits = m->mask[at / 32] >> (at % 32);
    struct packed x = pack_load(row, s);
    for (int i = 0; i < PACK; i++) x.x[i] = bits >> i & 1 ? x.x[i] : 0;
    pack_store(row, s, x);
}

static void mask_product(const struct gemm *g)
{
    struct mask_job m;
    memset(&m, 0, sizeof m);
    m.c = g->c, m.mask = g->mask, m.M = g->M, m.N = g->N, m.ldc = g->ldc;
    LAUNCH(mask_kernel, parts(m.M * m.N, THREADS * PACK), 0, &m);
}

static void multiply_thin(const struct gemm *g)
{
    struct product_job p;
    memset(&p, 0, sizeof p);
    p.M = g->M, p.N = g->N, p.K = g->K;
    p.rows = g->rows, p.each = g->each;
    p.a = g->a, p.b = g->b, p.stride_a = g->stride_a, p.stride_b = g->stride_b;
    p.ai = g->transpose_a ? 1 : g->lda, p.ak = g->transpose_a ? g->lda : 1;
    p.bk = g->transpose_b ? 1 : g->ldb, p.bj = g->transpose_b ? g->ldb : 1;
    p.scale = g->scale, p.c = g->c, p.ldc = g->ldc, p.stride_c = g->stride_c;
    p.add = g->add, p.bias = g->bias;
    product(&p, g->products);
}

static const struct act *element(const struct act *x, bool transposed, int ld, int64_t i, int64_t j)
{
    return act_from(x, transposed ? j * ld + i : i * ld + j);
}

/* The library is slow if the columns of C, or the summands, do not fill a multiple of 16 bytes. For
 * example, 7,869 columns take five times as long as 7,864. For large products, the library computes
 * the largest multiple. A kernel of this file computes the remaining columns and summands. */
static void multiply_whole(const struct gemm *g)
{
    struct gemm part = *g, rest = *g;
    part.N = g->N < ODD ? g->N : g->N / PACK * PACK;
    part.K = g->K < ODD ? g->K : g->K / PACK * PACK;
    DEVICE(library_gemm)(&part);
    if (part.K < g->K) {
        rest.a = element(g->a, g->transpose_a, g->lda, 0, part.K);
        rest.b = element(g->b, g->transpose_b, g->ldb, part.K, 0);
        rest.N = part.N, rest.K = g->K - part.K;
        rest.add = true, rest.bias = NULL;
        multiply_thin(&rest);
    }
    if (part.N < g->N) {
        rest = *g;
        rest.b = element(g->b, g->transpose_b, g->ldb, 0, part.N);
        rest.c = act_to(g->c, part.N);
        if (g->bias) rest.bias = act_from(g->bias, part.N);
        rest.N = g->N - part.N;
        multiply_thin(&rest);
    }
}

void DEVICE(gemm)(const struct gemm *g)
{
    if (g->M == 0 || g->N == 0) return;
    CHECK(!g->mask || (!g->add && !g->bias && g->products <= 1 && g->N % MASK_MULTIPLE == 0),
          "a mask of %d columns, of %d products", g->N, g->products);
    if (g->M >= THIN && g->N >= THIN && g->K >= THIN && aligned(g->a, g->lda, g->stride_a) &&
        aligned(g->b, g->ldb, g->stride_b) && aligned(g->c, g->ldc, g->stride_c) &&
        aligned(g->bias, 0, 0))
        multiply_whole(g);
    else
        multiply_thin(g);
    if (g->mask) mask_product(g);
}

struct tail_job {
    struct act *x;
    int64_t ld, next, columns, products, launched;
    const int32_t *rows;
    int each;
};

/* Sets the trailing rows of x [launched, products, columns] to 0, because the library reads all
 * launched rows. They begin at row rows[0] * each. A block clears one row. */
KERNEL(tail_kernel, THREADS, struct tail_job, t)
{
    const int64_t first = (int64_t)*t->rows * t->each, row = first + blockIdx.x;
    if (row >= t->launched) return;
    for (int64_t i = threadIdx.x; i < t->products * t->columns; i += THREADS)
        act_put(t->x, row * t->ld + i / t->columns * t->next + i % t->columns, 0);
}

/* Clears the trailing rows. The number of launched rows is rounded up to a multiple of
 * ROWS_MULTIPLE or, for many rows, of OPS_COARSER * ROWS_MULTIPLE. So there are at most this number
 * of trailing rows, times `each`. */
static void clear_tail(const struct gemm_weight *g, const struct act *x, int ld, int64_t next,
                       int columns)
{
    struct tail_job t;
    memset(&t, 0, sizeof t);
    t.x = (struct act *)(uintptr_t)x;
    t.ld = ld, t.next = next, t.columns = columns, t.products = g->products ? g->products : 1;
    t.launched = g->T, t.rows = g->rows, t.each = g->each ? g->each : 1;
    const bool few = t.launched <= (int64_t)ops_few_rows(ROWS_MULTIPLE) * t.each;
    LAUNCH(tail_kernel, (few ? ROWS_MULTIPLE : ROWS_MULTIPLE * OPS_COARSER) * t.each, 0, &t);
}

/* Number of elements of B. If B has more, a separate kernel computes its column sums faster than
 * the epilogue of the product. */
enum { SUMMED_MOST = 1 << 23 };

/* dW (+)= scale A^T B: A [T, M], B [T, N] -> dW [M, N]. dW may have few tiles although T is large,
 * so T is divided into chunks. chunk_sum adds the partial sums [products, chunks, M, N] in order.
 * Returns true if the bias gradient was also computed. */
static bool multiply_weight(const struct gemm_weight *g)
{
    if (g->M == 0 || g->N == 0) return false;
    if (g->M >= THIN && g->N >= THIN && g->T >= THIN && aligned(g->a, g->lda, g->stride_a) &&
        aligned(g->b, g->ldb, g->stride_b) && aligned(g->c, g->N, 0)) {
        const bool clear = g->rows && !g->zeros;
        if (clear) clear_tail(g, g->a, g->lda, g->stride_a, g->M);
        if (clear) clear_tail(g, g->b, g->ldb, g->stride_b, g->N);
        struct gemm_weight product = *g;
        if ((int64_t)g->T * g->N > SUMMED_MOST) product.bias = NULL;
        return DEVICE(library_gemm_weight)(&product);
    }
    const int64_t count = (int64_t)g->M * g->N, products = g->products ? g->products : 1;
    struct product_job p;
    memset(&p, 0, sizeof p);
    p.M = g->M, p.N = g->N, p.K = g->T;
    p.rows = g->rows, p.each = g->each;
    p.a = g->a, p.b = g->b, p.stride_a = g->stride_a, p.stride_b = g->stride_b;
    p.ai = 1, p.ak = g->lda, p.bk = g->ldb, p.bj = 1;
    p.scale = g->scale;
    p.chunks = parts(g->T, CHUNK) ? parts(g->T, CHUNK) : 1;
    p.part = (float *)device_scratch((size_t)(products * p.chunks * count) * sizeof(float));
    product(&p, g->products);
    chunk_sum(p.part, products * p.chunks, count, count, g->add, g->c);
    return false;
}

void DEVICE(gemm_weight)(const struct gemm_weight *g)
{
    if (!multiply_weight(g) && g->bias)
        DEVICE(sum_columns)(g->b, g->T, g->rows, g->N, g->ldb, g->add_bias, g->bias);
}

void DEVICE(pack)(const struct pack *p)
{
    CHECK(false, "this table packs nothing (%d columns)", p->N);
}

struct columns_job {
    const struct act *x;
    const int32_t *rows;
    int T, N, ld;
    int64_t chunk; /* rows per chunk */
    float *part;   /* [chunks, N] */
};

enum {
    COLUMN_CHUNKS = 512,
    COLUMN_ROWS = 64,
    COLUMN_AHEAD = 4 /* rows whose loads are in flight at the same time */
};

/* part[chunk, j] = sum of x[t, j] over the rows t of the chunk: x [T, N] -> part [chunks, N]. A
 * block sums 32 PACK columns of a chunk. A lane sums a pack of columns, and a warp sums every
 * WARPS-th row. The sums of the warps are added in order. */
KERNEL(columns_kernel, THREADS, struct columns_job, c)
{
    SHARED(float, share); /* [WARPS][WARP PACK] */
    const int64_t width = WARP * PACK, blocks = (c->N + width - 1) / width;
    const int64_t chunk = blockIdx.x / blocks, column = blockIdx.x % blocks * width;
    const int64_t T = op_rows(c->T, c->rows), first = chunk * c->chunk;
    const int64_t end = first + c->chunk < T ? first + c->chunk : T;
    const struct stretch s = stretch_of(column + lane_of() * PACK, c->N);
    struct packed sum;
    for (int i = 0; i < PACK; i++) sum.x[i] = 0;
    for (int64_t t = first + warp_of(); t < end; t += COLUMN_AHEAD * WARPS) {
        struct words x[COLUMN_AHEAD];
        AHEAD for (int b = 0; b < COLUMN_AHEAD; b++)
        {
            const int64_t row = t + b * WARPS;
            struct stretch there = s;
            if (row >= end) there.hi = 0;
            x[b] = pack_words(act_from(c->x, row * c->ld), there);
        }
        AHEAD for (int b = 0; b < COLUMN_AHEAD; b++)
        {
            const struct packed y = words_pack(x[b]);
            for (int i = 0; i < PACK; i++) sum.x[i] += y.x[i];
        }
    }
    for (int i = 0; i < PACK; i++) share[(warp_of() * PACK + i) * WARP + lane_of()] = sum.x[i];
    __syncthreads();
    if (warp_of()) return;
    for (int w = 1; w < WARPS; w++)
        for (int i = 0; i < PACK; i++) sum.x[i] += share[(w * PACK + i) * WARP + lane_of()];
    real_store(c->part + chunk * c->N, s, sum);
}

void DEVICE(sum_columns)(const struct act *x, int T, const int32_t *rows, int N, int ld, bool add,
                         real *sum)
{
    struct columns_job c;
    memset(&c, 0, sizeof c);
    c.x = x, c.rows = rows, c.T = T, c.N = N, c.ld = ld;
    c.chunk = parts(T, COLUMN_CHUNKS) > COLUMN_ROWS ? parts(T, COLUMN_CHUNKS) : COLUMN_ROWS;
    const int64_t chunks = parts(T, c.chunk);
    const int64_t capacity = chunks_most(T, COLUMN_ROWS, COLUMN_CHUNKS);
    c.part = (float *)device_scratch((size_t)(capacity * N) * sizeof(float));
    LAUNCH(columns_kernel, chunks * parts(N, WARP * PACK), THREADS * PACK * sizeof(float), &c);
    chunk_sum(c.part, chunks, N, N, add, sum);
}
