/* Squeeze gate of branches (Song et al. 2018, eqs. 13-14; ops.h). Its products have few columns or
 * few summands. A thread computes a strip of ROWS rows by PACK columns of a product. */

/* Forward: a kernel computes the hidden rows. Then another kernel computes the gates and the gated
 * sum. Backward: a block processes a chunk of rows of a branch, in tiles of 16 rows. It sums the
 * part of its chunk in the gradients of the weights. Another kernel adds the parts in order of
 * chunks. */
#include "core/cuda/act.h"

/* Without unrolling, the arrays of a thread would be in memory instead of registers if PACK is
 * 8. */
#ifdef __CUDACC__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED
#endif
#define EACH_ROW(i) UNROLLED for (int i = 0; i < ROWS; i++)
#define EACH_COLUMN(c) UNROLLED for (int c = 0; c < PACK; c++)

enum {
    THREADS = 256,
    ROWS = 16 / PACK,
    TILE = 16,
    STRIPS = TILE / ROWS,
    CHUNK_LEAST = 64, /* minimum number of rows per chunk */
    /* Maximum number of floats in all parts together, unless the parts of a single chunk have
     * more. */
    PARTS_MOST = 1 << 23,
};

/* Up to ROWS rows of x: index of the first element, distance of the rows, and number of rows. */
struct row_block {
    const struct act *x;
    int64_t at, ld;
    int count;
};

DEVICE_FN struct row_block rows_at(const struct act *x, int64_t at, int64_t ld, int count)
{
    struct row_block rows;
    rows.x = x, rows.at = at, rows.ld = ld, rows.count = count < ROWS ? count : ROWS;
    return rows;
}

/* Loads columns `s` of row i. If row i does not exist, loads the last row. */
DEVICE_FN struct packed row_load(struct row_block rows, int i, struct stretch s)
{
    s.at += rows.at + (i < rows.count ? i : rows.count - 1) * rows.ld;
    return pack_load(rows.x, s);
}

struct strip {
    struct packed row[ROWS];
};

DEVICE_FN struct strip strip_zero(void)
{
    struct strip y;
    EACH_ROW(i) EACH_COLUMN(c) y.row[i].x[c] = 0;
    return y;
}

/* Returns sum + a b. a has K columns. b has K rows, `ldb` elements apart; only its `columns` are
 * used. */
DEVICE_FN struct strip product(struct strip sum, struct row_block a, int K, const struct act *b,
                               struct stretch columns, int ldb)
{
    for (int k = 0; k < K; k += PACK) {
        const struct stretch s = stretch_of(k, K);
        struct strip x;
        EACH_ROW(i) x.row[i] = row_load(a, i, s);
        EACH_COLUMN(j)
        {
            if (j >= s.hi) break;
            const struct packed w = pack_load(b, columns);
            columns.at += ldb;
            EACH_ROW(i) EACH_COLUMN(c) sum.row[i].x[c] += x.row[i].x[j] * w.x[c];
        }
    }
    return sum;
}

DEVICE_FN unsigned packs_of(int count)
{
    return ((unsigned)count + PACK - 1) / PACK;
}

DEVICE_FN int gate_of(const struct squeeze *s, int r)
{
    return s->gates == 1 ? 0 : r;
}

/* Returns the index of the first element of row t and branch r in an array [T, R, columns]. */
DEVICE_FN int64_t place_of(const struct squeeze *s, int64_t t, int r, int columns)
{
    return (t * s->R + r) * columns;
}

DEVICE_FN struct row_block branch_rows(const struct squeeze *s, const struct act *x, int64_t t,
                                       int r, int columns, int count)
{
    return rows_at(x, place_of(s, t, r, columns), (int64_t)s->R * columns, count);
}

/* hidden_r = relu(x_r W1): x [T, R, D], W1 [D, N] -> hidden [T, R, N]. A thread computes PACK
 * columns of a strip. */
KERNEL(squeeze_hidden_kernel, THREADS, struct squeeze, s)
{
    const int D = s->D, N = s->N;
    const unsigned packs = packs_of(N), strips = ((unsigned)s->T + ROWS - 1) / ROWS;
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t t = (int64_t)(i / packs % strips) * ROWS, left = op_rows(s->T, s->rows) - t;
    const int r = (int)(i / packs / strips);
    if (r >= s->R || left <= 0) return;
    const struct row_block x = branch_rows(s, s->x, t, r, D, left < ROWS ? (int)left : ROWS);
    const struct stretch columns = stretch_of(i % packs * PACK, N);
    struct strip h = product(strip_zero(), x, D, s->inner[gate_of(s, r)], columns, N);
    EACH_ROW(k)
    {
        struct stretch to = columns;
        to.at += place_of(s, t + k, r, N);
        EACH_COLUMN(c) h.row[k].x[c] = h.row[k].x[c] < 0 ? 0 : h.row[k].x[c];
        if (k < left) pack_store(s->hidden, to, h.row[k]);
    }
}

/* out = sum_r x_r sigmoid(hidden_r W2): x [T, R, D], hidden [T, R, N], W2 [N, D] -> out [T, D]. A
 * thread computes PACK columns of a strip and adds the branches in order. */
KERNEL(squeeze_kernel, THREADS, struct squeeze, s)
{
    const int D = s->D, N = s->N;
    const unsigned packs = packs_of(D);
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t t = (int64_t)(i / packs) * ROWS, left = op_rows(s->T, s->rows) - t;
    if (left <= 0) return;
    const int count = left < ROWS ? (int)left : ROWS;
    const struct stretch columns = stretch_of(i % packs * PACK, D);
    struct strip y = strip_zero();
    for (int r = 0; r < s->R; r++) {
        const struct row_block hidden = branch_rows(s, s->hidden, t, r, N, count);
        const struct row_block x = branch_rows(s, s->x, t, r, D, count);
        const struct strip z =
            product(strip_zero(), hidden, N, s->outer[gate_of(s, r)], columns, D);
        EACH_ROW(k)
        {
            const struct packed branch = row_load(x, k, columns);
            EACH_COLUMN(c) y.row[k].x[c] += branch.x[c] * sigmoid(z.row[k].x[c]);
        }
    }
    EACH_ROW(k)
    {
        struct stretch to = columns;
        to.at += (t + k) * D;
        if (k < count) pack_store(s->out, to, y.row[k]);
    }
}

void DEVICE(squeeze)(const struct squeeze *given)
{
    struct squeeze s = *given;
    const int64_t strips = parts(s.T, ROWS);
    if (!s.hidden)
        s.hidden = (struct act *)device_scratch((size_t)s.T * (size_t)s.R * (size_t)s.N *
                                                sizeof(act_type));
    LAUNCH(squeeze_hidden_kernel, parts(s.R * strips * parts(s.N, PACK), THREADS), 0, &s);
    LAUNCH(squeeze_kernel, parts(strips * parts(s.D, PACK), THREADS), 0, &s);
}

struct squeeze_back {
    struct squeeze s;
    int each;           /* rows per chunk */
    struct act *turned; /* [gates, 2, N D]: W1 transposed [N, D], W2 transposed [D, N] */
    float *part;        /* [chunks, R, 2, N, D]: gradients of W1 transposed and W2 */
};

/* Writes W1^T [N, D] and W2^T [D, N] of each gate to `turned`, so that `product` reads contiguous
 * rows. A thread copies one number. */
KERNEL(squeeze_turn_kernel, THREADS, struct squeeze_back, b)
{
    const struct squeeze *s = &b->s;
    const int64_t size = (int64_t)s->N * s->D, i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t g = i / (2 * size), e = i % size;
    if (g >= s->gates) return;
    const float w = i / size % 2 ? act_get(s->outer[g], e % s->N * s->D + e / s->N)
                                 : act_get(s->inner[g], e % s->D * s->N + e / s->D);
    act_put(b->turned, i, w);
}

/* A tile: up to 16 rows of a branch, from row t on. */
struct squeeze_tile {
    int64_t t;
    int r, rows;
    struct act *dz, *dh; /* in shared memory: [TILE, D], [TILE, N] */
};

/* The work of a thread in a tile: PACK columns of a strip of rows. */
struct strip_job {
    int first, count;
    struct stretch columns;
};

#define EACH_JOB(at, jobs) for (unsigned at = threadIdx.x; at < (jobs); at += THREADS)

DEVICE_FN struct strip_job job_of(struct squeeze_tile tile, unsigned at, int columns)
{
    const unsigned packs = packs_of(columns);
    struct strip_job job;
    job.first = (int)(at / packs) * ROWS;
    job.count = tile.rows - job.first;
    job.columns = stretch_of(at % packs * PACK, columns);
    return job;
}

/* g = sigmoid(hidden W2), dx = dout g, dz = dout g (1 - g) x. All are [16, D]. tile_inputs later
 * adds the gradient through the gate to dx. */
DEVICE_FN void tile_gates(const struct squeeze *s, struct squeeze_tile tile, struct strip_job job)
{
    const int D = s->D, N = s->N;
    const int64_t t = tile.t + job.first, ld = (int64_t)s->R * D;
    const struct row_block hidden = branch_rows(s, s->hidden, t, tile.r, N, job.count);
    const struct row_block x = branch_rows(s, s->x, t, tile.r, D, job.count);
    const struct row_block out = rows_at(s->out_gradient, t * D, D, job.count);
    const struct strip z =
        product(strip_zero(), hidden, N, s->outer[gate_of(s, tile.r)], job.columns, D);
    EACH_ROW(k)
    {
        const struct packed branch = row_load(x, k, job.columns);
        struct packed dx = row_load(out, k, job.columns), dz;
        struct stretch to = job.columns;
        EACH_COLUMN(c)
        {
            const float gate = sigmoid(z.row[k].x[c]);
            dx.x[c] *= gate;
            dz.x[c] = dx.x[c] * (1 - gate) * branch.x[c];
        }
        if (k >= job.count) continue;
        to.at += x.at + k * ld;
        pack_store(s->x_gradient, to, dx);
        to.at += (int64_t)(job.first + k) * D - x.at - k * ld;
        pack_store(tile.dz, to, dz);
    }
}

/* dh = dz W2^T where hidden > 0, else 0: [16, D] by [D, N] -> [16, N]. */
DEVICE_FN void tile_hidden(const struct squeeze_back *b, struct squeeze_tile tile,
                           struct strip_job job)
{
    const struct squeeze *s = &b->s;
    const int D = s->D, N = s->N;
    const act_type *turned =
        (const act_type *)(const void *)b->turned + (2 * gate_of(s, tile.r) + 1) * (int64_t)N * D;
    const struct row_block dz = rows_at(tile.dz, (int64_t)job.first * D, D, job.count);
    const struct row_block hidden =
        branch_rows(s, s->hidden, tile.t + job.first, tile.r, N, job.count);
    struct strip dh =
        product(strip_zero(), dz, D, (const struct act *)(const void *)turned, job.columns, N);
    EACH_ROW(k)
    {
        const struct packed h = row_load(hidden, k, job.columns);
        struct stretch to = job.columns;
        to.at += (int64_t)(job.first + k) * N;
        EACH_COLUMN(c) dh.row[k].x[c] = h.x[c] > 0 ? dh.row[k].x[c] : 0;
        if (k < job.count) pack_store(tile.dh, to, dh.row[k]);
    }
}

/* Adds the gradient through the gate: dx += dh W1^T, [16, N] by [N, D] -> [16, D]. */
DEVICE_FN void tile_inputs(const struct squeeze_back *b, struct squeeze_tile tile,
                           struct strip_job job)
{
    const struct squeeze *s = &b->s;
    const int D = s->D, N = s->N;
    const int64_t size = (int64_t)N * D, ld = (int64_t)s->R * D;
    const act_type *turned =
        (const act_type *)(const void *)b->turned + 2 * gate_of(s, tile.r) * size;
    const struct row_block dh = rows_at(tile.dh, (int64_t)job.first * N, N, job.count);
    const struct row_block to =
        branch_rows(s, s->x_gradient, tile.t + job.first, tile.r, D, job.count);
    struct strip dx;
    EACH_ROW(k) dx.row[k] = row_load(to, k, job.columns);
    dx = product(dx, dh, N, (const struct act *)(const void *)turned, job.columns, D);
    EACH_ROW(k)
    {
        struct stretch row = job.columns;
        row.at += to.at + k * ld;
        if (k < job.count) pack_store(s->x_gradient, row, dx.row[k]);
    }
}

/* part (+)= a^T b, summed over `count` rows, for ROWS columns of a and PACK columns of b. Rows of
 * `part` have D numbers. */
DEVICE_FN void tile_weights(float *part, bool add, int count, struct row_block a,
                            struct stretch of_a, struct row_block b, struct stretch of_b, int D)
{
    struct strip sum;
    EACH_ROW(n)
    {
        struct stretch s = of_b;
        s.at += (of_a.at + n) * D;
        if (!add || n >= of_a.hi) s.hi = 0;
        sum.row[n] = real_load(part, s);
    }
    for (int i = 0; i < count; i++) {
        struct stretch row_a = of_a, row_b = of_b;
        row_a.at += a.at + i * a.ld, row_b.at += b.at + i * b.ld;
        const struct packed x = pack_load(a.x, row_a), y = pack_load(b.x, row_b);
        EACH_ROW(n) EACH_COLUMN(c) sum.row[n].x[c] += x.x[n] * y.x[c];
    }
    EACH_ROW(n)
    {
        struct stretch s = of_b;
        s.at += (of_a.at + n) * D;
        if (n < of_a.hi) real_store(part, s, sum.row[n]);
    }
}

/* Adds a tile to the partial gradients: dW1^T += dh^T x and dW2 += hidden^T dz. Both are [N, D].
 * Job `at` computes ROWS rows and PACK columns of both. */
DEVICE_FN void tile_parts(const struct squeeze *s, struct squeeze_tile tile, float *part, bool add,
                          unsigned at)
{
    const int D = s->D, N = s->N;
    struct stretch n = stretch_of(at / packs_of(D) * ROWS, N);
    const struct stretch c = stretch_of(at % packs_of(D) * PACK, D);
    const struct row_block x = branch_rows(s, s->x, tile.t, tile.r, D, tile.rows);
    const struct row_block hidden = branch_rows(s, s->hidden, tile.t, tile.r, N, tile.rows);
    const struct row_block dz = rows_at(tile.dz, 0, D, tile.rows);
    const struct row_block dh = rows_at(tile.dh, 0, N, tile.rows);
    if (n.hi > ROWS) n.hi = ROWS;
    tile_weights(part, add, tile.rows, dh, n, x, c, D);
    tile_weights(part + (int64_t)N * D, add, tile.rows, hidden, n, dz, c, D);
}

/* x [T, R, D], hidden [T, R, N], out_gradient [T, D] -> x_gradient [T, R, D], part [chunks, R, 2,
 * N, D]. A block processes a chunk of rows of a branch, tile by tile. Its threads compute strips of
 * dz, then of dh, then of dx and dW. A barrier precedes every step that reads rows of other
 * threads. */
KERNEL(squeeze_backward_kernel, THREADS, struct squeeze_back, b)
{
    SHARED(struct act, dz);
    const struct squeeze *s = &b->s;
    const int D = s->D, N = s->N;
    const unsigned wide = STRIPS * packs_of(D), thin = STRIPS * packs_of(N);
    const unsigned strips = ((unsigned)N + ROWS - 1) / ROWS * packs_of(D);
    const int64_t first = (int64_t)(blockIdx.x / (unsigned)s->R) * b->each;
    const int64_t rows = op_rows(s->T, s->rows);
    const int64_t end = first + b->each < rows ? first + b->each : rows;
    float *part = b->part + (int64_t)blockIdx.x * 2 * N * D;
    struct squeeze_tile tile;
    tile.r = (int)(blockIdx.x % (unsigned)s->R);
    tile.dz = dz;
    tile.dh = (struct act *)(void *)((act_type *)(void *)dz + (int64_t)TILE * D);
    for (tile.t = first; tile.t < end; tile.t += TILE) {
        tile.rows = end - tile.t < TILE ? (int)(end - tile.t) : TILE;
        EACH_JOB(at, wide)
        {
            const struct strip_job job = job_of(tile, at, D);
            if (job.count > 0) tile_gates(s, tile, job);
        }
        __syncthreads();
        EACH_JOB(at, thin)
        {
            const struct strip_job job = job_of(tile, at, N);
            if (job.count > 0) tile_hidden(b, tile, job);
        }
        __syncthreads();
        EACH_JOB(at, wide)
        {
            const struct strip_job job = job_of(tile, at, D);
            if (job.count > 0) tile_inputs(b, tile, job);
        }
        EACH_JOB(at, strips) tile_parts(s, tile, part, tile.t > first, at);
        __syncthreads();
    }
}

/* dW1 [D, N], dW2 [N, D] (+)= sum of the parts, in order of chunks. If all branches share one gate,
 * the parts of all branches are added. A thread computes one number of dW1 or dW2. */
KERNEL(squeeze_sum_kernel, THREADS, struct squeeze_back, b)
{
    const struct squeeze *s = &b->s;
    const int64_t size = (int64_t)s->N * s->D, i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t g = i / (2 * size), at = i % (2 * size), e = i % size;
    if (g >= s->gates) return;
    const int chunks = (op_rows(s->T, s->rows) + b->each - 1) / b->each;
    const int64_t step = s->gates == 1 ? 1 : s->R; /* distance of the parts of this gate */
    float sum = 0;
    for (int64_t p = g; p < (int64_t)chunks * s->R; p += step) sum += b->part[p * 2 * size + at];
    if (at >= size) {
        real *to = s->outer_gradient[g] + e;
        *to = s->add_outer[g] ? *to + sum : sum;
    } else {
        real *to = s->inner_gradient[g] + e % s->D * s->N + e / s->D;
        *to = s->add_inner[g] ? *to + sum : sum;
    }
}

/* Returns the number of chunks whose parts have at most PARTS_MOST floats together; at least 1. */
static int64_t chunks_that_fit(const struct squeeze *s)
{
    const int64_t most = PARTS_MOST / ((int64_t)s->R * 2 * s->N * s->D);
    return most < 1 ? 1 : most;
}

static int64_t chunk_rows(const struct squeeze *s)
{
    const int64_t rows = parts(parts(s->T, chunks_that_fit(s)), TILE) * TILE;
    return rows < CHUNK_LEAST ? CHUNK_LEAST : rows;
}

void DEVICE(squeeze_backward)(const struct squeeze *s)
{
    const int64_t size = (int64_t)s->N * s->D, each = chunk_rows(s);
    const int64_t blocks = parts(s->T, each) * s->R, weights = 2 * s->gates * size;
    const int64_t capacity = chunks_most(s->T, CHUNK_LEAST, chunks_that_fit(s)) * s->R;
    const size_t part_bytes = (size_t)(capacity * 2 * size) * sizeof(float);
    const size_t shared = (size_t)TILE * (size_t)(s->D + s->N) * sizeof(act_type);
    char *scratch = (char *)device_scratch(part_bytes + (size_t)weights * sizeof(act_type));
    struct squeeze_back b;
    memset(&b, 0, sizeof b);
    b.s = *s, b.each = (int)each;
    b.turned = (struct act *)(void *)(scratch + part_bytes), b.part = (float *)(void *)scratch;
    LAUNCH(squeeze_turn_kernel, parts(weights, THREADS), 0, &b);
    LAUNCH(squeeze_backward_kernel, blocks, shared, &b);
    LAUNCH(squeeze_sum_kernel, parts(weights, THREADS), 0, &b);
}
