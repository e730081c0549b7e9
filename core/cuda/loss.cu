/* Label smoothing: a block has a row, and keeps it in shared memory where it fits; so logits are
 * read once and written once. */
#include "core/cuda/act.h"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    IN_FLIGHT = 4 /* packs of the row whose loads a thread has in flight */
};

struct loss_job {
    struct cross_entropy c;
    double rest, gold; /* target probabilities: of another token, of the right one */
    double perfect;    /* the loss of the perfect prediction, so that it is 0 */
    bool keeps;        /* there is room for a row */
};

/* Of all threads of a block, the same in each: of warps first, which leave theirs in `share`, then
 * of these in order. */
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

/* exp(x - top) of an x <= top, whose factor of log2(e) costs less than what expf does for any x. */
DEVICE_FN float exp_below(float x, float top)
{
    return exp2f((x - top) * 1.44269504f);
}

/* The n-th pack of a row. */
DEVICE_FN struct stretch row_pack(int n, int V)
{
    struct stretch s;
    s.at = (int64_t)n * PACK;
    s.lo = 0;
    s.hi = n < V / PACK ? PACK : n == V / PACK ? V % PACK : 0;
    return s;
}

/* From where it is kept. */
DEVICE_FN struct packed loss_load(const struct act *logits, const struct words *row, bool kept,
                                  int n, int V)
{
    return words_pack(kept ? row[n] : pack_words(logits, row_pack(n, V)));
}

/* The greatest one, and the sum, of `count` values and of what was before; the sum of exponentials.
 * Of a whole pack `count` is a constant. */
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

/* With log Z = top + log sum_v exp(x[v] - top) of x = logits[t]: likelihood[t] = log Z - x[label],
 * loss[t] = gold likelihood[t] + rest sum_{v != label} (log Z - x[v]) - perfect; with `gradient`
 * x = (exp(x - log Z) - target) / normalizer. logits [T, V], label [T] -> loss, likelihood [T].
 * A block has a row, a thread every 256th pack of it: what it keeps is its own, so barriers are for
 * sums alone. Exponentials are computed twice: kept as activations, a row of 32,000 in bf16 leaves
 * room for two more blocks. top comes first, so that none overflows; loss is in double: (V - 1)
 * log Z and the sum of x are large and near. */
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
