/* Gradients of attention by warps: one kernel by tiles of queries, one by tiles of keys. Both
 * compute energies again; weights come from the statistics of the forward pass. */
#include "core/cuda/attention_warp.h"

#ifdef DEVICE_BF16

/* P and dP of a chunk of keys in a branch, dP behind dropout. */
struct weight_chunk {
    float p[KEY_TILES][4], dp[KEY_TILES][4];
};

/* What a branch's rows are: what they see, statistics, and gradients of what comes out. */
struct branch_rows {
    struct interval span, seen[2];
    struct chances kept;
    float top[2], inverse[2];
    uint32_t dy[STEPS][4];
    bool drops;
};

DEVICE_FN void backward_chunk(const struct attention_args *a, const struct warp_tile *w,
                              const uint32_t query[STEPS][4], int branch, struct branch_rows *b,
                              int j, const int d, struct weight_chunk *chunk)
{
    const float scale = dropout_scale(a->dropout);
    chunk_energies(a, w, query, b->seen, j, d, chunk->p);
    by_rows(b->dy, act_from(a->v, w->t.k0 * a->ldv + w->t.h * d), a->ldv, j, w->t.nk - 1, d,
            KEY_TILES, chunk->dp);
    if (b->drops && (j == b->span.lo || j % GROUP == 0))
        b->kept = chances_of(a, w->row, w->t.h, branch, j);
    EACH_ELEMENT(t, i, KEY_TILES) {
        float *p = &chunk->p[t][i];
        *p = *p == -INFINITY ? 0 : expf(*p - b->top[i / 2]) * b->inverse[i / 2];
        if (b->drops) chunk->dp[t][i] *= is_kept(b->kept, j, t, i) ? scale : 0;
    }
}

/* dq[i] = scale sum_j dE[i, j] k[j], dE = sum_r P_r (dP_r - delta_r), delta = sum_j P dP,
 * dP_r[i, j] = dropout(dout_r[i] v[j]). delta comes first: where the keys are more than one chunk,
 * they are computed twice. */
DEVICE_FN void queries(const struct warp_job *job, const int d)
{
    const struct attention_args *a = &job->a;
    const struct warp_tile w = warp_tile(job, false);
    const int h = w.t.h;
    if (a->zeros && w.tile < job->tiles)
        clear_rows(job, a->dq, a->ldq, h * d, d, w.tile, a->start_q[a->B], a->Tq);
    if (w.t.rows == 0) return;
    const int64_t ld = (int64_t)a->R * a->H * d;
    const struct act *keys = act_from(a->k, w.t.k0 * a->ldk + h * d);
    uint32_t query[STEPS][4];
    float sum[TILES][4];
    rows_left(act_from(a->q, w.t.q0 * a->ldq + h * d), a->ldq, w.t.i0, w.last, d, query);
    clear(sum, d / 8);
    for (int r = 0; r < a->R; r++) {
        struct branch_rows b;
        struct weight_chunk chunk;
        float delta[2];
        b.span = chunks_of(a, r, &w);
        b.drops = branch_drops(a, r);
        keys_seen(a, r, &w, b.seen);
        rows_left(act_from(a->out_gradient, w.t.q0 * ld + ((int64_t)r * a->H + h) * d), ld, w.t.i0,
                  w.last, d, b.dy);
        for (int half = 0; half < 2; half++) {
            const real *kept = a->statistics + ((w.row[half] * a->R + r) * a->H + h) * 2;
            b.top[half] = kept[0], b.inverse[half] = kept[1], delta[half] = 0;
        }
        for (int j = b.span.lo; j < b.span.hi; j += KEYS) {
            backward_chunk(a, &w, query, r, &b, j, d, &chunk);
            EACH_ELEMENT(t, i, KEY_TILES)
                delta[i / 2] = fmaf(chunk.p[t][i], chunk.dp[t][i], delta[i / 2]);
        }
        for (int half = 0; half < 2; half++) {
            delta[half] = mma_row_sum(delta[half]);
            if (mma_column() == 0 && w.t.i0 + mma_row() + 8 * half <= w.last)
                job->delta[(w.row[half] * a->R + r) * a->H + h] = delta[half];
        }
        for (int j = b.span.lo; j < b.span.hi; j += KEYS) {
            if (b.span.hi - b.span.lo > KEYS) backward_chunk(a, &w, query, r, &b, j, d, &chunk);
            EACH_ELEMENT(t, i, KEY_TILES) chunk.p[t][i] *= chunk.dp[t][i] - delta[i / 2];
            UNROLL for (int u = 0; u < KEY_TILES / 2; u++)
            {
                uint32_t left[4];
                result_left(chunk.p + 2 * u, left);
                over_rows(left, keys, a->ldk, j + 16 * u, w.t.nk - 1, d, sum);
            }
        }
    }
    const float scale[2] = {a->scale, a->scale};
    store(sum, scale, d, w.t.i0, w.last + 1, act_to(a->dq, w.t.q0 * a->ldq + h * d), a->ldq,
          a->add_q);
}

/* Which weights of two tiles of queries from i0 on, against 16 keys, dropout keeps: bit 4 t + i of
 * the i-th of tile t. */
DEVICE_FN uint32_t turned_chances(const struct attention_args *a, const struct warp_tile *w, int i0,
                                  int branch)
{
    struct random_key key;
    uint32_t kept = 0;
    key.seed = a->step->seed, key.stream = a->dropout.stream;
    ROLLED for (int n = 0; n < 8; n++)
    {
        const int64_t row = w->t.q0 + key_of(i0, n / 4, n);
        const int64_t counted = a->step->first_row[a->dropout.rows] + row;
        const uint64_t group =
            (((uint64_t)(counted * a->H + w->t.h) << 16) + (uint64_t)w->t.i0) / GROUP;
        const int own = mma_row() + n % 4 / 2 * 8;
        const struct philox block =
            philox(key, group * LANES + (uint64_t)own, a->step->number, (uint32_t)branch);
        const bool keeps = philox_keeps(block, w->t.i0 % GROUP / LANES, a->dropout.threshold);
        kept |= (uint32_t)keeps << n;
    }
    return kept;
}

/* Two tiles of queries against 16 keys: weights behind dropout, and gradients of energies, to which
 * the branch adds its own. energy and dp [16 keys, 16 queries from i0 on]. */
DEVICE_FN void turned_weights(const struct warp_job *job, const struct warp_tile *w, int i0,
                              int branch, const float energy[2][4], const float dp[2][4],
                              float weight[2][4], float slope[2][4])
{
    const struct attention_args *a = &job->a;
    const float scale = dropout_scale(a->dropout);
    const uint32_t kept = branch_drops(a, branch) ? turned_chances(a, w, i0, branch) : 0;
    const bool all = !branch_drops(a, branch);
    UNROLL for (int t = 0; t < 2; t++) UNROLL for (int i = 0; i < 2; i++)
    {
        const int query = key_of(i0, t, i);
        const int64_t row = w->t.q0 + least(query, w->t.nq - 1);
        const int64_t at = (row * a->R + branch) * a->H + w->t.h;
        const float top = a->statistics[2 * at], inverse = a->statistics[2 * at + 1];
        const float delta = job->delta[at];
        const struct interval seen = keys_of(&a->branch[branch], a->causal, query, w->t.nk);
        UNROLL for (int half = 0; half < 2; half++)
        {
            const int own = mma_row() + 8 * half, n = 2 * half + i;
            const bool is = own < w->t.rows && query < w->t.nq && is_inside(seen, w->t.i0 + own);
            const float p = is ? expf(energy[t][n] * a->scale - top) * inverse : 0;
            const float factor = all ? 1 : kept >> (4 * t + n) & 1 ? scale : 0;
            weight[t][n] = p * factor;
            slope[t][n] += p * (dp[t][n] * factor - delta);
        }
    }
}

/* dv[j] = sum_r sum_i dropout(P_r[i, j]) dout_r[i], dk[j] = scale sum_i dE[i, j] q[i]: a warp has
 * 16 keys and goes over the sentence's queries, 16 at a time, in their order. */
DEVICE_FN void keys(const struct warp_job *job, const int d)
{
    const struct attention_args *a = &job->a;
    const struct warp_tile w = warp_tile(job, true);
    const int h = w.t.h;
    if (a->zeros && w.tile < job->tiles) {
        clear_rows(job, a->dk, a->ldk, h * d, d, w.tile, a->start_k[a->B], a->Tk);
        clear_rows(job, a->dv, a->ldv, h * d, d, w.tile, a->start_k[a->B], a->Tk);
    }
    if (w.t.rows == 0) return;
    const int j0 = w.t.i0, count = w.t.rows;
    const int64_t ld = (int64_t)a->R * a->H * d;
    const struct act *query = act_from(a->q, w.t.q0 * a->ldq + h * d);
    uint32_t key[STEPS][4], value[STEPS][4];
    float dk[TILES][4], dv[TILES][4];
    rows_left(act_from(a->k, w.t.k0 * a->ldk + h * d), a->ldk, j0, j0 + count - 1, d, key);
    rows_left(act_from(a->v, w.t.k0 * a->ldv + h * d), a->ldv, j0, j0 + count - 1, d, value);
    clear(dk, d / 8);
    clear(dv, d / 8);
    for (int i0 = 0; i0 < w.t.nq; i0 += ATTENTION_TILE) {
        const struct interval all = span_of_all(a, i0, least(i0 + ATTENTION_TILE, w.t.nq), w.t.nk);
        if (all.hi <= j0 || all.lo >= j0 + count) continue;
        float energy[2][4], slope[2][4];
        uint32_t left[4];
        by_rows(key, query, a->ldq, i0, w.t.nq - 1, d, 2, energy);
        clear(slope, 2);
        for (int r = 0; r < a->R; r++) {
            const struct act *dy =
                act_from(a->out_gradient, w.t.q0 * ld + ((int64_t)r * a->H + h) * d);
            float dp[2][4], weight[2][4];
            by_rows(value, dy, ld, i0, w.t.nq - 1, d, 2, dp);
            turned_weights(job, &w, i0, r, energy, dp, weight, slope);
            result_left(weight, left);
            over_rows(left, dy, ld, i0, w.t.nq - 1, d, dv);
        }
        result_left(slope, left);
        over_rows(left, query, a->ldq, i0, w.t.nq - 1, d, dk);
    }
    const float scale[2] = {a->scale, a->scale}, one[2] = {1, 1};
    store(dk, scale, d, j0, j0 + count, act_to(a->dk, w.t.k0 * a->ldk + h * d), a->ldk, a->add_k);
    store(dv, one, d, j0, j0 + count, act_to(a->dv, w.t.k0 * a->ldv + h * d), a->ldv, a->add_v);
}

KERNEL(warp_queries_32, WARP_THREADS, struct warp_job, job)
{
    queries(job, 32);
}
KERNEL(warp_queries_64, WARP_THREADS, struct warp_job, job)
{
    queries(job, 64);
}

KERNEL(warp_keys_32, WARP_THREADS, struct warp_job, job)
{
    keys(job, 32);
}
KERNEL(warp_keys_64, WARP_THREADS, struct warp_job, job)
{
    keys(job, 64);
}

bool DEVICE(attention_warp_backward)(const struct attention_args *a)
{
    if (!warp_fits(a)) return false;
    int64_t blocks;
    struct warp_job job = warp_job(a, a->Tq, &blocks);
    job.delta = (float *)device_scratch((size_t)a->Tq * (size_t)(a->R * a->H) * sizeof(float));
    if (a->d == 32)
        LAUNCH(warp_queries_32, blocks, 0, &job);
    else
        LAUNCH(warp_queries_64, blocks, 0, &job);
    float *delta = job.delta;
    job = warp_job(a, a->Tk, &blocks);
    job.delta = delta;
    if (a->d == 32)
        LAUNCH(warp_keys_32, blocks, 0, &job);
    else
        LAUNCH(warp_keys_64, blocks, 0, &job);
    return true;
}

#else

bool DEVICE(attention_warp_backward)(const struct attention_args *a)
{
    (void)a;
    return false;
}

#endif
