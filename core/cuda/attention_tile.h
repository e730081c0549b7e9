/* Loads tiles of attention to shared memory, computes their products, and stores results. Operands
 * of products are activations, and sums are reals. In fp32 a thread computes single elements of a
 * product. In bf16 a warp computes a fragment of 16 x 16 elements (wmma.h), so operands are padded
 * with zeros to whole fragments. */
#pragma once

#include "core/cuda/attention_row.h"
#include "core/cuda/wmma.h"

enum {
    KEY_CHUNK = 128 / sizeof(act_type),        /* keys in shared memory at the same time */
    IN_REAL = sizeof(real) / sizeof(act_type), /* operands that fit into the memory of a real */
    /* Columns of a product that all warps compute at the same time. */
    WARPS_COLUMNS = ATTENTION_THREADS / WARP * WMMA
};

/* Layout of a tile of queries in shared memory. Neighboring rows begin in different banks. */
struct tile_shape {
    int d, columns; /* columns of a head; in bf16, `columns` is rounded up to whole fragments */
    int ldt, ldc;   /* distance of rows of operands, and of rows of sums */
    /* Distance of rows of energies, in reals: the length of the longest sentence, rounded up to
     * whole vectors, and 4 more in bf16. */
    int width;
    int stage;      /* reals of a team's stage */
    int rows;       /* queries of a tile that fit into shared memory at the same time */
    bool fragments; /* products use fragments of 16 x 16 */
    int bytes;
};

/* Returns the layout. A query has `arrays` rows over keys (energies, weights or gradients), and
 * another row if a term cuts keys. */
static inline struct tile_shape tile_shape(const struct attention_args *a, int arrays)
{
    const int vector = ACT_IS_REAL ? 1 : WMMA;
    struct tile_shape s;
    bool cuts = false;
    CHECK(a->d <= ATTENTION_HEAD_MOST && a->longest <= ATTENTION_LONGEST_MOST,
          "heads of %d, sentences of %d", a->d, a->longest);
    for (int k = 0; k < a->terms; k++) cuts = cuts || a->term[k].cuts;
    s.d = a->d;
    s.columns = (a->d + vector - 1) / vector * vector;
    s.ldt = ACT_IS_REAL ? s.d | 1 : s.columns + 8;
    s.ldc = ACT_IS_REAL ? s.d : s.columns + 4;
    s.width = (a->longest + LANES - 1) / LANES * LANES + (ACT_IS_REAL ? 0 : 4);
    s.stage = stage_numbers(a->term, a->terms);
    const int operands = s.ldt * (int)sizeof(act_type), number = (int)sizeof(real);
    const int fixed = KEY_CHUNK * operands + TEAMS * s.stage * number;
    const int each = operands + (s.ldc + (arrays + cuts) * s.width) * number;
    s.fragments = !ACT_IS_REAL && device_has_fragments();
    s.rows = ACT_IS_REAL || s.fragments ? ATTENTION_TILE : ATTENTION_TILE / 2;
    while (s.rows > 1 && fixed + s.rows * each > device_room()) s.rows /= 2;
    s.bytes = fixed + s.rows * each;
    CHECK(s.bytes <= device_room(), "attention has no room for a row of %d bytes", each);
    return s;
}

/* Return the factor of queries when they are loaded, and the factor of products with queries. In
 * fp32 the queries are scaled. In bf16 a scaled query would be rounded again, so the products are
 * scaled instead. */
DEVICE_FN float scale_of_queries(float scale)
{
    return ACT_IS_REAL ? scale : 1;
}
DEVICE_FN float scale_of_products(float scale)
{
    return ACT_IS_REAL ? 1 : scale;
}

/* Copies n rows of a head to shared memory. In fp32, multiplies them by `scale`, which is 1 in
 * bf16. Rows of zeros follow, so that there are `rows` rows in total. All threads of the block call
 * this function. */
DEVICE_FN void tile_load(const struct tile_shape *shape, const struct act *from, int64_t ld, int n,
                         int rows, float scale, act_type *to)
{
    const int packs = (shape->columns + PACK - 1) / PACK;
    for (int i = (int)threadIdx.x; i < rows * packs; i += ATTENTION_THREADS) {
        const int row = i / packs;
        const struct stretch s = stretch_of((int64_t)(i % packs) * PACK, row < n ? shape->d : 0);
        const struct act_bytes x = bytes_load(act_from(from, row * ld), s);
        act_type *y = to + row * shape->ldt + s.at;
        if (!ACT_IS_REAL) STORE16(struct act_bytes, y, x);
        for (int k = 0; k < PACK && ACT_IS_REAL; k++)
            if (s.at + k < shape->d) y[k] = act_of(act_real(x.x[k]) * scale);
    }
}

/* In bf16, converts a row of reals to operands, in place. All lanes of a team call this
 * function. */
DEVICE_FN void row_to_operands(real *x, struct interval span)
{
    act_type *to = (act_type *)(void *)x;
    for (int j = span.lo; j < span.hi && !ACT_IS_REAL; j += LANES) {
        const real y = vec_load(x + j, LANES);
        team_sync(); /* all lanes read before any lane writes */
        to[j + team_lane()] = act_of(y);
    }
}

/* Returns an operand that consists of converted rows (row_to_operands), from column j on. `ld` is
 * the distance of rows in reals. */
DEVICE_FN struct tile_operand operand_of_rows(const real *x, int ld, int j, bool turned)
{
    return operand((const act_type *)(const void *)x + j, ld * IN_REAL, turned);
}

/* Returns the number of rows of a product to compute: `rows` in fp32, `capacity` in bf16. Fragments
 * always compute all rows of the memory, but the results after row `rows` are not read. */
DEVICE_FN int product_rows(int rows, int capacity)
{
    return ACT_IS_REAL ? rows : capacity;
}

/* C = scale A B or, with `add`, C = scale (C + A B). A is [m, k], B is [k, n] and C is [m, n]; m is
 * at most 16. In bf16 n and k are rounded up to whole fragments. If m is below 16 (long sentences),
 * or without fragments, the product is computed as in fp32. For the same n, the same thread always
 * computes an element of C. With fragments, the same warp does. */
DEVICE_FN void tile_product(const struct tile_shape *shape, int m, int n, int k,
                            struct tile_operand a, struct tile_operand b, float scale, real *c,
                            int ldc, bool add)
{
#ifdef DEVICE_BF16
    if (m == WMMA && shape->fragments) {
        for (int j = warp_of() * WMMA; j < n; j += WARPS_COLUMNS) {
            wmma_sum sum;
            if (add)
                wmma_load(&sum, c + j, ldc);
            else
                wmma_clear(&sum);
            for (int s = 0; s < k; s += WMMA)
                wmma_add(&sum, operand_from(a, 0, s), operand_from(b, s, j));
            wmma_store(&sum, scale, c + j, ldc);
        }
        return;
    }
#endif
    for (int at = (int)threadIdx.x; at < m * n; at += ATTENTION_THREADS) {
        const act_type *x = operand_from(a, at / n, 0).x, *y = operand_from(b, 0, at % n).x;
        real sum = add ? c[at / n * ldc + at % n] : 0;
        for (int s = 0; s < k; s++)
            sum = fmaf(act_real(x[s * (a.turned ? a.ld : 1)]),
                       act_real(y[s * (b.turned ? 1 : b.ld)]), sum);
        c[at / n * ldc + at % n] = sum * scale;
    }
}

/* Barrier between a product and threads that read its elements. Not needed in fp32, where a thread
 * reads only elements that it has computed. */
#define product_sync()                                                                             \
    do                                                                                             \
        if (!ACT_IS_REAL) __syncthreads();                                                         \
    while (0)

/* Computes energies or gradients of weights, for the keys of the span: C[rows, keys] = scale
 * A[rows, d] X^T. X has the n keys or values of a sentence, which are loaded to `chunk` in several
 * parts. Begins and ends with a barrier. */
DEVICE_FN void tile_by_keys(const struct tile_shape *shape, int rows, const act_type *a,
                            const struct act *x, int64_t ld, int n, struct interval span,
                            act_type *chunk, float scale, real *c)
{
    for (int j = span.lo; j < span.hi; j += KEY_CHUNK) {
        const int vectors = (span.hi - j + LANES - 1) / LANES * LANES;
        const int keys = vectors < KEY_CHUNK ? vectors : KEY_CHUNK;
        __syncthreads();
        tile_load(shape, act_from(x, j * ld), ld, n - j, keys, 1, chunk);
        __syncthreads();
        tile_product(shape, product_rows(rows, shape->rows), keys, shape->d,
                     operand(a, shape->ldt, false), operand(chunk, shape->ldt, true), scale, c + j,
                     shape->width, false);
    }
    __syncthreads();
}

/* Computes outputs or gradients of queries: C[rows, d] = W[rows, keys] X, for the keys of the span.
 * X is as in tile_by_keys. Begins with a barrier. */
DEVICE_FN void tile_over_keys(const struct tile_shape *shape, int rows, const real *weight,
                              const struct act *x, int64_t ld, int n, struct interval span,
                              act_type *chunk, real *c)
{
    for (int j = span.lo; j < span.hi; j += KEY_CHUNK) {
        const int keys = span.hi - j < KEY_CHUNK ? span.hi - j : KEY_CHUNK;
        __syncthreads();
        tile_load(shape, act_from(x, j * ld), ld, n - j, (keys + LANES - 1) / LANES * LANES, 1,
                  chunk);
        __syncthreads();
        tile_product(shape, product_rows(rows, shape->rows), shape->d, keys,
                     operand_of_rows(weight, shape->width, j, false),
                     operand(chunk, shape->ldt, false), 1, c, shape->ldc, j > span.lo);
    }
}

/* Multiplies rows of sums by `scale` and stores them in `to`. With `add`, adds them instead. */
DEVICE_FN void tile_store(const struct tile_shape *shape, const real *x, int rows, float scale,
                          struct act *to, int64_t ld, bool add)
{
    const int d = shape->d;
    for (int at = (int)threadIdx.x; at < rows * d; at += ATTENTION_THREADS) {
        const int64_t place = at / d * ld + at % d;
        const float y = x[at / d * shape->ldc + at % d] * scale;
        act_put(to, place, add ? act_get(to, place) + y : y);
    }
}

/* A block's tile of queries of one head. The block processes the tile in groups of queries that fit
 * into shared memory: up to `rows` of struct tile_shape. */
struct query_block {
    struct query_tile t;
    int end;            /* position after the last query of the tile */
    struct query_row q; /* query that this team processes */
    act_type *query;    /* [rows, ldt] */
    act_type *chunk;    /* [KEY_CHUNK, ldt]: keys or values */
    real *sums;         /* [rows, ldc] */
    real *array;        /* [arrays, rows, width]: energies, weights or gradients, by key */
    real *far;          /* [rows, width]: 1 for keys that a term cuts; NULL: no term cuts keys */
};

/* Returns the block for the tile that begins at row `first`. `arrays` is the argument of
 * tile_shape. */
DEVICE_FN struct query_block query_block(const struct attention_args *a,
                                         const struct tile_shape *shape, int arrays, int64_t first,
                                         real *memory)
{
    struct query_block b;
    b.t = tile_of(a, a->group_q[first], (int)(blockIdx.x % (unsigned)a->H));
    b.t.i0 = (int)(first - b.t.q0);
    b.end = b.t.i0 + ATTENTION_TILE < b.t.nq ? b.t.i0 + ATTENTION_TILE : b.t.nq;
    b.query = (act_type *)(void *)memory, b.chunk = b.query + shape->rows * shape->ldt;
    b.sums = (real *)(void *)(b.chunk + KEY_CHUNK * shape->ldt);
    b.array = b.sums + shape->rows * shape->ldc;
    real *stage = b.array + arrays * shape->rows * shape->width;
    b.far = any_cuts(a->term, a->terms, b.t.h) ? stage + TEAMS * shape->stage : NULL;
    b.q = query_row(a, b.t.h, stage + team_of() * shape->stage);
    return b;
}

DEVICE_FN void query_at(struct query_block *b, int i)
{
    b->q.row = b->t.q0 + b->t.i0 + i, b->q.i = b->t.i0 + i;
}

/* Returns `far` of the i-th query of the group; NULL if no term cuts keys. */
DEVICE_FN real *far_at(const struct query_block *b, const struct tile_shape *shape, int i)
{
    return b->far ? b->far + i * shape->width : NULL;
}

/* Computes the energies [rows, width] of a group of queries, from t.i0 on, and adds the terms.
 * Returns the union of the keys of these queries. */
DEVICE_FN struct interval query_energies(const struct attention_args *a,
                                         const struct tile_shape *shape, struct query_block *b,
                                         real *energy)
{
    struct query_tile *t = &b->t;
    t->rows = b->end - t->i0 < shape->rows ? b->end - t->i0 : shape->rows;
    const struct interval all = span_of_all(a, t->i0, t->i0 + t->rows, t->nk);
    tile_load(shape, act_from(a->q, (t->q0 + t->i0) * a->ldq + t->h * a->d), a->ldq, t->rows,
              t->rows, scale_of_queries(a->scale), b->query);
    tile_by_keys(shape, t->rows, b->query, act_from(a->k, t->k0 * a->ldk + t->h * a->d), a->ldk,
                 t->nk, all, b->chunk, scale_of_products(a->scale), energy);
    for (int i = team_of(); i < t->rows; i += TEAMS) {
        query_at(b, i);
        row_terms(&b->q, all, energy + i * shape->width, far_at(b, shape, i));
    }
    return all;
}

/* Sets the columns of this block's head in branch `branch` of x to zero, in rows first to end - 1.
 * All blocks of the head together clear these rows. */
DEVICE_FN void head_clear(const struct attention_args *a, struct act *x, int branch, int64_t ld,
                          int first, int end)
{
    const int h = (int)(blockIdx.x % (unsigned)a->H);
    block_clear(act_to(x, ((int64_t)branch * a->H + h) * a->d), ld, a->d, first, end,
                blockIdx.x / (unsigned)a->H, gridDim.x / (unsigned)a->H);
}
