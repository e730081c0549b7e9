/* Ops of beam search. A block finds the best tokens of a row. Every warp lists the k best tokens of
 * its part of the row. Then the first warp merges the lists. */
#include "core/cuda/act.h"

enum { THREADS = 256, WARPS = THREADS / WARP, NOBODY = 1 << 30 };

/* A token and its logit. A token with a larger logit is better; ties: the lower id is better. A NaN
 * counts as -infinity. */
struct choice {
    float x;
    int id;
};

DEVICE_FN struct choice choice(float x, int id)
{
    struct choice c;
    c.x = x > -INFINITY ? x : -INFINITY;
    c.id = id;
    return c;
}

DEVICE_FN bool better(struct choice a, struct choice b)
{
    return a.x > b.x || (a.x >= b.x && a.id < b.id);
}

/* Returns the best choice of a warp. Floats represent ids up to 2^24, and NOBODY, exactly. */
DEVICE_FN struct choice warp_best(struct choice own)
{
    const float x = warp_max(own.x);
    return choice(x, -(int)warp_max(own.x < x ? -INFINITY : -(float)own.id));
}

/* Loops over this thread's packs of a row: every THREADS-th pack. */
#define EACH_OWN_PACK(v, V) for (int v = (int)threadIdx.x * PACK; v < V; v += THREADS * PACK)

/* Returns the best of this thread's tokens that are worse than `last`; NOBODY if there is none. */
DEVICE_FN struct choice next_own(const struct top_tokens *t, struct choice last)
{
    struct choice best = choice(-INFINITY, NOBODY);
    EACH_OWN_PACK(v, t->V)
    {
        struct stretch s = stretch_of(v, t->V);
        s.at += (int64_t)blockIdx.x * t->ld;
        const struct packed x = pack_load(t->logits, s);
        for (int i = 0; i < PACK; i++) {
            const struct choice c = choice(x.x[i], v + i);
            if (i < s.hi && better(last, c) && better(c, best)) best = c;
        }
    }
    return best;
}

/* Returns the sum of exp(x - top) over this thread's tokens. */
DEVICE_FN float sum_own(const struct top_tokens *t, float top)
{
    float sum = 0;
    EACH_OWN_PACK(v, t->V)
    {
        struct stretch s = stretch_of(v, t->V);
        s.at += (int64_t)blockIdx.x * t->ld;
        const struct packed x = pack_load(t->logits, s);
        for (int i = 0; i < PACK; i++)
            if (i < s.hi) sum += expf(x.x[i] - top);
    }
    return sum;
}

/* score[i] = x[token[i]] - log sum_v exp(x[v]) for the k largest x: logits [rows, V] -> score,
 * token [rows, k]. A warp sums exp(x - m), with m the maximum of its own tokens, which is the first
 * of its list. Then the sum of each warp is multiplied by exp(m - maximum of the row), and the
 * products are added. Shared memory has the lists [WARPS, k], then the sums [WARPS]. */
KERNEL(top_tokens_kernel, THREADS, struct top_tokens, t)
{
    SHARED(struct choice, list);
    float *sums = (float *)(list + WARPS * t->k);
    const int lane = lane_of(), warp = warp_of();
    struct choice own = next_own(t, choice(INFINITY, -1));
    const float mine = warp_sum(sum_own(t, warp_max(own.x)));
    if (lane == 0) sums[warp] = mine;
    for (int i = 0; i < t->k; i++) {
        const struct choice best = warp_best(own);
        if (lane == 0) list[warp * t->k + i] = best;
        if (own.id == best.id && best.id < NOBODY) own = next_own(t, best);
    }
    __syncthreads();
    if (warp > 0) return;
    int at = lane < WARPS ? lane * t->k : 0;
    const int end = lane < WARPS ? at + t->k : 0;
    own = at < end ? list[at] : choice(-INFINITY, NOBODY);
    const float top = warp_max(own.x);
    const float sum = warp_sum(at < end ? sums[lane] * expf(own.x - top) : 0);
    for (int i = 0; i < t->k; i++) {
        const struct choice best = warp_best(own);
        if (lane == 0) {
            t->score[(int64_t)blockIdx.x * t->k + i] = best.x - top - logf(sum);
            t->token[(int64_t)blockIdx.x * t->k + i] = best.id;
        }
        if (own.id == best.id && at < end) own = ++at < end ? list[at] : choice(-INFINITY, NOBODY);
    }
}

OP_KERNEL(top_tokens, struct top_tokens, t, top_tokens_kernel, t->rows,
          WARPS *((size_t)t->k * sizeof(struct choice) + 4))

struct stored {
    const struct act *from;
    struct act *to;
    int rows, width, ld;
};

/* to[r, c] = from[r, c]. Both are [rows, width], and rows of `from` are `ld` elements apart. A warp
 * copies a row. */
KERNEL(store_rows_kernel, THREADS, struct stored, x)
{
    const int64_t r = warp_of_all();
    if (r >= x->rows) return;
    for (int c = lane_of() * PACK; c < x->width; c += WARP * PACK) {
        struct stretch s = stretch_of(c, x->width);
        s.at += r * x->ld;
        const struct packed y = pack_load(x->from, s);
        s.at = r * x->width + c;
        pack_store(x->to, s, y);
    }
}

void DEVICE(store_rows)(const struct act *from, int rows, int width, int ld, struct act *to)
{
    struct stored x;
    memset(&x, 0, sizeof x);
    x.from = from, x.to = to, x.rows = rows, x.width = width, x.ld = ld;
    LAUNCH(store_rows_kernel, parts(rows, WARPS), 0, &x);
}
