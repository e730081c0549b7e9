/* Gradients of attention by warps: one kernel by tiles of queries, one by tiles of keys. Both
 * compute energies again; weights come from the statistics of the forward pass. */
#include "core/cuda/attention_warp.h"

#ifdef DEVICE_BF16

/* P and dP of a chunk of keys in a branch, dP behind dropout. */
struct weight_chunk {
    float p[KEY_TILES][4], dp[KEY_TILES][4];
};

/* What a branch's rows are: what they see, log sum_j exp(e[j]), and gradients of what comes out. */
struct branch_rows {
    struct interval span, seen[2];
    struct chances kept;
    float log_sum[2];
    uint32_t dy[STEPS][4];
    bool drops;
};

DEVICE_FN void backward_chunk(const struct warp_job *job, const struct warp_tile *w,
                              const uint32_t query[STEPS][4], int branch, struct branch_rows *b,
                              int j, const int d, struct weight_chunk *chunk)
{
    const struct attention_args *a = &job->a;
    const float scale = dropout_scale(a->dropout);
    chunk_products(a, w, query, b->seen, j, d, chunk->p);
    by_rows(b->dy, slice_of(a->v, w->t.k0, a->ldv, w->t.h * d), j, w->t.nk - 1, d, KEY_TILES,
            chunk->dp);
    EACH_ELEMENT(t, i, KEY_TILES)
        chunk->p[t][i] = exp_near(fmaf(chunk->p[t][i], a->scale, -b->log_sum[i / 2]));
    if (!b->drops) return;
    const bool begins = j == b->span.lo || j % GROUP == 0;
    UNROLL for (int half = 0; half < 2 && begins; half++)
    {
        b->kept.bits[half] = row_chances(a, w->row[half], w->t.h, branch, j);
        if (!is_own(w, half)) continue;
        const int64_t place = row_place(a, w, branch, w->row[half]);
        job->kept[(place * job->groups + j / GROUP) * 4 + mma_column()] = b->kept.bits[half];
    }
    EACH_ELEMENT(t, i, KEY_TILES)
        chunk->dp[t][i] = is_kept(b->kept, j, t, i) ? chunk->dp[t][i] * scale : 0;
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
    const int ld = a->R * a->H * d;
    const struct slice keys = slice_of(a->k, w.t.k0, a->ldk, h * d);
    uint32_t query[STEPS][4];
    float sum[TILES][4];
    rows_left(slice_of(a->q, w.t.q0, a->ldq, h * d), w.t.i0, w.last, d, query);
    clear(sum, d / 8);
    for (int r = 0; r < a->R; r++) {
        struct branch_rows b;
        struct weight_chunk chunk;
        float delta[2];
        b.span = chunks_of(a, r, &w);
        b.drops = branch_drops(a, r);
        keys_seen(a, r, &w, b.seen);
        rows_left(slice_of(a->out_gradient, w.t.q0, ld, (r * a->H + h) * d), w.t.i0, w.last, d,
                  b.dy);
        UNROLL for (int half = 0; half < 2; half++)
        {
            const real *kept = a->statistics + 2 * row_place(a, &w, r, w.row[half]);
            b.log_sum[half] = kept[0] - logf(kept[1]), delta[half] = 0;
        }
        for (int j = b.span.lo; j < b.span.hi; j += KEYS) {
            backward_chunk(job, &w, query, r, &b, j, d, &chunk);
            EACH_ELEMENT(t, i, KEY_TILES)
                delta[i / 2] = fmaf(chunk.p[t][i], chunk.dp[t][i], delta[i / 2]);
        }
        UNROLL for (int half = 0; half < 2; half++)
        {
            delta[half] = mma_row_sum(delta[half]);
            struct row_sums *to = job->result + row_place(a, &w, r, w.row[half]);
            if (mma_column() == 0 && is_own(&w, half))
                to->log_sum = b.log_sum[half], to->delta = delta[half];
        }
        for (int j = b.span.lo; j < b.span.hi; j += KEYS) {
            if (b.span.hi - b.span.lo > KEYS) backward_chunk(job, &w, query, r, &b, j, d, &chunk);
            EACH_ELEMENT(t, i, KEY_TILES) chunk.p[t][i] *= chunk.dp[t][i] - delta[i / 2];
            UNROLL for (int u = 0; u < KEY_TILES / 2; u++)
            {
                uint32_t left[4];
                result_left(chunk.p + 2 * u, left);
                over_rows(left, keys, j + 16 * u, w.t.nk - 1, d, sum);
            }
        }
    }
    const float scale[2] = {a->scale, a->scale};
    store(sum, scale, d, w.t.i0, w.last + 1, a->dq, slice_of(a->dq, w.t.q0, a->ldq, h * d),
          a->add_q);
}

/* Two tiles of queries against 16 keys: weights behind dropout, and gradients of energies, to which
 * the branch adds its own. product and dp [16 keys, 16 queries from i0 on]. */
DEVICE_FN void turned_weights(const struct warp_job *job, const struct warp_tile *w, int i0,
                              int branch, const float product[2][4], const float dp[2][4],
                              float weight[2][4], float slope[2][4])
{
    const struct attention_args *a = &job->a;
    const bool drops = branch_drops(a, branch);
    const float scale = drops ? dropout_scale(a->dropout) : 1;
    UNROLL for (int t = 0; t < 2; t++) UNROLL for (int i = 0; i < 2; i++)
    {
        const int query = key_of(i0, t, i), own = w->t.i0 + mma_row();
        const int64_t row = w->t.q0 + least(query, w->t.nq - 1);
        const int64_t place = row_place(a, w, branch, row);
        const struct row_sums result = job->result[place];
        struct interval seen = keys_of(&a->branch[branch], a->causal, query, w->t.nk);
        if (query >= w->t.nq) seen.hi = seen.lo;
        /* Keys own and own + 8, as is_kept has them. */
        uint32_t kept = 0x10001;
        if (drops)
            kept = job->kept[(place * job->groups + own / GROUP) * 4 + mma_row() / 2] >>
                   (mma_row() % 2 * 8 + own % GROUP / LANES);
        UNROLL for (int half = 0; half < 2; half++)
        {
            const int n = 2 * half + i;
            const bool is = is_inside(seen, own + 8 * half);
            const float p = is ? exp_near(fmaf(product[t][n], a->scale, -result.log_sum)) : 0;
            const float factor = kept >> (16 * half) & 1 ? scale : 0;
            weight[t][n] = p * factor;
            slope[t][n] += p * (dp[t][n] * factor - result.delta);
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
    const int ld = a->R * a->H * d;
    const struct slice query = slice_of(a->q, w.t.q0, a->ldq, h * d);
    uint32_t key[STEPS][4], value[STEPS][4];
    float dk[TILES][4], dv[TILES][4];
    rows_left(slice_of(a->k, w.t.k0, a->ldk, h * d), j0, j0 + count - 1, d, key);
    rows_left(slice_of(a->v, w.t.k0, a->ldv, h * d), j0, j0 + count - 1, d, value);
    clear(dk, d / 8);
    clear(dv, d / 8);
    for (int i0 = 0; i0 < w.t.nq; i0 += ATTENTION_TILE) {
        const struct interval all = span_of_all(a, i0, least(i0 + ATTENTION_TILE, w.t.nq), w.t.nk);
        if (all.hi <= j0 || all.lo >= j0 + count) continue;
        float product[2][4], slope[2][4];
        uint32_t left[4];
        by_rows(key, query, i0, w.t.nq - 1, d, 2, product);
        clear(slope, 2);
        for (int r = 0; r < a->R; r++) {
            const struct slice dy = slice_of(a->out_gradient, w.t.q0, ld, (r * a->H + h) * d);
            float dp[2][4], weight[2][4];
            by_rows(value, dy, i0, w.t.nq - 1, d, 2, dp);
            turned_weights(job, &w, i0, r, product, dp, weight, slope);
            result_left(weight, left);
            over_rows(left, dy, i0, w.t.nq - 1, d, dv);
        }
        result_left(slope, left);
        over_rows(left, query, i0, w.t.nq - 1, d, dk);
    }
    const float scale[2] = {a->scale, a->scale}, one[2] = {1, 1};
    store(dk, scale, d, j0, j0 + count, a->dk, slice_of(a->dk, w.t.k0, a->ldk, h * d), a->add_k);
    store(dv, one, d, j0, j0 + count, a->dv, slice_of(a->dv, w.t.k0, a->ldv, h * d), a->add_v);
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
    struct warp_job job = warp_job(a, a->Tq);
    const size_t rows = (size_t)a->Tq * (size_t)(a->R * a->H);
    const size_t words = a->dropout.threshold ? rows * (size_t)job.groups * 4 : 0;
    job.result =
        (struct row_sums *)device_scratch(rows * sizeof *job.result + words * sizeof *job.kept);
    job.kept = (uint32_t *)(void *)(job.result + rows);
    if (a->d == 32)
        LAUNCH(warp_queries_32, warp_blocks(&job), 0, &job);
    else
        LAUNCH(warp_queries_64, warp_blocks(&job), 0, &job);
    job.tiles = tiles_most(a->Tk, a->B);
    if (a->d == 32)
        LAUNCH(warp_keys_32, warp_blocks(&job), 0, &job);
    else
        LAUNCH(warp_keys_64, warp_blocks(&job), 0, &job);
    return true;
}

#else

bool DEVICE(attention_warp_backward)(const struct attention_args *a)
{
    (void)a;
    return false;
}

#endif
