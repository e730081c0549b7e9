/* Attention in bf16 without terms, for heads with 32 or 64 columns. A warp computes 16 rows of one
 * head. All intermediate results are in registers (warp_rows.h). For short sentences, a block first
 * copies the rows that it reads to shared memory (attention_staged.h). */
#pragma once

#include "core/cuda/attention_row.h"
#include "core/cuda/attention_staged.h"
#include "core/cuda/columns.h"

/* Return true if these kernels have computed the op; false if they do not support its arguments
 * (warp_fits). In fp32, and if SANLAB_CUDA_OFF contains `wmma`, the result is always false. */
C_NAME bool DEVICE(attention_warp)(const struct attention_args *a);
C_NAME bool DEVICE(attention_warp_backward)(const struct attention_args *a);

#ifdef DEVICE_BF16

enum {
    WARP_THREADS = 128,
    KEYS = 32, /* keys per chunk of a warp */
    KEY_TILES = KEYS / 8
};

/* Results for one query in a branch and head. The kernel of queries writes them, and the kernel of
 * keys reads them. */
struct row_sums {
    float log_sum; /* log of the sum of the exponentials of the energies */
    float delta;   /* sum of P dP over the keys; P: weights, dP: their gradients */
};

struct warp_job {
    struct attention_args a;
    int64_t tiles;           /* upper bound of the number of tiles of rows */
    struct row_sums *result; /* [Tq, R, H] */
    uint32_t *kept;          /* [Tq, R, H, groups, 4]: dropout masks of all rows (row_chances) */
    int groups;              /* number of groups of 128 keys */
};

/* Dropout mask of a lane's weights, for two rows and a group of 128 keys. Of each sixteen keys, the
 * lane has the keys 2c, 2c + 1, 2c + 8 and 2c + 9 (warp_mma.h). Each of these four has a byte in
 * bits[0] (first row) and in bits[1] (second row). Bit e of the byte is for the e-th sixteen keys
 * of the group. */
struct chances {
    uint32_t bits[2];
};

/* Returns the mask of one row, for the group of 128 keys that contains key j. */
DEVICE_FN uint32_t row_chances(const struct attention_args *a, int64_t row, int h, int branch,
                               int j)
{
    uint32_t bits = 0;
    ROLLED for (int i = 0; i < 4; i++)
    {
        const int lane = 2 * mma_column() + i % 2 + i / 2 * 8;
        const struct philox block = row_random_at(a, row, h, branch, j, lane);
        UNROLL for (int eighth = 0; eighth < 8; eighth++) bits |=
            (uint32_t)philox_keeps(block, eighth, a->dropout.threshold) << (eighth + 8 * i);
    }
    return bits;
}

/* True if dropout keeps this lane's i-th weight in tile t. Tile 0 begins at key j. */
DEVICE_FN bool is_kept(struct chances kept, int j, int t, int i)
{
    const int eighth = j % GROUP / LANES + t / 2;
    return kept.bits[i / 2] >> (8 * (i % 2 + t % 2 * 2) + eighth) & 1;
}

/* A tile of a warp: up to 16 queries, or up to 16 keys, of one head. For a tile of keys, the
 * comments below apply to keys. */
struct warp_tile {
    /* index of the tile in the job; may be greater than that of the last tile */
    int64_t tile;
    struct query_tile t; /* rows is 0 if the tile does not exist */
    int last;            /* position of the last query of the tile */
    int query[2];        /* queries of this lane, as positions in the sentence */
    int64_t row[2];      /* queries of this lane, as indices among all packed rows */
};

/* Sets the tile to the rows from i0 on, in a sentence of `rows` rows. */
DEVICE_FN void tile_begin(struct warp_tile *w, int i0, int rows)
{
    w->t.i0 = i0;
    w->t.rows = least(ATTENTION_TILE, rows - i0);
    w->last = i0 + w->t.rows - 1;
    for (int half = 0; half < 2; half++) {
        w->query[half] = own_row(i0, half, w->last);
        w->row[half] = w->t.q0 + w->query[half];
    }
}

DEVICE_FN struct warp_tile warp_tile(const struct warp_job *job, bool of_keys)
{
    const struct attention_args *a = &job->a;
    struct warp_tile w;
    const unsigned heads = (unsigned)a->H, warp = (unsigned)warp_of_all();
    w.tile = warp / heads;
    w.t.h = (int)(warp % heads);
    w.t.q0 = w.t.k0 = w.t.nq = w.t.nk = w.t.i0 = w.t.rows = w.last = 0;
    const int first = w.tile >= job->tiles ? -1 : (of_keys ? a->tile_k : a->tile_q)[w.tile];
    if (first < 0) return w;
    w.t = tile_of(a, (of_keys ? a->group_k : a->group_q)[first], w.t.h);
    tile_begin(&w, (int)(first - (of_keys ? w.t.k0 : w.t.q0)), of_keys ? w.t.nk : w.t.nq);
    return w;
}

/* Returns sentence and head of this block, for kernels whose blocks compute one head of a sentence.
 * tile_begin then sets the rows. */
DEVICE_FN struct warp_tile staged_tile(const struct attention_args *a)
{
    struct warp_tile w;
    w.tile = blockIdx.x / (unsigned)a->H;
    w.t = tile_of(a, (int)w.tile, (int)(blockIdx.x % (unsigned)a->H));
    w.last = 0;
    return w;
}

/* True if this lane's query `half` exists. If it does not exist, the lane computes with the last
 * query of the tile, and its result must not be stored. */
DEVICE_FN bool is_own(const struct warp_tile *w, int half)
{
    return w->t.i0 + mma_row() + 8 * half <= w->last;
}

/* Returns the index of a row and branch in [Tq, R, H]. */
DEVICE_FN int64_t row_place(const struct attention_args *a, const struct warp_tile *w, int branch,
                            int64_t row)
{
    return (row * a->R + branch) * a->H + w->t.h;
}

/* Sets `seen` to the ranges of keys to which this lane's two queries attend. */
DEVICE_FN void keys_seen(const struct attention_args *a, int branch, const struct warp_tile *w,
                         struct interval seen[2])
{
    for (int half = 0; half < 2; half++)
        seen[half] = keys_of(&a->branch[branch], a->causal, w->query[half], w->t.nk);
}

/* Returns the union of the keys of the tile's queries. The first key is rounded down to a multiple
 * of KEYS. */
DEVICE_FN struct interval chunks_of(const struct attention_args *a, int branch,
                                    const struct warp_tile *w)
{
    struct interval span = span_of(a, branch, w->t.i0, w->t.i0 + w->t.rows, w->t.nk);
    span.lo = span.lo / KEYS * KEYS;
    return span;
}

/* Returns the key of this lane's i-th number in tile t. Tile 0 begins at key j. */
DEVICE_FN int key_of(int j, int t, int i)
{
    return j + 8 * t + 2 * mma_column() + i % 2;
}

/* Computes the products q k for a chunk of keys, from j on. The product is -infinity for a key that
 * the query does not attend to. */
DEVICE_FN void chunk_products(const struct warp_tile *w, struct slice keys,
                              const uint32_t query[STEPS][4], const struct interval seen[2], int j,
                              const int d, float product[KEY_TILES][4])
{
    by_rows(query, keys, j, w->t.nk - 1, d, KEY_TILES, product);
    EACH_ELEMENT(t, i, KEY_TILES) {
        const struct interval own = seen[i / 2];
        const bool is = (unsigned)(key_of(j, t, i) - own.lo) < (unsigned)(own.hi - own.lo);
        product[t][i] = is ? product[t][i] : -INFINITY;
    }
}

/* True if rows of x begin at multiples of 16 bytes and indices fit into int. x may be NULL. */
static inline bool fits(const void *x, int64_t rows, int64_t ld)
{
    return row_is_even(x, ld) && rows * ld < INT32_MAX;
}

static inline bool warp_fits(const struct attention_args *a)
{
    const int64_t ld = (int64_t)a->R * a->H * a->d;
    return device_has_fragments() && a->terms == 0 && (a->d == 32 || a->d == 64) &&
           fits(a->q, a->Tq, a->ldq) && fits(a->k, a->Tk, a->ldk) && fits(a->v, a->Tk, a->ldv) &&
           fits(a->out, a->Tq, ld) && fits(a->out_gradient, a->Tq, ld) &&
           fits(a->dq, a->Tq, a->ldq) && fits(a->dk, a->Tk, a->ldk) && fits(a->dv, a->Tk, a->ldv);
}

static inline struct warp_job warp_job(const struct attention_args *a, int T)
{
    struct warp_job job;
    memset(&job, 0, sizeof job);
    job.a = *a;
    job.tiles = tiles_most(T, a->B);
    job.groups = (int)parts(a->longest, GROUP);
    return job;
}
static inline int64_t warp_blocks(const struct warp_job *job)
{
    return parts(job->tiles * job->a.H, WARP_THREADS / WARP);
}

/* Defines two kernels, for heads with 32 and with 64 columns. They call body(job, 32) and body(job,
 * 64). HEAD_LAUNCH launches the kernel for the job's heads. */
#define HEAD_KERNELS(name, threads, body)                                                          \
    KERNEL(name##_32, threads, struct warp_job, job)                                               \
    {                                                                                              \
        body(job, 32);                                                                             \
    }                                                                                              \
    KERNEL(name##_64, threads, struct warp_job, job)                                               \
    {                                                                                              \
        body(job, 64);                                                                             \
    }
#define HEAD_LAUNCH(name, blocks, shared, job)                                                     \
    do                                                                                             \
        if ((job)->a.d == 32)                                                                      \
            LAUNCH(name##_32, blocks, shared, job);                                                \
        else                                                                                       \
            LAUNCH(name##_64, blocks, shared, job);                                                \
    while (0)

#endif
