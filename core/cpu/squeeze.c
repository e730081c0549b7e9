/* Computes the squeeze gate of branches (Song et al. 2018, eqs. 13-14; ops.h), in tiles of 16 rows
 * of one branch. The two small products of a tile, its gates and its gradients stay in the L1
 * cache. */

/* The width N = D / r is too small for gemm.c. The backward pass recomputes the gates from the
 * stored hidden rows. Gradients of weights are summed over fixed chunks of rows, and the sums of
 * chunks are added in order. So the number of threads does not change a bit. */
#include "core/cpu/tile_product.h"

enum { ROWS = 16, CHUNKS = 16, PARTS_MOST = 1 << 21 };

/* Slots of the thread's scratch memory. `wide` is N, rounded up to a multiple of LANES. */
enum squeeze_scratch {
    INNER,        /* W1 [gates, D, wide] */
    INNER_TURNED, /* W1 transposed [gates, N, D] */
    OUTER_TURNED, /* W2 transposed [gates, D, wide] */
    /* gradients of W1 transposed and of W2 for each chunk: [chunks, gates, 2, N, D] */
    PARTS,
    HIDDEN, /* [ROWS, wide] hidden rows, or their gradient */
    GATES   /* [ROWS, D] gates, or the gradient of their sigmoid's argument */
};

static int wide(int N)
{
    return (N + LANES - 1) / LANES * LANES;
}

/* y[c][r] = x[r][c]. Rows of y are padded with zeros to ld numbers. */
static void turn(const real *x, int rows, int columns, real *y, int ld)
{
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < ld; r++)
            y[(int64_t)c * ld + r] = r < rows ? x[(int64_t)r * columns + c] : 0;
}

/* A tile: up to 16 rows of one branch. */
struct squeeze_tile {
    int rows, gate;
    int64_t at; /* t * R + r, for the first row t and the branch r */
};

static struct squeeze_tile tile_of(const struct squeeze *s, int t, int end, int r)
{
    return (struct squeeze_tile){.rows = end - t < ROWS ? end - t : ROWS,
                                 .gate = s->gates == 1 ? 0 : r,
                                 .at = (int64_t)t * s->R + r};
}

/* A tile of a branch: hidden = relu(x W1); y (+)= x sigmoid(hidden W2). x [16, D], W1 [D, N], W2
 * [N, D] -> hidden [16, N], y [16, D]. */
static void forward(const struct squeeze *s, const real *inner, struct squeeze_tile tile, real *y,
                    bool add)
{
    const int D = s->D, N = s->N, width = wide(N);
    const int64_t ld = (int64_t)s->R * D;
    const real *x = in(s->x) + tile.at * D;
    real *hidden = CPU(scratch)(HIDDEN, ROWS * width), *z = CPU(scratch)(GATES, (int64_t)ROWS * D);
    tile_product(tile.rows, width, D, x, ld, 1, inner + (int64_t)tile.gate * D * width, width,
                 hidden, width, false);
    for (int i = 0; i < tile.rows; i++) {
        for (int n = 0; n < width; n += LANES) {
            const vec h = vec_load(hidden + i * width + n, LANES);
            vec_store(hidden + i * width + n, LANES,
                      vec_select(vec_greater((vec){0}, h), (vec){0}, h));
        }
        if (s->hidden)
            memcpy(out(s->hidden) + (tile.at + (int64_t)i * s->R) * N, hidden + i * width,
                   (size_t)N * sizeof(real));
    }
    tile_product(tile.rows, D, N, hidden, width, 1, in(s->outer[tile.gate]), D, z, D, false);
    for (int i = 0; i < tile.rows; i++)
        for (int c = 0; c < D; c += LANES) {
            const vec gate = vec_sigmoid(vec_load(z + (int64_t)i * D + c, D - c));
            const vec gated = vec_load(x + i * ld + c, D - c) * gate;
            real *to = y + (int64_t)i * D + c;
            vec_store(to, D - c, add ? vec_load(to, D - c) + gated : gated);
        }
}

/* Returns the cost of the products of all rows, in units of four multiply-adds. */
static int64_t products(const struct squeeze *s, int T)
{
    return (int64_t)T * s->R * s->D * s->N / 4;
}

/* out = sum_r x_r sigmoid(relu(x_r W1) W2): x [T, R, D] -> hidden [T, R, N], out [T, D]. Parallel
 * over tiles of rows, with the branches in order. */
void CPU(squeeze)(const struct squeeze *s)
{
    const int T = op_rows(s->T, s->rows), tiles = (T + ROWS - 1) / ROWS;
    const int64_t size = (int64_t)s->D * wide(s->N);
    real *inner = CPU(scratch)(INNER, s->gates * size);
    for (int row = 0; row < s->gates * s->D; row++) {
        real *to = inner + (int64_t)row * wide(s->N);
        const real *from = in(s->inner[row / s->D]) + (int64_t)(row % s->D) * s->N;
        memset(to, 0, (size_t)wide(s->N) * sizeof(real));
        memcpy(to, from, (size_t)s->N * sizeof(real));
    }
#pragma omp parallel for schedule(static) if (worth_sharing(products(s, T)))
    for (int i = 0; i < tiles; i++)
        for (int r = 0; r < s->R; r++)
            forward(s, inner, tile_of(s, i * ROWS, T, r), out(s->out) + (int64_t)i * ROWS * s->D,
                    r > 0);
}

/* Transposed weights for the backward pass, and the gradients of a chunk. */
struct turned {
    const real *inner, *outer;
    real *part;
};

/* g = sigmoid(hidden W2); dz = dy g (1 - g) x. dh = dz W2^T where hidden > 0; dx = dy g + dh W1^T.
 * x, dy, dz, dx [16, D], hidden, dh [16, N]. Adds dh^T x and hidden^T dz to the chunk's part [2, N,
 * D] (dW1^T, dW2). */
static void backward(const struct squeeze *s, struct turned turned, struct squeeze_tile tile,
                     const real *dy)
{
    const int D = s->D, N = s->N, width = wide(N);
    const int64_t ld = (int64_t)s->R * D, ld_hidden = (int64_t)s->R * N, size = (int64_t)N * D;
    const real *x = in(s->x) + tile.at * D, *hidden = in(s->hidden) + tile.at * N;
    real *dx = out(s->x_gradient) + tile.at * D;
    real *dh = CPU(scratch)(HIDDEN, ROWS * width), *dz = CPU(scratch)(GATES, (int64_t)ROWS * D);
    real *inner_part = turned.part + 2 * tile.gate * size, *outer_part = inner_part + size;
    tile_product(tile.rows, D, N, hidden, ld_hidden, 1, in(s->outer[tile.gate]), D, dz, D, false);
    for (int i = 0; i < tile.rows; i++)
        for (int c = 0; c < D; c += LANES) {
            real *z = dz + (int64_t)i * D + c;
            const vec gate = vec_sigmoid(vec_load(z, D - c));
            const vec gated = vec_load(dy + (int64_t)i * D + c, D - c) * gate;
            vec_store(dx + i * ld + c, D - c, gated);
            vec_store(z, D - c, gated * (1 - gate) * vec_load(x + i * ld + c, D - c));
        }
    tile_product(N, D, tile.rows, hidden, 1, ld_hidden, dz, D, outer_part, D, true);
    tile_product(tile.rows, width, D, dz, D, 1, turned.outer + tile.gate * (int64_t)D * width,
                 width, dh, width, false);
    for (int i = 0; i < tile.rows; i++)
        for (int n = 0; n < N; n += LANES) {
            const vec h = vec_load(hidden + i * ld_hidden + n, N - n);
            vec_store(dh + i * width + n, LANES,
                      vec_select(vec_greater(h, (vec){0}), vec_load(dh + i * width + n, LANES),
                                 (vec){0}));
        }
    tile_product(N, D, tile.rows, dh, 1, width, x, ld, inner_part, D, true);
    tile_product(tile.rows, D, N, dh, width, 1, turned.inner + tile.gate * size, D, dx, ld, true);
}

/* Returns the maximum number of chunks. For wide gates (r = 1 of the paper) it is smaller, so that
 * all parts have at most PARTS_MOST numbers. */
static int chunks_most(int64_t stride)
{
    const int64_t most = PARTS_MOST / stride;
    return most < 1 ? 1 : most > CHUNKS ? CHUNKS : (int)most;
}

/* Sums row n of the gradients of W1 transposed and W2 of a gate over the chunks, in order. */
static void add_up(const struct squeeze *s, const real *parts, int chunks, int gate, int n)
{
    const int D = s->D, N = s->N;
    const int64_t size = (int64_t)N * D, stride = 2 * s->gates * size;
    const real *part = parts + 2 * gate * size + (int64_t)n * D;
    real *inner = s->inner_gradient[gate] + n, *outer = s->outer_gradient[gate] + (int64_t)n * D;
    for (int c = 0; c < D; c += LANES) {
        vec of_inner = {0}, of_outer = {0};
        for (int chunk = 0; chunk < chunks; chunk++) {
            of_inner += vec_load(part + chunk * stride + c, D - c);
            of_outer += vec_load(part + chunk * stride + size + c, D - c);
        }
        if (s->add_outer[gate]) of_outer += vec_load(outer + c, D - c);
        vec_store(outer + c, D - c, of_outer);
        for (int i = 0; i < LANES && c + i < D; i++) {
            real *to = inner + (int64_t)(c + i) * N;
            *to = s->add_inner[gate] ? *to + of_inner[i] : of_inner[i];
        }
    }
}

/* x [T, R, D], hidden [T, R, N], dout [T, D] -> x_gradient [T, R, D], dW1 [D, N], dW2 [N, D].
 * Parallel over chunks of rows, then over rows of dW1^T and dW2. */
void CPU(squeeze_backward)(const struct squeeze *s)
{
    const int T = op_rows(s->T, s->rows), D = s->D, N = s->N, width = wide(N);
    const int64_t size = (int64_t)N * D, stride = 2 * s->gates * size;
    /* Rows of a chunk: whole tiles. This number depends only on shapes. */
    const int rows = ROWS * (1 + (T - 1) / (ROWS * chunks_most(stride)));
    const int chunks = (T + rows - 1) / rows;
    real *inner = CPU(scratch)(INNER_TURNED, s->gates * size);
    real *outer = CPU(scratch)(OUTER_TURNED, (int64_t)s->gates * D * width);
    real *parts = CPU(scratch)(PARTS, chunks * stride);
    for (int g = 0; g < s->gates; g++) {
        turn(in(s->inner[g]), D, N, inner + g * size, D);
        turn(in(s->outer[g]), N, D, outer + (int64_t)g * D * width, width);
    }
#pragma omp parallel for schedule(dynamic) if (worth_sharing(products(s, T)))
    for (int chunk = 0; chunk < chunks; chunk++) {
        const struct turned turned = {inner, outer, parts + chunk * stride};
        const int end = (chunk + 1) * rows < T ? (chunk + 1) * rows : T;
        memset(turned.part, 0, (size_t)stride * sizeof(real));
        for (int t = chunk * rows; t < end; t += ROWS)
            for (int r = 0; r < s->R; r++)
                backward(s, turned, tile_of(s, t, end, r), in(s->out_gradient) + (int64_t)t * D);
    }
#pragma omp parallel for collapse(2) schedule(static) if (worth_sharing(chunks * stride))
    for (int g = 0; g < s->gates; g++)
        for (int n = 0; n < N; n++) add_up(s, parts, chunks, g, n);
}
