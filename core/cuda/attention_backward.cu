/* Gradients of attention, in two kernels. For tiles of queries, the first computes gradients of
 * queries and of arrays that terms read. For tiles of keys, the second computes gradients of keys
 * and values. Both compute energies again, and weights from the statistics of the forward pass. */
#include "core/cuda/attention_tile.h"
#include "core/cuda/attention_warp.h"

enum { ARRAYS = 3 }; /* energies, gradients of a branch's weights, gradients of energies */

/* Results for one query in a branch and head. The first kernel writes them, and the second kernel
 * reads them. */
struct row_result {
    float delta; /* sum of P dP over the keys; P: weights, dP: their gradients */
    float cut;   /* 1: keys that terms cut have no weight; 0: no key is cut, or cuts are ignored */
};

struct backward_job {
    struct attention_args a;
    struct tile_shape shape;
    struct row_result *result; /* [Tq, R, H] */
};

DEVICE_FN const real *statistics_of(const struct attention_args *a, int64_t row, int branch, int h)
{
    return a->statistics + ((row * a->R + branch) * a->H + h) * 2;
}

DEVICE_FN struct row_result *result_of(const struct backward_job *job, int64_t row, int branch,
                                       int h)
{
    return job->result + (row * job->a.R + branch) * job->a.H + h;
}

/* Returns the weight of this lane's key, j + team_lane(), before dropout. */
DEVICE_FN real weight_of(const real *energy, const real *statistics, struct interval keys,
                         const real *far, int j)
{
    if (!is_seen(keys, far, j)) return 0;
    return expf(energy[j + team_lane()] - statistics[0]) * statistics[1];
}

/* Adds the gradients of a query's energies in a branch: total [n] += P (dP - delta), delta = sum_j
 * P dP. slope [n] has dout v; terms and dropout then change it to dP. Writes delta to result [Tq,
 * R, H]. A block of the second kernel cannot compute delta, which is a sum over all keys, because
 * it has only 16 keys. */
DEVICE_FN void backward_row(const struct backward_job *job, const struct query_row *q, int nk,
                            int branch, struct interval span, const real *energy, const real *marks,
                            real *slope, real *total)
{
    const struct attention_args *a = &job->a;
    const struct interval keys = keys_of(&a->branch[branch], a->causal, q->i, nk);
    const real *far = row_far(marks, keys), *kept = statistics_of(a, q->row, branch, q->h);
    row_spread(q, branch, span, slope);
    if (branch_drops(a, branch)) row_drop(a, q->row, q->h, branch, span, slope);
    real dot = 0;
    for (int j = span.lo; j < span.hi; j += LANES)
        dot = fmaf(weight_of(energy, kept, keys, far, j), slope[j + team_lane()], dot);
    const real delta = vec_sum(dot);
    for (int j = span.lo; j < span.hi; j += LANES)
        total[j + team_lane()] +=
            weight_of(energy, kept, keys, far, j) * (slope[j + team_lane()] - delta);
    struct row_result *result = result_of(job, q->row, branch, q->h);
    row_put(&result->delta, delta);
    row_put(&result->cut, far ? 1 : 0);
}

/* dq[i] = scale sum_j dE[i, j] k[j]; dE = sum_r P_r (dP_r - delta_r). dP_r[i, j] =
 * dropout(dout_r[i] v[j] + terms). q, k, v, dout [Tq, R, H, d], statistics -> dq [Tq, H, d], result
 * [Tq, R, H] and gradients of the arrays that terms read. A block computes a tile of queries of one
 * head, with all keys of the sentence. */
KERNEL(queries_kernel, ATTENTION_THREADS, struct backward_job, job)
{
    SHARED(real, memory);
    const struct attention_args *a = &job->a;
    const struct tile_shape *shape = &job->shape;
    const int64_t first = a->tile_q[blockIdx.x / (unsigned)a->H];
    if (a->zeros) head_clear(a, a->dq, 0, a->ldq, a->start_q[a->B], a->Tq);
    if (first < 0) return;
    struct query_block b = query_block(a, shape, ARRAYS, first, memory);
    const struct query_tile *t = &b.t;
    const int d = a->d, D = a->H * d, width = shape->width;
    real *energy = b.array, *slope = energy + shape->rows * width;
    real *total = slope + shape->rows * width;
    const struct act *keys = act_from(a->k, t->k0 * a->ldk + t->h * d);
    for (; b.t.i0 < b.end; b.t.i0 += shape->rows) {
        const struct interval all = query_energies(a, shape, &b, energy);
        const int64_t row = t->q0 + t->i0;
        for (int i = team_of(); i < t->rows; i += TEAMS)
            for (int j = all.lo; j < all.hi; j += LANES) vec_store(total + i * width + j, LANES, 0);
        for (int r = 0; r < a->R; r++) {
            const struct interval span = span_of(a, r, t->i0, t->i0 + t->rows, t->nk);
            tile_load(shape, act_from(a->out_gradient, row * a->R * D + r * D + t->h * d),
                      (int64_t)a->R * D, t->rows, t->rows, 1, b.query);
            tile_by_keys(shape, t->rows, b.query, act_from(a->v, t->k0 * a->ldv + t->h * d), a->ldv,
                         t->nk, span, b.chunk, 1, slope);
            for (int i = team_of(); i < t->rows; i += TEAMS) {
                query_at(&b, i);
                backward_row(job, &b.q, t->nk, r, span, energy + i * width, far_at(&b, shape, i),
                             slope + i * width, total + i * width);
            }
        }
        team_sync(); /* terms read the sums of other lanes */
        for (int i = team_of(); i < t->rows; i += TEAMS) {
            query_at(&b, i);
            row_slopes(&b.q, all, total + i * width);
            row_to_operands(total + i * width, all);
        }
        tile_over_keys(shape, t->rows, total, keys, a->ldk, t->nk, all, b.chunk, b.sums);
        product_sync();
        tile_store(shape, b.sums, t->rows, a->scale, act_to(a->dq, row * a->ldq + t->h * d), a->ldq,
                   a->add_q);
    }
}

enum { KEY_TILE = ATTENTION_TILE, KEY_LD = ACT_IS_REAL ? KEY_TILE + 1 : KEY_TILE + 4 };

/* Tiles of queries and keys in shared memory, for the second kernel. */
struct key_memory {
    act_type *query, *dy, *key, *value;          /* [16, ldt] */
    real *dk, *dv;                               /* [16, ldc] */
    real *energy, *slope, *weight, *total, *far; /* [16 queries, KEY_LD] */
    real *stage;
};

DEVICE_FN struct key_memory key_memory(real *memory, const struct tile_shape *shape)
{
    const int tile = KEY_TILE * shape->ldt, sums = KEY_TILE * shape->ldc;
    struct key_memory m;
    m.query = (act_type *)(void *)memory, m.dy = m.query + tile;
    m.key = m.dy + tile, m.value = m.key + tile;
    m.dk = (real *)(void *)(m.value + tile), m.dv = m.dk + sums;
    m.energy = m.dv + sums, m.slope = m.energy + KEY_TILE * KEY_LD;
    m.weight = m.slope + KEY_TILE * KEY_LD, m.total = m.weight + KEY_TILE * KEY_LD;
    m.far = m.total + KEY_TILE * KEY_LD;
    m.stage = m.far + KEY_TILE * KEY_LD;
    return m;
}

static size_t key_bytes(const struct tile_shape *shape)
{
    return (size_t)(4 * KEY_TILE * shape->ldt) * sizeof(act_type) +
           (size_t)(KEY_TILE * (2 * shape->ldc + 5 * KEY_LD) + TEAMS * shape->stage) * sizeof(real);
}

/* Processes one query, row `at` of the arrays in shared memory, with the keys of a tile. Computes
 * the weights after dropout, and adds the gradients of the energies to m->total. Converts the
 * weights to operands and, after the last branch, m->total too. */
DEVICE_FN void key_row(const struct backward_job *job, const struct query_row *q, int nk,
                       int branch, struct interval tile, const struct key_memory *m, int at)
{
    const struct attention_args *a = &job->a;
    const struct interval keys = keys_of(&a->branch[branch], a->causal, q->i, nk);
    const struct row_result *result = result_of(job, q->row, branch, q->h);
    const int j0 = tile.lo; /* key of column 0 of the arrays */
    const real *far = result->cut > 0 ? m->far + at * KEY_LD - j0 : NULL;
    row_spread(q, branch, tile, m->slope + at * KEY_LD - j0);
    const real weight = weight_of(m->energy + at * KEY_LD - j0,
                                  statistics_of(a, q->row, branch, q->h), keys, far, j0);
    real factor = 1;
    if (branch_drops(a, branch)) {
        const struct philox block = row_random(a, q->row, q->h, branch, j0);
        const bool kept = philox_keeps(block, j0 % GROUP / LANES, a->dropout.threshold);
        factor = kept ? dropout_raise(a->dropout) : 0;
    }
    const int own = at * KEY_LD + team_lane();
    struct interval all;
    all.lo = 0, all.hi = KEY_TILE;
    m->weight[own] = weight * factor;
    m->total[own] += weight * (m->slope[own] * factor - result->delta);
    row_to_operands(m->weight + at * KEY_LD, all);
    if (branch == a->R - 1) row_to_operands(m->total + at * KEY_LD, all);
}

/* dv[j] = sum_r sum_i dropout(P_r[i, j]) dout_r[i]; dk[j] = scale sum_i dE[i, j] q[i]. The kernel
 * reads the inputs and results of the first kernel, and writes dk, dv [Tk, H, d]. A block computes
 * 16 keys of one head, and loops over the queries of the sentence in order, 16 at a time. So only
 * one block adds to a row of dk and dv. A team processes one query at a time, and a lane processes
 * one key. */
KERNEL(keys_kernel, ATTENTION_THREADS, struct backward_job, job)
{
    SHARED(real, memory);
    const struct attention_args *a = &job->a;
    const int64_t first = a->tile_k[blockIdx.x / (unsigned)a->H];
    if (a->zeros) {
        head_clear(a, a->dk, 0, a->ldk, a->start_k[a->B], a->Tk);
        head_clear(a, a->dv, 0, a->ldv, a->start_k[a->B], a->Tk);
    }
    if (first < 0) return;
    struct query_tile t = tile_of(a, a->group_k[first], (int)(blockIdx.x % (unsigned)a->H));
    const struct tile_shape *shape = &job->shape;
    const int d = a->d, D = a->H * d, ldt = shape->ldt, ldc = shape->ldc;
    const struct key_memory m = key_memory(memory, shape);
    struct interval tile;
    tile.lo = (int)(first - t.k0);
    tile.hi = tile.lo + KEY_TILE < t.nk ? tile.lo + KEY_TILE : t.nk;
    const int count = tile.hi - tile.lo;
    struct query_row q = query_row(a, t.h, m.stage + team_of() * shape->stage);
    tile_load(shape, act_from(a->k, first * a->ldk + t.h * d), a->ldk, count, KEY_TILE, 1, m.key);
    tile_load(shape, act_from(a->v, first * a->ldv + t.h * d), a->ldv, count, KEY_TILE, 1, m.value);
    for (int i = (int)threadIdx.x; i < KEY_TILE * ldc; i += ATTENTION_THREADS)
        m.dk[i] = m.dv[i] = 0;
    for (t.i0 = 0; t.i0 < t.nq; t.i0 += ATTENTION_TILE) {
        t.rows = t.nq - t.i0 < ATTENTION_TILE ? t.nq - t.i0 : ATTENTION_TILE;
        const int64_t row = t.q0 + t.i0;
        const int rows = product_rows(t.rows, ATTENTION_TILE);
        const struct interval all = span_of_all(a, t.i0, t.i0 + t.rows, t.nk);
        if (all.hi <= tile.lo || all.lo >= tile.hi) continue;
        __syncthreads();
        tile_load(shape, act_from(a->q, row * a->ldq + t.h * d), a->ldq, t.rows, rows,
                  scale_of_queries(a->scale), m.query);
        for (int i = (int)threadIdx.x; i < KEY_TILE * KEY_LD; i += ATTENTION_THREADS)
            m.weight[i] = m.total[i] = 0;
        __syncthreads();
        tile_product(shape, rows, KEY_TILE, d, operand(m.query, ldt, false),
                     operand(m.key, ldt, true), scale_of_products(a->scale), m.energy, KEY_LD,
                     false);
        product_sync();
        for (int i = team_of(); i < t.rows; i += TEAMS) {
            q.row = row + i, q.i = t.i0 + i;
            row_terms(&q, tile, m.energy + i * KEY_LD - tile.lo,
                      any_cuts(a->term, a->terms, t.h) ? m.far + i * KEY_LD - tile.lo : NULL);
        }
        for (int r = 0; r < a->R; r++) {
            __syncthreads();
            tile_load(shape, act_from(a->out_gradient, row * a->R * D + r * D + t.h * d),
                      (int64_t)a->R * D, t.rows, rows, 1, m.dy);
            __syncthreads();
            tile_product(shape, rows, KEY_TILE, d, operand(m.dy, ldt, false),
                         operand(m.value, ldt, true), 1, m.slope, KEY_LD, false);
            product_sync();
            for (int i = team_of(); i < t.rows; i += TEAMS) {
                q.row = row + i, q.i = t.i0 + i;
                key_row(job, &q, t.nk, r, tile, &m, i);
            }
            __syncthreads();
            tile_product(shape, KEY_TILE, d, t.rows, operand_of_rows(m.weight, KEY_LD, 0, true),
                         operand(m.dy, ldt, false), 1, m.dv, ldc, true);
        }
        tile_product(shape, KEY_TILE, d, t.rows, operand_of_rows(m.total, KEY_LD, 0, true),
                     operand(m.query, ldt, false), 1, m.dk, ldc, true);
    }
    product_sync();
    tile_store(shape, m.dk, count, scale_of_products(a->scale),
               act_to(a->dk, first * a->ldk + t.h * d), a->ldk, a->add_k);
    tile_store(shape, m.dv, count, 1, act_to(a->dv, first * a->ldv + t.h * d), a->ldv, a->add_v);
}

void DEVICE(attention_backward)(const struct attention_args *a)
{
    if (DEVICE(attention_warp_backward)(a)) return;
    struct backward_job job;
    memset(&job, 0, sizeof job);
    job.a = *a;
    job.shape = tile_shape(a, ARRAYS);
    job.result = (struct row_result *)device_scratch((size_t)a->Tq * (size_t)(a->R * a->H) *
                                                     sizeof(struct row_result));
    LAUNCH(queries_kernel, tiles_most(a->Tq, a->B) * a->H, (size_t)job.shape.bytes, &job);
    LAUNCH(keys_kernel, tiles_most(a->Tk, a->B) * a->H, key_bytes(&job.shape), &job);
}
