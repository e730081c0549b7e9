/* Gradients of attention by warps (attention_warp.h): a pass over tiles of queries, then a pass
 * over tiles of keys. Both compute energies again, and weights from the statistics of the forward
 * pass. For short sentences with one branch, one kernel has both passes. */
#include "core/cuda/attention_warp.h"

#ifdef DEVICE_BF16

/* Weights P before dropout, and their gradients dP, for a chunk of keys in a branch. */
struct weight_chunk {
    float p[KEY_TILES][4], dp[KEY_TILES][4];
};

/* Data of this lane's two queries in a branch: keys, log sum_j exp(e[j]), and gradients of the
 * output. */
struct branch_rows {
    struct interval span, seen[2];
    struct chances kept;
    float log_sum[2];
    uint32_t dy[STEPS][4];
    bool drops;
};

/* One head of a sentence: its rows, and the results that the pass over queries leaves for the pass
 * over keys. */
struct head {
    struct slice q, k, v, dy; /* dy of the first branch */
    struct row_sums *sums;    /* index of query i in branch r: (i R + r) apart */
    uint32_t *kept;           /* [groups, 4] for each query and branch: dropout masks */
    int apart;
};

DEVICE_FN int64_t head_place(const struct attention_args *a, const struct head *x, int query,
                             int branch)
{
    return (int64_t)(query * a->R + branch) * x->apart;
}

/* Returns a head in device memory. */
DEVICE_FN struct head head_of(const struct warp_job *job, const struct query_tile *t, const int d)
{
    const struct attention_args *a = &job->a;
    const int64_t first = t->q0 * a->R * a->H + t->h;
    struct head x;
    x.q = slice_of(a->q, t->q0, a->ldq, t->h * d);
    x.k = slice_of(a->k, t->k0, a->ldk, t->h * d);
    x.v = slice_of(a->v, t->k0, a->ldv, t->h * d);
    x.dy = slice_of(a->out_gradient, t->q0, a->R * a->H * d, t->h * d);
    x.sums = job->result + first;
    x.kept = job->kept + first * job->groups * 4;
    x.apart = a->H;
    return x;
}

DEVICE_FN struct slice head_slopes(const struct attention_args *a, const struct head *x, int branch,
                                   const int d)
{
    struct slice dy = x->dy;
    dy.at += branch * a->H * d;
    return dy;
}

DEVICE_FN void backward_chunk(const struct warp_job *job, const struct warp_tile *w,
                              const struct head *x, const uint32_t query[STEPS][4], int branch,
                              struct branch_rows *b, int j, const int d, struct weight_chunk *chunk)
{
    const struct attention_args *a = &job->a;
    const float scale = dropout_raise(a->dropout);
    chunk_products(w, x->k, query, b->seen, j, d, chunk->p);
    by_rows(b->dy, x->v, j, w->t.nk - 1, d, KEY_TILES, chunk->dp);
    EACH_ELEMENT(t, i, KEY_TILES)
        chunk->p[t][i] = exp_near(fmaf(chunk->p[t][i], a->scale, -b->log_sum[i / 2]));
    if (!b->drops) return;
    const bool begins = j == b->span.lo || j % GROUP == 0;
    UNROLL for (int half = 0; half < 2 && begins; half++)
    {
        b->kept.bits[half] = row_chances(a, w->row[half], w->t.h, branch, j);
        if (!is_own(w, half)) continue;
        const int64_t place = head_place(a, x, w->query[half], branch);
        x->kept[(place * job->groups + j / GROUP) * 4 + mma_column()] = b->kept.bits[half];
    }
    EACH_ELEMENT(t, i, KEY_TILES)
        chunk->dp[t][i] = is_kept(b->kept, j, t, i) ? chunk->dp[t][i] * scale : 0;
}

/* dq[i] = scale sum_j dE[i, j] k[j]; dE = sum_r P_r (dP_r - delta_r). delta = sum_j P dP; dP_r[i,
 * j] = dropout(dout_r[i] v[j]). A first loop over the chunks of keys computes delta, and a second
 * loop computes dq. If there are several chunks, the second loop computes P and dP again. */
DEVICE_FN void tile_of_queries(const struct warp_job *job, const struct warp_tile *w,
                               const struct head *x, const int d)
{
    const struct attention_args *a = &job->a;
    uint32_t query[STEPS][4];
    float sum[TILES][4];
    rows_left(x->q, w->t.i0, w->last, d, query);
    clear(sum, d / 8);
    for (int r = 0; r < a->R; r++) {
        struct branch_rows b;
        struct weight_chunk chunk;
        float delta[2];
        b.span = chunks_of(a, r, w);
        b.drops = branch_drops(a, r);
        keys_seen(a, r, w, b.seen);
        rows_left(head_slopes(a, x, r, d), w->t.i0, w->last, d, b.dy);
        UNROLL for (int half = 0; half < 2; half++)
        {
            const real *kept = a->statistics + 2 * row_place(a, w, r, w->row[half]);
            b.log_sum[half] = kept[0] - logf(kept[1]), delta[half] = 0;
        }
        for (int j = b.span.lo; j < b.span.hi; j += KEYS) {
            backward_chunk(job, w, x, query, r, &b, j, d, &chunk);
            EACH_ELEMENT(t, i, KEY_TILES)
                delta[i / 2] = fmaf(chunk.p[t][i], chunk.dp[t][i], delta[i / 2]);
        }
        UNROLL for (int half = 0; half < 2; half++)
        {
            delta[half] = mma_row_sum(delta[half]);
            struct row_sums *to = x->sums + head_place(a, x, w->query[half], r);
            if (mma_column() == 0 && is_own(w, half))
                to->log_sum = b.log_sum[half], to->delta = delta[half];
        }
        for (int j = b.span.lo; j < b.span.hi; j += KEYS) {
            if (b.span.hi - b.span.lo > KEYS) backward_chunk(job, w, x, query, r, &b, j, d, &chunk);
            EACH_ELEMENT(t, i, KEY_TILES) chunk.p[t][i] *= chunk.dp[t][i] - delta[i / 2];
            UNROLL for (int u = 0; u < KEY_TILES / 2; u++)
            {
                uint32_t left[4];
                result_left(chunk.p + 2 * u, left);
                over_rows(left, x->k, j + 16 * u, w->t.nk - 1, d, sum);
            }
        }
    }
    const float scale[2] = {a->scale, a->scale};
    store(sum, scale, d, w->t.i0, w->last + 1, a->dq, slice_of(a->dq, w->t.q0, a->ldq, w->t.h * d),
          a->add_q);
}

/* Processes 16 keys with 16 queries, from i0 on, in a branch. Computes `weight`, the weights after
 * dropout, and adds the gradients of energies to `slope`. product and dp are [16 keys, 16 queries],
 * in two tiles. */
DEVICE_FN void turned_weights(const struct warp_job *job, const struct warp_tile *w,
                              const struct head *x, int i0, int branch, const float product[2][4],
                              const float dp[2][4], float weight[2][4], float slope[2][4])
{
    const struct attention_args *a = &job->a;
    const bool drops = branch_drops(a, branch);
    const float scale = drops ? dropout_raise(a->dropout) : 1;
    UNROLL for (int t = 0; t < 2; t++) UNROLL for (int i = 0; i < 2; i++)
    {
        const int query = key_of(i0, t, i), own = w->t.i0 + mma_row();
        const int64_t place = head_place(a, x, least(query, w->t.nq - 1), branch);
        const struct row_sums result = x->sums[place];
        struct interval seen = keys_of(&a->branch[branch], a->causal, query, w->t.nk);
        if (query >= w->t.nq) seen.hi = seen.lo;
        /* Bit 0 is for key own, and bit 16 for key own + 8 (is_kept). */
        uint32_t kept = 0x10001;
        if (drops)
            kept = x->kept[(place * job->groups + own / GROUP) * 4 + mma_row() / 2] >>
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

/* dv[j] = sum_r sum_i dropout(P_r[i, j]) dout_r[i]; dk[j] = scale sum_i dE[i, j] q[i]. A warp
 * computes 16 keys. It loops over the queries of the sentence in order, 16 at a time. */
DEVICE_FN void tile_of_keys(const struct warp_job *job, const struct warp_tile *w,
                            const struct head *x, const int d)
{
    const struct attention_args *a = &job->a;
    const int j0 = w->t.i0, count = w->t.rows;
    uint32_t key[STEPS][4], value[STEPS][4];
    float dk[TILES][4], dv[TILES][4];
    rows_left(x->k, j0, w->last, d, key);
    rows_left(x->v, j0, w->last, d, value);
    clear(dk, d / 8);
    clear(dv, d / 8);
    for (int i0 = 0; i0 < w->t.nq; i0 += ATTENTION_TILE) {
        const int end = least(i0 + ATTENTION_TILE, w->t.nq);
        const struct interval all = span_of_all(a, i0, end, w->t.nk);
        if (all.hi <= j0 || all.lo >= j0 + count) continue;
        float product[2][4], slope[2][4];
        uint32_t left[4];
        by_rows(key, x->q, i0, w->t.nq - 1, d, 2, product);
        clear(slope, 2);
        for (int r = 0; r < a->R; r++) {
            const struct slice dy = head_slopes(a, x, r, d);
            float dp[2][4], weight[2][4];
            by_rows(value, dy, i0, w->t.nq - 1, d, 2, dp);
            turned_weights(job, w, x, i0, r, product, dp, weight, slope);
            result_left(weight, left);
            over_rows(left, dy, i0, w->t.nq - 1, d, dv);
        }
        result_left(slope, left);
        over_rows(left, x->q, i0, w->t.nq - 1, d, dk);
    }
    const float scale[2] = {a->scale, a->scale}, one[2] = {1, 1};
    store(dk, scale, d, j0, j0 + count, a->dk, slice_of(a->dk, w->t.k0, a->ldk, w->t.h * d),
          a->add_k);
    store(dv, one, d, j0, j0 + count, a->dv, slice_of(a->dv, w->t.k0, a->ldv, w->t.h * d),
          a->add_v);
}

DEVICE_FN void queries(const struct warp_job *job, const int d)
{
    const struct attention_args *a = &job->a;
    const struct warp_tile w = warp_tile(job, false);
    if (a->zeros && w.tile < job->tiles)
        clear_rows(a->dq, a->ldq, w.t.h * d, d, a->start_q[a->B] + w.tile, job->tiles, a->Tq);
    if (w.t.rows == 0) return;
    const struct head x = head_of(job, &w.t, d);
    tile_of_queries(job, &w, &x, d);
}

DEVICE_FN void keys(const struct warp_job *job, const int d)
{
    const struct attention_args *a = &job->a;
    const struct warp_tile w = warp_tile(job, true);
    if (a->zeros && w.tile < job->tiles) {
        clear_rows(a->dk, a->ldk, w.t.h * d, d, a->start_k[a->B] + w.tile, job->tiles, a->Tk);
        clear_rows(a->dv, a->ldv, w.t.h * d, d, a->start_k[a->B] + w.tile, job->tiles, a->Tk);
    }
    if (w.t.rows == 0) return;
    const struct head x = head_of(job, &w.t, d);
    tile_of_keys(job, &w, &x, d);
}

/* Computes both passes for one head of a sentence, with one branch. Shared memory has q, dy, k and
 * v, each [longest, d], then the sums of the queries and their dropout masks. */
DEVICE_FN void staged_backward(const struct warp_job *job, const int d)
{
    SHARED(struct act, memory);
    const struct attention_args *a = &job->a;
    const int rows = staged_room(a->longest) * d;
    struct warp_tile w = staged_tile(a);
    const struct head from = head_of(job, &w.t, d);
    const struct operand operand[] = {
        {from.q, w.t.nq}, {from.dy, w.t.nq}, {from.k, w.t.nk}, {from.v, w.t.nk}};
    struct head x;
    x.q = staged(memory), x.dy = staged(act_to(memory, rows));
    x.k = staged(act_to(memory, 2 * rows)), x.v = staged(act_to(memory, 3 * rows));
    x.sums = (struct row_sums *)(void *)act_to(memory, 4 * rows);
    x.kept = (uint32_t *)(void *)(x.sums + a->longest);
    x.apart = 1;
    if (warp_of() == 0 && a->zeros) {
        clear_rows(a->dq, a->ldq, w.t.h * d, d, a->start_q[a->B] + w.tile, a->B, a->Tq);
        clear_rows(a->dk, a->ldk, w.t.h * d, d, a->start_k[a->B] + w.tile, a->B, a->Tk);
        clear_rows(a->dv, a->ldv, w.t.h * d, d, a->start_k[a->B] + w.tile, a->B, a->Tk);
    }
    stage(operand, STAGED_OPERANDS, d, memory, rows);
    EACH_STAGED_TILE(i0, w.t.nq)
    {
        tile_begin(&w, i0, w.t.nq);
        tile_of_queries(job, &w, &x, d);
    }
    __syncthreads(); /* the sums of all queries are complete */
    EACH_STAGED_TILE(j0, w.t.nk)
    {
        tile_begin(&w, j0, w.t.nk);
        tile_of_keys(job, &w, &x, d);
    }
}

HEAD_KERNELS(warp_queries, WARP_THREADS, queries)
HEAD_KERNELS(warp_keys, WARP_THREADS, keys)
HEAD_KERNELS(staged_backward, STAGED_THREADS, staged_backward)

/* Returns the bytes of shared memory per row. */
static size_t staged_bytes(const struct attention_args *a)
{
    const size_t kept = a->dropout.threshold ? 4 * sizeof(uint32_t) : 0;
    return STAGED_OPERANDS * (size_t)a->d * sizeof(act_type) + sizeof(struct row_sums) + kept;
}

bool DEVICE(attention_warp_backward)(const struct attention_args *a)
{
    if (!warp_fits(a)) return false;
    struct warp_job job = warp_job(a, a->Tq);
    if (a->R == 1 && a->longest <= STAGED_MOST) {
        HEAD_LAUNCH(staged_backward, (int64_t)a->B * a->H,
                    (size_t)staged_room(a->longest) * staged_bytes(a), &job);
        return true;
    }
    const size_t rows = (size_t)a->Tq * (size_t)(a->R * a->H);
    const size_t words = a->dropout.threshold ? rows * (size_t)job.groups * 4 : 0;
    job.result =
        (struct row_sums *)device_scratch(rows * sizeof *job.result + words * sizeof *job.kept);
    job.kept = (uint32_t *)(void *)(job.result + rows);
    HEAD_LAUNCH(warp_queries, warp_blocks(&job), 0, &job);
    job.tiles = tiles_most(a->Tk, a->B);
    HEAD_LAUNCH(warp_keys, warp_blocks(&job), 0, &job);
    return true;
}

#else

bool DEVICE(attention_warp_backward)(const struct attention_args *a)
{
    return false;
}

#endif
