/* Forward pass of attention by warps (attention_warp.h). The softmax of a branch processes keys
 * chunk by chunk. For short sentences, a block processes one head of a sentence, with its rows in
 * shared memory. */
#include "core/cuda/attention_warp.h"

#ifdef DEVICE_BF16

/* Computes a branch for a tile of queries, chunk by chunk of keys. Exponentials are relative to the
 * maximum of all chunks so far. If the maximum increases, earlier sums are rescaled (Milakov and
 * Gimelshein 2018, "Online normalizer calculation for softmax"). Writes out_r [16, d] to out [Tq,
 * R, H, d]. Writes the maximum and 1 / sum to statistics [Tq, R, H, 2]. */
DEVICE_FN void forward_branch(const struct attention_args *a, const struct warp_tile *w,
                              struct slice keys, struct slice values,
                              const uint32_t query[STEPS][4], int branch, const int d)
{
    const struct interval span = chunks_of(a, branch, w);
    const float scale = dropout_raise(a->dropout);
    const bool drops = branch_drops(a, branch);
    struct interval seen[2];
    struct chances kept = {{0, 0}};
    float top[2], sum[2], out[TILES][4];
    keys_seen(a, branch, w, seen);
    clear(out, d / 8);
    for (int half = 0; half < 2; half++) top[half] = -INFINITY, sum[half] = 0;
    for (int j = span.lo; j < span.hi; j += KEYS) {
        float p[KEY_TILES][4], most[2] = {-INFINITY, -INFINITY}, taken[2];
        chunk_products(w, keys, query, seen, j, d, p);
        EACH_ELEMENT(t, i, KEY_TILES) most[i / 2] = p[t][i] > most[i / 2] ? p[t][i] : most[i / 2];
        UNROLL for (int half = 0; half < 2; half++)
        {
            const float before = top[half], now = mma_row_max(most[half]) * a->scale;
            top[half] = now > before ? now : before;
            /* If the query has attended to no key so far, top is -infinity. Then 0 replaces top,
             * because -infinity - (-infinity) is NaN. */
            taken[half] = top[half] > -INFINITY ? top[half] : 0;
            most[half] = exp_near(before - taken[half]);
            sum[half] *= most[half];
        }
        if (j > span.lo) {
            EACH_ELEMENT(t, i, d / 8) out[t][i] *= most[i / 2];
        }
        EACH_ELEMENT(t, i, KEY_TILES) {
            p[t][i] = exp_near(fmaf(p[t][i], a->scale, -taken[i / 2]));
            sum[i / 2] += p[t][i];
        }
        if (drops) {
            const bool begins = j == span.lo || j % GROUP == 0;
            UNROLL for (int half = 0; half < 2 && begins; half++) kept.bits[half] =
                row_chances(a, w->row[half], w->t.h, branch, j);
            EACH_ELEMENT(t, i, KEY_TILES) p[t][i] = is_kept(kept, j, t, i) ? p[t][i] * scale : 0;
        }
        UNROLL for (int u = 0; u < KEY_TILES / 2; u++)
        {
            uint32_t left[4];
            result_left(p + 2 * u, left);
            over_rows(left, values, j + 16 * u, w->t.nk - 1, d, out);
        }
    }
    float inverse[2];
    UNROLL for (int half = 0; half < 2; half++)
    {
        inverse[half] = 1 / mma_row_sum(sum[half]);
        if (mma_column() || !is_own(w, half)) continue;
        real *to = a->statistics + 2 * row_place(a, w, branch, w->row[half]);
        to[0] = top[half], to[1] = inverse[half];
    }
    const int column = (branch * a->H + w->t.h) * d;
    store(out, inverse, d, w->t.i0, w->last + 1, a->out,
          slice_of(a->out, w->t.q0, a->R * a->H * d, column), false);
}

DEVICE_FN void clear_out(const struct attention_args *a, const struct warp_tile *w, int64_t step,
                         const int d)
{
    for (int r = 0; r < a->R && a->zeros; r++)
        clear_rows(a->out, (int64_t)a->R * a->H * d, ((int64_t)r * a->H + w->t.h) * d, d,
                   a->start_q[a->B] + w->tile, step, a->Tq);
}

DEVICE_FN void forward_tile(const struct attention_args *a, const struct warp_tile *w,
                            struct slice queries, struct slice keys, struct slice values,
                            const int d)
{
    uint32_t query[STEPS][4];
    rows_left(queries, w->t.i0, w->last, d, query);
    for (int r = 0; r < a->R; r++) forward_branch(a, w, keys, values, query, r, d);
}

DEVICE_FN void forward(const struct warp_job *job, const int d)
{
    const struct attention_args *a = &job->a;
    const struct warp_tile w = warp_tile(job, false);
    if (w.tile < job->tiles) clear_out(a, &w, job->tiles, d);
    if (w.t.rows)
        forward_tile(a, &w, slice_of(a->q, w.t.q0, a->ldq, w.t.h * d),
                     slice_of(a->k, w.t.k0, a->ldk, w.t.h * d),
                     slice_of(a->v, w.t.k0, a->ldv, w.t.h * d), d);
}

/* Computes one head of a sentence. q, k and v, each [longest, d], are in shared memory. */
DEVICE_FN void staged_forward(const struct warp_job *job, const int d)
{
    SHARED(struct act, memory);
    const struct attention_args *a = &job->a;
    const int rows = staged_room(a->longest) * d;
    struct warp_tile w = staged_tile(a);
    const struct operand operand[] = {{slice_of(a->q, w.t.q0, a->ldq, w.t.h * d), w.t.nq},
                                      {slice_of(a->k, w.t.k0, a->ldk, w.t.h * d), w.t.nk},
                                      {slice_of(a->v, w.t.k0, a->ldv, w.t.h * d), w.t.nk}};
    if (warp_of() == 0) clear_out(a, &w, a->B, d);
    stage(operand, 3, d, memory, rows);
    EACH_STAGED_TILE(i0, w.t.nq)
    {
        tile_begin(&w, i0, w.t.nq);
        forward_tile(a, &w, staged(memory), staged(act_to(memory, rows)),
                     staged(act_to(memory, 2 * rows)), d);
    }
}

HEAD_KERNELS(warp_forward, WARP_THREADS, forward)
HEAD_KERNELS(staged_forward, STAGED_THREADS, staged_forward)

bool DEVICE(attention_warp)(const struct attention_args *a)
{
    if (!warp_fits(a)) return false;
    const struct warp_job job = warp_job(a, a->Tq);
    const size_t bytes = 3 * (size_t)staged_room(a->longest) * (size_t)a->d * sizeof(act_type);
    if (a->longest <= STAGED_MOST)
        HEAD_LAUNCH(staged_forward, a->Tq ? (int64_t)a->B * a->H : 0, bytes, &job);
    else
        HEAD_LAUNCH(warp_forward, warp_blocks(&job), 0, &job);
    return true;
}

#else

bool DEVICE(attention_warp)(const struct attention_args *a)
{
    return false;
}

#endif
