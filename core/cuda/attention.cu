/* Forward pass of attention over packed sentences. A block processes a tile of queries of one head,
 * with the keys of all branches. Energies are computed once, and every branch computes its weights
 * from them (core/cpu/attention_softmax.c). */
#include "core/cuda/attention_tile.h"
#include "core/cuda/attention_warp.h"

enum { ARRAYS = 2 }; /* energies, weights of a branch */

struct attention_job {
    struct attention_args a;
    struct tile_shape shape;
};

/* Exponentials of a branch are relative to the largest energy of all branches. If they sum to less
 * than FAINT, they are computed again, relative to the largest energy of the branch. */
#define FAINT 1e-5f

/* Computes the weights of one query in a branch: P[j] = exp(e[j] - top) / sum_j exp(e[j] - top),
 * then dropout. energy [n] -> weight [n], both in shared memory. Writes top and 1 / sum to
 * statistics [Tq, R, H, 2]. top is at least the largest energy of the branch, so no exponential
 * overflows. */
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
    team_sync(); /* terms read the weights that other lanes have written */
    row_collect(q, branch, span, weight);
    row_to_operands(weight, span);
}

/* out_r[i] = sum_j dropout(P_r[i, j]) v[j]. P_r is the softmax over branch r's keys of e[i, j] =
 * scale q[i] k[j] + terms.
 *
 *   q              [Tq, H, d]
 *   k, v           [Tk, H, d]
 *   out            [Tq, R, H, d]
 *   statistics     [Tq, R, H, 2]
 *   weights        [Tq, R, H, C], summed by kind of key; only for terms with kinds
 *
 * A block has a tile of up to 16 queries of one head, with e and P_r [16, n] in shared memory. No
 * [n, n] matrix is stored. A team computes the softmax of a query. */
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
            __syncthreads(); /* the next branch overwrites the weights */
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
