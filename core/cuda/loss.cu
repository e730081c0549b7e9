/* Cross-entropy with label smoothing. A block computes a row. The row is in shared memory if it
 * fits, so that logits are read once and written once. */
#include "core/cuda/act.h"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    IN_FLIGHT = 4 /* packs of the row that a thread loads at the same time */
};

struct loss_job {
    struct cross_entropy c;
    /* target probability of each token but the gold token, and of the gold token */
    double rest, gold;
    double perfect; /* loss of the perfect prediction, subtracted so that the minimum is 0 */
    bool keeps;     /* true: a row is kept in shared memory, because it fits */
};

/* Return the sum and the maximum of the results of all warps, which are in `share`. They are
 * combined in order. */
DEVICE_FN float warps_sum(const float *share)
{
    float x = share[0];
    for (int w = 1; w < WARPS; w++) x += share[w];
    return x;
}
DEVICE_FN float warps_max(const float *share)
{
    float x = share[0];
    for (int w = 1; w < WARPS; w++) x = fmaxf(x, share[w]);
    return x;
}

/* Returns exp(x - top) for x <= top. exp2f with a factor log2(e) is faster than expf, which must
 * support all x. */
DEVICE_FN float exp_below(float x, float top)
{
    return exp2f((x - top) * 1.44269504f);
}

DEVICE_FN struct stretch row_pack(int n, int V)
{
    struct stretch s;
    s.at = (int64_t)n * PACK;
    s.lo = 0;
    s.hi = n < V / PACK ? PACK : n == V / PACK ? V % PACK : 0;
    return s;
}

/* Loads a pack from shared memory, if the row is kept there, or from the logits. */
DEVICE_FN struct packed loss_load(const struct act *logits, const struct words *row, bool kept,
                                  int n, int V)
{
    return words_pack(kept ? row[n] : pack_words(logits, row_pack(n, V)));
}

/* Update maximum and sum (pack_look), or the sum of exponentials (pack_exp), with the first `count`
 * values of a pack. For a whole pack, `count` is a constant, so the comparison with `count`
 * disappears. */
DEVICE_FN void pack_look(struct packed x, int count, float *top, float *total)
{
    for (int i = 0; i < PACK; i++)
        if (i < count) *top = fmaxf(*top, x.x[i]), *total += x.x[i];
}
DEVICE_FN void pack_exp(struct packed x, int count, float top, float *sum)
{
    for (int i = 0; i < PACK; i++)
        if (i < count) *sum += exp_below(x.x[i], top);
}

/* Let x = logits[t], top = max_v x[v] and log Z = top + log sum_v exp(x[v] - top). Then
 * likelihood[t] = log Z - x[label]; loss[t] = gold likelihood[t] + rest sum_{v != label} (log Z -
 * x[v]) - perfect. With `gradient`, (exp(x - log Z) - target) / normalizer overwrites x; `target`
 * is the target distribution. logits [T, V], label [T] -> loss, likelihood [T]. A block computes a
 * row, and a thread processes every 256th pack. A thread reads only the packs that it has stored,
 * so only sums need barriers. Exponentials are computed twice, because shared memory has the row as
 * activations, not as floats. So three blocks with 32,000 columns in bf16 fit into the shared
 * memory of an H100. Exponents are relative to top, so no exponential overflows. The loss is
 * computed in double, because (V - 1) log Z and the sum of x are large and nearly equal. */
KERNEL(loss_kernel, THREADS, struct loss_job, job)
{
    SHARED(float, share); /* three results of each warp, then the row */
    const struct cross_entropy *c = &job->c;
    const int64_t t = blockIdx.x;
    struct act *logits = act_to(c->logits, t * c->ld);
    if (t >= op_rows(c->T, c->rows)) {
        if (c->zeros) block_clear(logits, 0, c->V, 0, 1, 0, 1);
        return;
    }
    struct words *row = (struct words *)(void *)(share + 3 * WARPS);
    const int V = c->V, packs = (V + PACK - 1) / PACK, me = (int)threadIdx.x;
    const int label = c->label[t];
    const float right = act_get(logits, label);
    float top = -INFINITY, total = 0, sum = 0;
    for (int first = me; first < packs; first += IN_FLIGHT * THREADS) {
        struct words x[IN_FLIGHT];
        AHEAD for (int b = 0; b < IN_FLIGHT; b++) x[b] =
            pack_words(logits, row_pack(first + b * THREADS, V));
        AHEAD for (int b = 0; b < IN_FLIGHT; b++)
        {
            const int n = first + b * THREADS;
            if (job->keeps && n < packs) row[n] = x[b];
            if (n < V / PACK)
                pack_look(words_pack(x[b]), PACK, &top, &total);
            else if (n < packs)
                pack_look(words_pack(x[b]), V % PACK, &top, &total);
        }
    }
    top = warp_max(top), total = warp_sum(total);
    if (lane_of() == 0) share[warp_of()] = top, share[WARPS + warp_of()] = total;
    __syncthreads();
    top = warps_max(share), total = warps_sum(share + WARPS);
    for (int n = me; n < packs; n += THREADS) {
        const struct packed x = loss_load(logits, row, job->keeps, n, V);
        if (n < V / PACK)
            pack_exp(x, PACK, top, &sum);
        else
            pack_exp(x, V % PACK, top, &sum);
    }
    sum = warp_sum(sum);
    if (lane_of() == 0) share[2 * WARPS + warp_of()] = sum;
    __syncthreads();
    sum = warps_sum(share + 2 * WARPS);
    if (me == 0) {
        const double log_z = log((double)sum) + (double)top, nll = log_z - (double)right;
        const double others = (V - 1) * log_z - ((double)total - (double)right);
        c->likelihood[t] = (float)nll;
        c->loss[t] = (float)(job->gold * nll + job->rest * others - job->perfect);
    }
    if (!c->gradient) return;
    const float scale = (float)(1 / c->step->normalizer), shift = (float)job->rest * scale;
    const float factor = scale / sum, target = ((float)job->gold - (float)job->rest) * scale;
    for (int n = me; n < packs; n += THREADS) {
        struct packed x = loss_load(logits, row, job->keeps, n, V);
        for (int i = 0; i < PACK; i++) x.x[i] = exp_below(x.x[i], top) * factor - shift;
        if (n == label / PACK)
            for (int i = 0; i < PACK; i++) x.x[i] -= i == label % PACK ? target : 0;
        pack_store(logits, row_pack(n, V), x);
    }
}

void DEVICE(cross_entropy)(const struct cross_entropy *c)
{
    const size_t bytes = ((size_t)c->V + PACK - 1) / PACK * sizeof(struct words);
    const size_t least = 3 * WARPS * sizeof(float);
    struct loss_job job;
    memset(&job, 0, sizeof job);
    job.c = *c;
    job.rest = c->V > 1 ? c->smoothing / (c->V - 1) : 0;
    job.gold = 1 - c->smoothing;
    if (c->smoothing > 0) job.perfect = -(job.gold * log(job.gold) + c->smoothing * log(job.rest));
    job.keeps = (int64_t)(least + bytes) <= device_room();
    LAUNCH(loss_kernel, c->T, least + (job.keeps ? bytes : 0), &job);
}
