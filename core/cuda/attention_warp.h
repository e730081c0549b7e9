/* Attention without terms in bf16, of heads of 32 or 64: a warp has 16 rows of one head, and all
 * that it computes of them stays in registers (warp_mma.h). Rows of operands are loaded from memory
 * as lanes want them, 16 bytes at once: a sum over columns may take them in any order, if both
 * operands do (rows_left, by_rows), and columns of a result may stand in any order (over_rows), if
 * who stores them knows it. */
#ifndef CORE_CUDA_ATTENTION_WARP_H
#define CORE_CUDA_ATTENTION_WARP_H

#include "core/cuda/attention_row.h"
#include "core/cuda/columns.h"
#include "core/cuda/warp_mma.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Whether such kernels have done it; they are there in bf16 unless SANLAB_CUDA_OFF names `wmma`. */
bool DEVICE(attention_warp)(const struct attention_args *a);
bool DEVICE(attention_warp_backward)(const struct attention_args *a);
#ifdef __cplusplus
}
#endif

#ifdef DEVICE_BF16

enum {
    WARP_THREADS = 128,
    HEAD_MOST = 64,
    STEPS = HEAD_MOST / 16, /* of a sum over a head's columns */
    TILES = HEAD_MOST / 8,  /* of them */
    KEYS = 32,              /* that a warp looks at together, */
    KEY_TILES = KEYS / 8
};

/* What the kernel of queries leaves for that of keys, of a row in a branch and head. */
struct row_sums {
    float log_sum; /* of exponentials of energies */
    float delta;   /* sum over keys of P dP */
};

struct warp_job {
    struct attention_args a;
    int64_t tiles;           /* of rows */
    struct row_sums *result; /* [Tq, R, H] */
    uint32_t *kept;          /* [Tq, R, H, groups, 4]: struct chances of all rows */
    int groups;              /* of 128 keys */
};

/* The rows of a sentence in one head: element (i, c) is x[at + i ld + c]; or they are folded in
 * shared memory (attention_staged.h). x is an argument, and ints beside it take the fewest
 * registers. */
struct slice {
    const struct act *x;
    int at, ld;
    bool folded;
};

DEVICE_FN struct slice slice_of(const struct act *x, int64_t row, int ld, int column)
{
    struct slice s;
    s.x = x, s.at = (int)row * ld + column, s.ld = ld, s.folded = false;
    return s;
}

/* Which place of shared memory the n-th pack of folded rows has. A line of eight packs is all
 * banks; in which order they stand there turns with the line, so that eight lanes that read at one
 * time are in eight of them: four packs of two rows (rows_left, by_rows), or two packs of four
 * rows, every second one (over_rows). */
DEVICE_FN int fold(int n)
{
    const int line = n / 8;
    return line * 8 + (n % 8 ^ (line & 6) ^ (line & 1) << 2);
}

/* Where columns from `column` on are, of d. */
DEVICE_FN int slice_place(struct slice s, int row, int column, const int d)
{
    if (!s.folded) return s.at + row * s.ld + column;
    return s.at + fold(row * (d / PACK) + column / PACK) * PACK + column % PACK;
}

/* Pairs of neighbors from element `at` on, which begins at whole 16 bytes. */
DEVICE_FN struct words words_at(const struct act *x, int at)
{
    return *(const struct words *)(const void *)act_from(x, at);
}
/* Half as many, at whole 8 bytes. */
DEVICE_FN struct words half_words_at(const struct act *x, int at)
{
    const uint64_t both = *(const uint64_t *)(const void *)act_from(x, at);
    struct words w;
    w.word[0] = (uint32_t)both, w.word[1] = (uint32_t)(both >> 32), w.word[2] = w.word[3] = 0;
    return w;
}

DEVICE_FN int least(int a, int b)
{
    return a < b ? a : b;
}

/* The rows that a lane has of 16, `first` + g and + g + 8; those behind the last one are it. */
DEVICE_FN int own_row(int first, int half, int last)
{
    return least(first + mma_row() + 8 * half, last);
}

/* Rows as the left operand of sums over their d columns: of 32 columns a lane has eight
 * neighbors, 8 c and on, for both steps. */
DEVICE_FN void rows_left(struct slice s, int first, int last, const int d, uint32_t left[STEPS][4])
{
    UNROLL for (int p = 0; p < d / 32; p++)
    {
        const int c = 32 * p + 8 * mma_column();
        const struct words low = words_at(s.x, slice_place(s, own_row(first, 0, last), c, d)),
                           high = words_at(s.x, slice_place(s, own_row(first, 1, last), c, d));
        UNROLL for (int half = 0; half < 2; half++)
        {
            left[2 * p + half][0] = low.word[2 * half], left[2 * p + half][1] = high.word[2 * half];
            left[2 * p + half][2] = low.word[2 * half + 1];
            left[2 * p + half][3] = high.word[2 * half + 1];
        }
    }
}

/* sum[16, 8 tiles] = left[16, d] X^T, X the rows from `first` on. */
DEVICE_FN void by_rows(const uint32_t left[STEPS][4], struct slice s, int first, int last,
                       const int d, const int tiles, float sum[][4])
{
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int i = 0; i < 4; i++) sum[t][i] = 0;
        UNROLL for (int p = 0; p < d / 32; p++)
        {
            const int row = least(first + 8 * t + mma_row(), last);
            const struct words w = words_at(s.x, slice_place(s, row, 32 * p + 8 * mma_column(), d));
            mma(sum[t], left[2 * p], w.word);
            mma(sum[t], left[2 * p + 1], w.word + 2);
        }
    }
}

/* sum[16, d] += left[16, 16] X, X the 16 rows from `first` on. Column g of tile t is column
 * d / 8 g + t of X, so that a lane's are neighbors. */
DEVICE_FN void over_rows(const uint32_t left[4], struct slice s, int first, int last, const int d,
                         float sum[TILES][4])
{
    const int tiles = d / 8;
    struct words w[4];
    UNROLL for (int i = 0; i < 4; i++)
    {
        const int row = least(first + 2 * mma_column() + i % 2 + i / 2 * 8, last);
        const int at = slice_place(s, row, tiles * mma_row(), d);
        w[i] = tiles == 8 ? words_at(s.x, at) : half_words_at(s.x, at);
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        uint32_t right[2];
        UNROLL for (int i = 0; i < 2; i++)
        {
            const uint32_t even = w[2 * i].word[t / 2], odd = w[2 * i + 1].word[t / 2];
            right[i] = t % 2 ? even >> 16 | (odd & 0xffff0000u) : (even & 0xffffu) | odd << 16;
        }
        mma(sum[t], left, right);
    }
}

/* Two tiles of a result, 16 x 16, as the left operand of a sum over its columns. */
DEVICE_FN void result_left(const float result[2][4], uint32_t left[4])
{
    UNROLL for (int i = 0; i < 4; i++) left[i] =
        mma_pair(result[i / 2][i % 2 * 2], result[i / 2][i % 2 * 2 + 1]);
}

/* Rows of such sums, below `end`, times scale[half] to a slice of `to`, or added to it. */
DEVICE_FN void store(const float sum[TILES][4], const float scale[2], const int d, int first,
                     int end, struct act *to, struct slice s, bool add)
{
    UNROLL for (int half = 0; half < 2; half++)
    {
        const int row = first + mma_row() + 8 * half;
        if (row >= end) continue;
        UNROLL for (int k = 0; k < d / 4 / PACK; k++)
        {
            struct act *place = act_to(to, s.at + row * s.ld + d / 4 * mma_column() + k * PACK);
            struct words old, w;
            if (add) old = words_at(place, 0);
            UNROLL for (int i = 0; i < 4; i++)
            {
                float y[2];
                UNROLL for (int high = 0; high < 2; high++)
                {
                    const int column = k * PACK + 2 * i + high;
                    y[high] = sum[column % (d / 8)][2 * half + column / (d / 8)] * scale[half];
                    if (add) y[high] += act_real((act_type)(old.word[i] >> 16 * high));
                }
                w.word[i] = mma_pair(y[0], y[1]);
            }
            STORE16(struct words, place, w);
        }
    }
}

DEVICE_FN void clear(float sum[][4], const int tiles)
{
    EACH_ELEMENT(t, i, tiles) sum[t][i] = 0;
}

/* Rows first, first + step, .. of x, below `end`, become zero in columns [column, column + d). */
DEVICE_FN void clear_rows(struct act *x, int64_t ld, int64_t column, const int d, int64_t first,
                          int64_t step, int64_t end)
{
    for (int64_t row = first; row < end; row += step)
        for (int c = lane_of(); c < d; c += WARP) act_put(x, row * ld + column + c, 0);
}

/* Which of a lane's weights dropout keeps, of two rows and a group of 128 keys: of keys 2c, 2c + 1,
 * 2c + 8, 2c + 9 a byte each, with a bit for each sixteen. */
struct chances {
    uint32_t bits[2];
};

/* Of one row: keys from j on. */
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

/* Whether the weight of the chunk's tile t, i-th of the lane's, is kept: keys from j on. */
DEVICE_FN bool is_kept(struct chances kept, int j, int t, int i)
{
    const int eighth = j % GROUP / LANES + t / 2;
    return kept.bits[i / 2] >> (8 * (i % 2 + t % 2 * 2) + eighth) & 1;
}

/* A warp's tile, of queries or of keys. */
struct warp_tile {
    int64_t tile;        /* which of the job's; maybe behind them */
    struct query_tile t; /* rows: 0, there is none */
    int last;            /* query of it, */
    int query[2];        /* those that this lane has, in the sentence */
    int64_t row[2];      /* and among all packed ones */
};

/* The rows of a sentence's tile from i0 on. */
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

/* Whether there is such a query, and not the last one in its place. */
DEVICE_FN bool is_own(const struct warp_tile *w, int half)
{
    return w->t.i0 + mma_row() + 8 * half <= w->last;
}

/* Where a row stands in [Tq, R, H]. */
DEVICE_FN int64_t row_place(const struct attention_args *a, const struct warp_tile *w, int branch,
                            int64_t row)
{
    return (row * a->R + branch) * a->H + w->t.h;
}

/* Keys that this lane's two queries see. */
DEVICE_FN void keys_seen(const struct attention_args *a, int branch, const struct warp_tile *w,
                         struct interval seen[2])
{
    for (int half = 0; half < 2; half++)
        seen[half] = keys_of(&a->branch[branch], a->causal, w->query[half], w->t.nk);
}

/* Keys that any of them sees, from a whole chunk on. */
DEVICE_FN struct interval chunks_of(const struct attention_args *a, int branch,
                                    const struct warp_tile *w)
{
    struct interval span = span_of(a, branch, w->t.i0, w->t.i0 + w->t.rows, w->t.nk);
    span.lo = span.lo / KEYS * KEYS;
    return span;
}

/* The i-th key of the lane in tile t of those from j on. */
DEVICE_FN int key_of(int j, int t, int i)
{
    return j + 8 * t + 2 * mma_column() + i % 2;
}

/* Products q k of a chunk of keys, -infinity for those that are not seen. */
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

/* Whether rows of x begin at whole 16 bytes, and ints are their places; NULL: it is not wanted. */
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

/* Of tiles of T rows. */
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

#endif
#endif
