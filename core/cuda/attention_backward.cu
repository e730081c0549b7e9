/* Gradients of attention, in two kernels without atomics: one by tiles of queries (queries, rows of
 * terms, and the sums that a row's gradients need), one by tiles of keys (keys and values). Both
 * compute energies again; weights come from the statistics of the forward pass. */
#include "core/cuda/attention_tile.h"

/* What the first kernel leaves for the second one, of a row in a branch and head. */
struct row_result {
    float delta; /* sum over keys of P dP */
    float cut;   /* 1: what terms cut has no weight; 0: nothing is cut */
};

struct backward_job {
    struct attention_args a;
    int rows;  /* of a tile, that there is room for at once */
    int width; /* of a row of energies */
    int ldt;   /* of rows of a head in shared memory */
    int stage; /* numbers of a team's stage */
    bool cuts;
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

/* The weight of this lane's key of the vector from j on, before dropout. */
DEVICE_FN real weight_of(const real *energy, const real *statistics, struct interval keys,
                         const real *far, int j)
{
    if (!is_seen(keys, far, j)) return 0;
    return expf(energy[j + team_lane()] - statistics[0]) * statistics[1];
}

/* A row's gradient of energies in a branch, added to total: P (dP - sum P dP). */
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

KERNEL(queries_kernel, ATTENTION_THREADS, struct backward_job, job)
{
    SHARED(real, memory);
    const struct attention_args *a = &job->a;
    const int64_t first = a->tile_q[blockIdx.x / (unsigned)a->H];
    if (first < 0) return;
    struct query_tile t = tile_of(a, a->group_q[first], (int)(blockIdx.x % (unsigned)a->H));
    const int d = a->d, D = a->H * d, ldt = job->ldt, width = job->width, rows = job->rows;
    real *query = memory, *chunk = query + rows * ldt, *out = chunk + KEY_CHUNK * ldt;
    real *energy = out + rows * d, *slope = energy + rows * width, *total = slope + rows * width;
    real *stage = total + rows * width, *marks = stage + TEAMS * job->stage;
    real *far = any_cuts(a->term, a->terms, t.h) ? marks : NULL;
    struct query_row q = query_row(a, t.h, stage + team_of() * job->stage);
    const struct act *keys = act_from(a->k, t.k0 * a->ldk + t.h * d);
    const int begin = (int)(first - t.q0);
    const int end = begin + ATTENTION_TILE < t.nq ? begin + ATTENTION_TILE : t.nq;
    for (t.i0 = begin; t.i0 < end; t.i0 += rows) {
        t.rows = end - t.i0 < rows ? end - t.i0 : rows;
        const int64_t row = t.q0 + t.i0;
        const struct interval all = span_of_all(a, t.i0, t.i0 + t.rows, t.nk);
        tile_load(act_from(a->q, row * a->ldq + t.h * d), a->ldq, t.rows, t.rows, d, a->scale,
                  query, ldt);
        tile_by_keys(t.rows, d, query, ldt, keys, a->ldk, t.nk, all, chunk, ldt, energy, width);
        for (int i = team_of(); i < t.rows; i += TEAMS) {
            q.row = row + i, q.i = t.i0 + i;
            row_terms(&q, all, energy + i * width, far ? far + i * width : NULL);
            for (int j = all.lo; j < all.hi; j += LANES) vec_store(total + i * width + j, LANES, 0);
        }
        for (int r = 0; r < a->R; r++) {
            const struct interval span = span_of(a, r, t.i0, t.i0 + t.rows, t.nk);
            const int64_t at = row * a->R * D + r * D + t.h * d;
            tile_load(act_from(a->out_gradient, at), (int64_t)a->R * D, t.rows, t.rows, d, 1, query,
                      ldt);
            tile_by_keys(t.rows, d, query, ldt, act_from(a->v, t.k0 * a->ldv + t.h * d), a->ldv,
                         t.nk, span, chunk, ldt, slope, width);
            for (int i = team_of(); i < t.rows; i += TEAMS) {
                q.row = row + i, q.i = t.i0 + i;
                backward_row(job, &q, t.nk, r, span, energy + i * width,
                             far ? far + i * width : NULL, slope + i * width, total + i * width);
            }
        }
        team_sync(); /* terms look at all keys */
        for (int i = team_of(); i < t.rows; i += TEAMS) {
            q.row = row + i, q.i = t.i0 + i;
            row_slopes(&q, all, total + i * width);
        }
        tile_over_keys(t.rows, d, total, width, keys, a->ldk, t.nk, all, chunk, ldt, out);
        tile_store(out, t.rows, d, a->scale, act_to(a->dq, row * a->ldq + t.h * d), a->ldq,
                   a->add_q);
    }
}

enum { KEY_TILE = ATTENTION_TILE, KEY_LD = KEY_TILE + 1 };

/* Tiles of queries and keys in shared memory, for the second kernel. */
struct key_memory {
    real *query, *dy, *key, *value;              /* [16, ldt] */
    real *dk, *dv;                               /* [16, d] */
    real *energy, *slope, *weight, *total, *far; /* [16 queries, KEY_LD] */
    real *stage;
};

DEVICE_FN struct key_memory key_memory(real *memory, int d, int ldt)
{
    struct key_memory m;
    m.query = memory, m.dy = m.query + KEY_TILE * ldt, m.key = m.dy + KEY_TILE * ldt;
    m.value = m.key + KEY_TILE * ldt;
    m.dk = m.value + KEY_TILE * ldt, m.dv = m.dk + KEY_TILE * d;
    m.energy = m.dv + KEY_TILE * d, m.slope = m.energy + KEY_TILE * KEY_LD;
    m.weight = m.slope + KEY_TILE * KEY_LD, m.total = m.weight + KEY_TILE * KEY_LD;
    m.far = m.total + KEY_TILE * KEY_LD;
    m.stage = m.far + KEY_TILE * KEY_LD;
    return m;
}

static int64_t key_numbers(int d, int ldt)
{
    return 4 * KEY_TILE * ldt + 2 * KEY_TILE * d + 5 * KEY_TILE * KEY_LD;
}

/* A row of queries, the at-th in shared memory, against the keys of a tile: the (dropped) weights,
 * and the gradient of their energies added to total. */
DEVICE_FN void key_row(const struct backward_job *job, const struct query_row *q, int nk,
                       int branch, struct interval tile, const struct key_memory *m, int at)
{
    const struct attention_args *a = &job->a;
    const struct interval keys = keys_of(&a->branch[branch], a->causal, q->i, nk);
    const struct row_result *result = result_of(job, q->row, branch, q->h);
    const int j0 = tile.lo; /* arrays begin at this key */
    const real *far = result->cut > 0 ? m->far + at * KEY_LD - j0 : NULL;
    row_spread(q, branch, tile, m->slope + at * KEY_LD - j0);
    const real weight = weight_of(m->energy + at * KEY_LD - j0,
                                  statistics_of(a, q->row, branch, q->h), keys, far, j0);
    real factor = 1;
    if (branch_drops(a, branch)) {
        const struct philox block = row_random(a, q->row, q->h, branch, j0);
        const bool kept = philox_keeps(block, j0 % GROUP / LANES, a->dropout.threshold);
        factor = kept ? dropout_scale(a->dropout) : 0;
    }
    const int own = at * KEY_LD + team_lane();
    m->weight[own] = weight * factor;
    m->total[own] += weight * (m->slope[own] * factor - result->delta);
}

KERNEL(keys_kernel, ATTENTION_THREADS, struct backward_job, job)
{
    SHARED(real, memory);
    const struct attention_args *a = &job->a;
    const int64_t first = a->tile_k[blockIdx.x / (unsigned)a->H];
    if (first < 0) return;
    struct query_tile t = tile_of(a, a->group_k[first], (int)(blockIdx.x % (unsigned)a->H));
    const int d = a->d, D = a->H * d, ldt = job->ldt;
    const struct key_memory m = key_memory(memory, d, ldt);
    struct interval tile;
    tile.lo = (int)(first - t.k0);
    tile.hi = tile.lo + KEY_TILE < t.nk ? tile.lo + KEY_TILE : t.nk;
    const int count = tile.hi - tile.lo;
    struct query_row q = query_row(a, t.h, m.stage + team_of() * job->stage);
    tile_load(act_from(a->k, first * a->ldk + t.h * d), a->ldk, count, KEY_TILE, d, 1, m.key, ldt);
    tile_load(act_from(a->v, first * a->ldv + t.h * d), a->ldv, count, KEY_TILE, d, 1, m.value,
              ldt);
    for (int i = (int)threadIdx.x; i < KEY_TILE * d; i += ATTENTION_THREADS) m.dk[i] = m.dv[i] = 0;
    for (t.i0 = 0; t.i0 < t.nq; t.i0 += ATTENTION_TILE) {
        t.rows = t.nq - t.i0 < ATTENTION_TILE ? t.nq - t.i0 : ATTENTION_TILE;
        const int64_t row = t.q0 + t.i0;
        const struct interval all = span_of_all(a, t.i0, t.i0 + t.rows, t.nk);
        if (all.hi <= tile.lo || all.lo >= tile.hi) continue;
        __syncthreads();
        tile_load(act_from(a->q, row * a->ldq + t.h * d), a->ldq, t.rows, t.rows, d, a->scale,
                  m.query, ldt);
        __syncthreads();
        tile_product(t.rows, KEY_TILE, d, m.query, ldt, 1, m.key, 1, ldt, m.energy, KEY_LD, false);
        for (int i = team_of(); i < t.rows; i += TEAMS) {
            q.row = row + i, q.i = t.i0 + i;
            row_terms(&q, tile, m.energy + i * KEY_LD - tile.lo,
                      any_cuts(a->term, a->terms, t.h) ? m.far + i * KEY_LD - tile.lo : NULL);
            m.total[i * KEY_LD + team_lane()] = 0;
        }
        for (int r = 0; r < a->R; r++) {
            __syncthreads();
            tile_load(act_from(a->out_gradient, row * a->R * D + r * D + t.h * d),
                      (int64_t)a->R * D, t.rows, t.rows, d, 1, m.dy, ldt);
            __syncthreads();
            tile_product(t.rows, KEY_TILE, d, m.dy, ldt, 1, m.value, 1, ldt, m.slope, KEY_LD,
                         false);
            for (int i = team_of(); i < t.rows; i += TEAMS) {
                q.row = row + i, q.i = t.i0 + i;
                key_row(job, &q, t.nk, r, tile, &m, i);
            }
            __syncthreads();
            tile_product(KEY_TILE, d, t.rows, m.weight, 1, KEY_LD, m.dy, ldt, 1, m.dv, d, true);
        }
        tile_product(KEY_TILE, d, t.rows, m.total, 1, KEY_LD, m.query, ldt, 1, m.dk, d, true);
    }
    tile_store(m.dk, count, d, 1, act_to(a->dk, first * a->ldk + t.h * d), a->ldk, a->add_k);
    tile_store(m.dv, count, d, 1, act_to(a->dv, first * a->ldv + t.h * d), a->ldv, a->add_v);
}

void DEVICE(attention_backward)(const struct attention_args *a)
{
    struct backward_job job;
    memset(&job, 0, sizeof job);
    job.a = *a;
    job.ldt = a->d | 1;
    job.width = attention_width(a);
    for (int k = 0; k < a->terms; k++) job.cuts = job.cuts || a->term[k].cuts;
    job.result = (struct row_result *)device_scratch((size_t)a->Tq * (size_t)(a->R * a->H) *
                                                     sizeof(struct row_result));
    job.stage = stage_numbers(a->term, a->terms);
    const int64_t fixed = (int64_t)KEY_CHUNK * job.ldt + TEAMS * job.stage;
    const int64_t each = job.ldt + a->d + (job.cuts ? 4 : 3) * (int64_t)job.width;
    job.rows = rows_at_once(fixed, each);
    LAUNCH(queries_kernel, tiles_most(a->Tq, a->B) * a->H,
           (size_t)(fixed + job.rows * each) * sizeof(real), &job);
    LAUNCH(keys_kernel, tiles_most(a->Tk, a->B) * a->H,
           (size_t)(key_numbers(a->d, job.ldt) + TEAMS * job.stage) * sizeof(real), &job);
}
