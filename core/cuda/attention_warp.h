/* Attention without terms in bf16, for heads of width 32 or 64. A warp has 16 rows of one head,
 * with all intermediate results in registers (warp_rows.h). Rows of short sentences are in shared
 * memory (attention_staged.h). */
#pragma once

#include "core/cuda/attention_row.h"
#include "core/cuda/attention_staged.h"
#include "core/cuda/columns.h"

/* Return true if these kernels have computed the op. They exist in bf16 unless SANLAB_CUDA_OFF
 * names `wmma`. */
C_NAME bool DEVICE(attention_warp)(const struct attention_args *a);
C_NAME bool DEVICE(attention_warp_backward)(const struct attention_args *a);

#ifdef DEVICE_BF16

enum {
    WARP_THREADS = 128,
    KEYS = 32, /* keys per chunk of a warp */
    KEY_TILES = KEYS / 8
};

/* Results of the kernel of queries for the kernel of keys, for a row in a branch and head. */
struct row_sums {
    float log_sum; /* log of the sum of exponentials of energies */
    float delta;   /* sum over keys of P dP */
};

struct warp_job {
    struct attention_args a;
    int64_t tiles;           /* tiles of rows */
    struct row_sums *result; /* [Tq, R, H] */
    uint32_t *kept;          /* [Tq, R, H, groups, 4]: struct chances of all rows */
    int groups;              /* groups of 128 keys */
};

/* Dropout mask of a lane's weights, for two rows and a group of 128 keys. Each of the keys 2c, 2c +
 * 1, 2c + 8, 2c + 9 has a byte, with a bit for each group of sixteen. */
struct chances {
    uint32_t bits[2];
};

/* Returns the mask of one row, for keys from j on. */
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

/* True if the i-th weight of this lane in tile t of the chunk from key j on is kept. */
DEVICE_FN bool is_kept(struct chances kept, int j, int t, int i)
{
    const int eighth = j % GROUP / LANES + t / 2;
    return kept.bits[i / 2] >> (8 * (i % 2 + t % 2 * 2) + eighth) & 1;
}

/* A warp's tile, of queries or of keys. */
struct warp_tile {
    int64_t tile;        /* index among the job's tiles; may be past the end */
    struct query_tile t; /* rows is 0 if the tile does not exist */
    int last;            /* last query of the tile */
    int query[2];        /* queries of this lane, as positions in the sentence */
    int64_t row[2];      /* queries of this lane, as indices among all packed rows */
};

/* Sets the rows of a sentence's tile from i0 on. */
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

/* Returns the sentence and head of this block, for jobs whose tiles are sentences. */
DEVICE_FN struct warp_tile staged_tile(const struct attention_args *a)
{
    struct warp_tile w;
    w.tile = blockIdx.x / (unsigned)a->H;
    w.t = tile_of(a, (int)w.tile, (int)(blockIdx.x % (unsigned)a->H));
    w.last = 0;
    return w;
}

/* True if this lane's query exists; false if the last query is used in place of a missing query. */
DEVICE_FN bool is_own(const struct warp_tile *w, int half)
{
    return w->t.i0 + mma_row() + 8 * half <= w->last;
}

/* Returns the index of a row in [Tq, R, H]. */
DEVICE_FN int64_t row_place(const struct attention_args *a, const struct warp_tile *w, int branch,
                            int64_t row)
{
    return (row * a->R + branch) * a->H + w->t.h;
}

/* Computes the keys of this lane's two queries. */
DEVICE_FN void keys_seen(const struct attention_args *a, int branch, const struct warp_tile *w,
                         struct interval seen[2])
{
    for (int half = 0; half < 2; half++)
        seen[half] = keys_of(&a->branch[branch], a->causal, w->query[half], w->t.nk);
}

/* Returns the union of the tile's keys, extended down to a whole chunk. */
DEVICE_FN struct interval chunks_of(const struct attention_args *a, int branch,
                                    const struct warp_tile *w)
{
    struct interval span = span_of(a, branch, w->t.i0, w->t.i0 + w->t.rows, w->t.nk);
    span.lo = span.lo / KEYS * KEYS;
    return span;
}

/* Returns the i-th key of this lane in tile t, for keys from j on. */
DEVICE_FN int key_of(int j, int t, int i)
{
    return j + 8 * t + 2 * mma_column() + i % 2;
}

/* Computes the products q k of a chunk of keys; -infinity for keys that are not visible. */
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

/* True if rows of x begin at multiples of 16 bytes and indices fit into int. True if x is NULL. */
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

/* Defines a kernel for each width of heads, body(job, d), and its launch. */
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
