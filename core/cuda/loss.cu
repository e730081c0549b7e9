/* Label smoothing: a block has a row, and keeps it in shared memory where it fits; so logits are
 * read once and written once. */
#include "core/cuda/window.h"

enum { THREADS = 512, WARPS = THREADS / WARP };

struct loss_job {
    struct cross_entropy c;
    double rest, gold; /* target probabilities: of another token, of the right one */
    double perfect;    /* the loss of the perfect prediction, so that it is 0 */
    bool keeps;        /* there is room for a row */
};

/* The same of all threads of a block: warps first, then theirs in order. */
DEVICE_FN float block_sum(float x, float *share)
{
    x = warp_sum(x);
    if (lane_of() == 0) share[warp_of()] = x;
    __syncthreads();
    x = share[0];
    for (int w = 1; w < WARPS; w++) x += share[w];
    return x;
}
DEVICE_FN float block_max(float x, float *share)
{
    x = warp_max(x);
    if (lane_of() == 0) share[warp_of()] = x;
    __syncthreads();
    x = share[0];
    for (int w = 1; w < WARPS; w++) x = share[w] > x ? share[w] : x;
    return x;
}

/* A pack of the row, from where it is kept. */
DEVICE_FN struct packed loss_load(const struct act *logits, const struct act *row, bool kept,
                                  struct stretch s)
{
    return kept ? pack_load(row, s) : pack_load(logits, s);
}

/* With log Z = top + log sum_v exp(x[v] - top) of x = logits[t]: likelihood[t] = log Z - x[label],
 * loss[t] = gold likelihood[t] + rest sum_{v != label} (log Z - x[v]) - perfect; with `gradient`
 * x = (exp(x - log Z) - target) / normalizer. logits [T, V], label [T] -> loss, likelihood [T].
 * A block has a row, a warp windows of it. Exponentials are computed twice: kept as activations, a
 * row of 32,000 in bf16 leaves room for a second block. top comes first, so that none overflows;
 * loss is in double: (V - 1) log Z and the sum of x are large and near. */
KERNEL(loss_kernel, THREADS, struct loss_job, job)
{
    SHARED(float, share); /* for three sums, then the row */
    const struct cross_entropy *c = &job->c;
    const int64_t t = blockIdx.x;
    struct act *logits = act_to(c->logits, t * c->ld);
    if (t >= op_rows(c->T, c->rows)) {
        if (c->zeros) block_clear(logits, 0, c->V, 0, 1, 0, 1);
        return;
    }
    struct act *row = (struct act *)(void *)(share + 3 * WARPS);
    const struct window_row all = window_row(c->V, 0);
    const int label = c->label[t];
    const float right = act_get(logits, label);
    float top = -INFINITY, total = 0, sum = 0;
    for (int w = warp_of(); w < all.windows; w += WARPS) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            const struct packed x = pack_load(logits, s);
            for (int i = 0; i < PACK; i++) {
                if (i < s.hi) top = x.x[i] > top ? x.x[i] : top;
                total += x.x[i];
            }
            if (job->keeps) pack_store(row, s, x);
        }
    top = block_max(top, share);
    total = block_sum(total, share + WARPS);
    for (int w = warp_of(); w < all.windows; w += WARPS) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            const struct packed x = loss_load(logits, row, job->keeps, s);
            for (int i = 0; i < PACK; i++) sum += i < s.hi ? expf(x.x[i] - top) : 0;
        }
    const double z = (double)block_sum(sum, share + 2 * WARPS), log_z = log(z) + (double)top;
    if (threadIdx.x == 0) {
        const double nll = log_z - (double)right;
        const double others = (c->V - 1) * log_z - ((double)total - (double)right);
        c->likelihood[t] = (float)nll;
        c->loss[t] = (float)(job->gold * nll + job->rest * others - job->perfect);
    }
    if (!c->gradient) return;
    const float scale = (float)(1 / c->step->normalizer), shift = (float)job->rest * scale;
    const float factor = (float)((double)scale / z);
    for (int w = warp_of(); w < all.windows; w += WARPS) EACH_PACK(k)
        {
            const struct stretch s = window_pack(all, w, k);
            struct packed x = loss_load(logits, row, job->keeps, s);
            for (int i = 0; i < PACK; i++) {
                x.x[i] = expf(x.x[i] - top) * factor - shift;
                if (s.at + i == label) x.x[i] -= ((float)job->gold - (float)job->rest) * scale;
            }
            pack_store(logits, s, x);
        }
}

void DEVICE(cross_entropy)(const struct cross_entropy *c)
{
    const size_t bytes = ((size_t)c->V + PACK - 1) / PACK * PACK * sizeof(act_type);
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
