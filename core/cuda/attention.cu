/* Attention of packed sentences forward, and one step of it: a block has a tile of queries of one
 * head, by all keys that any branch shows them. Energies are computed once; every branch makes its
 * own weights of them (core/cpu/attention_softmax.c says what of the statistics). */
#include "core/cuda/attention_tile.h"
#include "core/cuda/attention_warp.h"

enum { ARRAYS = 2 }; /* energies, weights of a branch */

struct attention_job {
    struct attention_args a;
    struct tile_shape shape;
};

/* A branch whose exponentials against the largest energy of all branches sum to less takes its
 * own. */
#define FAINT 1e-5f

/* P[j] = exp(e[j] - top) / sum_j exp(e[j] - top) of one row in a branch: energy [n] -> weight [n],
 * both in shared memory; top, 1 / sum -> statistics [Tq, R, H, 2]. top is the row's maximum, so
 * that no exponential overflows. */
DEVICE_FN void forward_row(const struct attention_args *a, const struct query_row *q, int nk,
                           int branch, struct interval span, const real *energy, const real *marks,
                           real *weight)
{
    const struct interval keys = keys_of(&a->branch[branch], a->causal, q->i, nk);
    const real *far = row_far(marks, keys);
    struct interval all = keys;
    for (int r = 0; r < a->R; r++) {
        const struct interval other = keys_of(&a->branch[r], a->causal, q->i, nk);
        if (other.lo < all.lo) all.lo = other.lo;
        if (other.hi > all.hi) all.hi = other.hi;
    }
    real top = row_top(energy, all, NULL);
    real sum = row_exponentials(energy, top, keys, far, span, weight);
    if (sum < FAINT) {
        top = row_top(energy, keys, far);
        sum = row_exponentials(energy, top, keys, far, span, weight);
    }
    real *statistics = a->statistics + ((q->row * a->R + branch) * a->H + q->h) * 2;
    row_put(statistics, top);
    row_put(statistics + 1, 1 / sum);
    row_scale(weight, span, 1 / sum);
    if (branch_drops(a, branch)) row_drop(a, q->row, q->h, branch, span, weight);
    team_sync(); /* terms look at all keys */
    row_collect(q, branch, span, weight);
    row_to_operands(weight, span);
}

/* out_r[i] = sum_j dropout(P_r[i, j]) v[j], P_r = softmax over branch r's keys of
 * e[i, j] = scale q[i] k[j] + terms: q [Tq, H, d], k, v [Tk, H, d] -> out [Tq, R, H, d],
 * statistics [Tq, R, H, 2] and, for terms of the values, weights by kind of key [Tq, R, H, C].
 * A block has a tile of up to 16 queries of one head, and e and P_r [16, n] in shared memory:
 * no [n, n] is ever kept. A team has a row of a softmax, a thread elements of a product. */
KERNEL(attention_kernel, ATTENTION_THREADS, struct attention_job, job)
{
    SHARED(real, memory);
    const struct attention_args *a = &job->a;
    const struct tile_shape *shape = &job->shape;
    const int64_t first = a->tile_q[blockIdx.x / (unsigned)a->H];
    for (int r = 0; r < a->R && a->zeros; r++)
        head_clear(a, a->out, r, (int64_t)a->R * a->H * a->d, a->start_q[a->B], a->Tq);
    if (first < 0) return;
    struct query_block b = query_block(a, shape, ARRAYS, first, memory);
    const struct query_tile *t = &b.t;
    const int d = a->d, D = a->H * d, width = shape->width;
    real *energy = b.array, *weight = energy + shape->rows * width;
    for (; b.t.i0 < b.end; b.t.i0 += shape->rows) {
        query_energies(a, shape, &b, energy);
        for (int r = 0; r < a->R; r++) {
            const struct interval span = span_of(a, r, t->i0, t->i0 + t->rows, t->nk);
            for (int i = team_of(); i < t->rows; i += TEAMS) {
                query_at(&b, i);
                forward_row(a, &b.q, t->nk, r, span, energy + i * width, far_at(&b, shape, i),
                            weight + i * width);
            }
            tile_over_keys(shape, t->rows, weight, act_from(a->v, t->k0 * a->ldv + t->h * d),
                           a->ldv, t->nk, span, b.chunk, b.sums);
            __syncthreads(); /* before the next branch's weights */
            tile_store(shape, b.sums, t->rows, 1,
                       act_to(a->out, (t->q0 + t->i0) * a->R * D + r * D + t->h * d),
                       (int64_t)a->R * D, false);
        }
    }
}

void DEVICE(attention)(const struct attention_args *a)
{
    if (DEVICE(attention_warp)(a)) return;
    struct attention_job job;
    memset(&job, 0, sizeof job);
    job.a = *a;
    job.shape = tile_shape(a, ARRAYS);
    LAUNCH(attention_kernel, tiles_most(a->Tq, a->B) * a->H, (size_t)job.shape.bytes, &job);
}

/* One query a team: energies against keys found by index, then one softmax a branch. */
struct step_job {
    struct attention_step a;
    int width, stage; /* numbers of a row, of a team's stage */
    int teams;        /* of a block, that have room */
};

/* A row and head: e[j] = scale q k[index[j]] + terms, then out_r = sum_j P_r[j] v[index[j]].
 * A lane has keys in e and columns in out. No backward pass comes, so each branch takes its own
 * maximum. */
DEVICE_FN void step_row(const struct attention_step *a, int64_t row, int h, int width, real *energy)
{
    struct query_row q;
    q.term = a->term, q.terms = a->terms, q.row = row, q.i = a->query;
    q.h = h, q.H = a->H, q.R = a->R, q.stage = energy + 3 * width;
    const int begin = a->begin[row], n = a->begin[row + 1] - begin, d = a->d, D = a->H * d;
    real *weight = energy + width;
    real *marks = any_cuts(a->term, a->terms, h) ? weight + width : NULL;
    struct interval every;
    every.lo = 0, every.hi = n;
    for (int j = 0; j < n; j += LANES) {
        real dot = 0;
        if (j + team_lane() < n) {
            const int64_t key = (int64_t)a->index[begin + j + team_lane()] * a->ldk + h * d;
            for (int c = 0; c < d; c++)
                dot = fmaf(act_get(a->q, row * a->ldq + h * d + c) * a->scale,
                           act_get(a->k, key + c), dot);
        }
        vec_store(energy + j, LANES, dot);
    }
    row_terms(&q, every, energy, marks);
    for (int r = 0; r < a->R; r++) {
        const struct interval keys = keys_of(&a->branch[r], false, a->query, n);
        const real *far = row_far(marks, keys);
        struct interval span = keys;
        span.lo = keys.lo / LANES * LANES;
        const real top = row_top(energy, keys, far);
        const real sum = row_exponentials(energy, top, keys, far, span, weight);
        row_scale(weight, span, 1 / sum);
        team_sync(); /* all lanes look at all weights */
        row_collect(&q, r, span, weight);
        for (int c = team_lane(); c < d; c += LANES) {
            real total = 0;
            for (int j = keys.lo; j < keys.hi; j++) {
                const int64_t value = (int64_t)a->index[begin + j] * a->ldv + h * d + c;
                total = fmaf(weight[j], act_get(a->v, value), total);
            }
            act_put(a->out, row * a->R * D + r * D + h * d + c, total);
        }
        team_sync(); /* before the next branch's weights */
    }
}

/* q [rows, H, d], k and v [.., H, d] by index -> out [rows, R, H, d].
 * A team has a row and head, and its e, P_r and cuts [n] in shared memory. */
KERNEL(step_kernel, ATTENTION_THREADS, struct step_job, job)
{
    SHARED(real, memory);
    const struct attention_step *a = &job->a;
    const int64_t at = (int64_t)blockIdx.x * job->teams + team_of();
    if (team_of() >= job->teams || at >= (int64_t)a->rows * a->H) return;
    step_row(a, at / a->H, (int)(at % a->H), job->width,
             memory + (int64_t)team_of() * (3 * job->width + job->stage));
}

void DEVICE(attention_step)(const struct attention_step *a)
{
    struct step_job job;
    memset(&job, 0, sizeof job);
    job.a = *a;
    job.width = (a->longest + LANES - 1) / LANES * LANES;
    job.stage = stage_numbers(a->term, a->terms);
    const int64_t each = (3 * (int64_t)job.width + job.stage) * (int64_t)sizeof(real);
    job.teams = (int)(device_room() / each < TEAMS ? device_room() / each : TEAMS);
    CHECK(job.teams > 0, "a row of %d keys", a->longest);
    LAUNCH(step_kernel, parts((int64_t)a->rows * a->H, job.teams), (size_t)(job.teams * each),
           &job);
}
