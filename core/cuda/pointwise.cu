/* Pointwise ops. A warp computes a window of 256 consecutive values (window.h). */
#include "core/cuda/window.h"

enum { THREADS = 256, WARPS = THREADS / WARP };

/* Returns the number of blocks for `count` values. There may be one window more than count / 256,
 * because the first value may be inside of a window. */
static int64_t blocks_of(int64_t count)
{
    return count ? parts(parts(count, WINDOW) + 1, WARPS) : 0;
}

/* Returns PACK bits. Bit i is 1 if value i is above 0 after conversion to an activation. */
DEVICE_FN unsigned pack_above(struct packed y)
{
    unsigned bits = 0;
    for (int i = 0; i < PACK; i++) bits |= (unsigned)(act_real(act_of(y.x[i])) > 0) << i;
    return bits;
}

/* out = dropout(max(x, 0)). x and out are [T, N], mask is [T, N / 32]. With a mask, N is a multiple
 * of 32. So rows and windows begin at whole words of the mask. */
KERNEL(relu_kernel, THREADS, struct relu_dropout, r)
{
    const int64_t rows = op_rows(r->T, r->rows), written = r->zeros ? r->T : rows;
    const struct window_row all =
        window_row(written * r->N, dropout_index(r->step, r->dropout, 0, r->N));
    const struct window_row there = window_row(rows * r->N, all.index);
    const int64_t w = warp_of_all();
    if (w >= all.windows) return;
    const unsigned kept = window_kept(all, w, r->step, r->dropout);
    const float scale = dropout_raise(r->dropout);
    EACH_PACK(k)
    {
        const struct stretch s = window_pack(all, w, k);
        struct packed x = pack_load(r->x, window_pack(there, w, k));
        for (int i = 0; i < PACK; i++) x.x[i] = x.x[i] < 0 ? 0 : x.x[i]; /* a NaN stays NaN */
        if (r->dropout.threshold) x = pack_drop(x, kept, k, scale);
        pack_store(r->out, s, x);
        if (!r->mask) continue;
        const uint32_t word = pack_word(pack_above(x));
        if (s.at % 32 == 0 && s.lo < s.hi) r->mask[s.at / 32] = word;
    }
}

OP_KERNEL(relu_dropout, struct relu_dropout, r, relu_kernel, blocks_of((int64_t)r->T * r->N), 0)

/* dx = dout / (1 - p) where out > 0, else 0: out, out_gradient, x_gradient [T, N]. Dropped values
 * are 0 in out, so no random numbers are needed. */
KERNEL(relu_backward_kernel, THREADS, struct relu_dropout, r)
{
    const int64_t rows = op_rows(r->T, r->rows), written = r->zeros ? r->T : rows;
    const struct window_row all = window_row(written * r->N, 0);
    const struct window_row there = window_row(rows * r->N, 0);
    const int64_t w = warp_of_all();
    const float scale = dropout_raise(r->dropout);
    if (w >= all.windows) return;
    EACH_PACK(k)
    {
        const struct stretch s = window_pack(all, w, k), from = window_pack(there, w, k);
        const struct packed y = pack_load(r->out, from);
        struct packed dx = pack_load(r->out_gradient, from);
        for (int i = 0; i < PACK; i++) dx.x[i] = y.x[i] > 0 ? dx.x[i] * scale : 0;
        pack_store(r->x_gradient, s, dx);
    }
}

OP_KERNEL(relu_dropout_backward, struct relu_dropout, r, relu_backward_kernel,
          blocks_of((int64_t)r->T * r->N), 0)

/* out = tanh(dropout(x)) or sigmoid(dropout(x)). x and out are [blocks][T, N]. A warp computes the
 * same window in all blocks of the op, so it computes the random numbers once. */
KERNEL(squash_kernel, THREADS, struct squash, s)
{
    const struct window_row all = window_row((int64_t)op_rows(s->T, s->rows) * s->N,
                                             dropout_index(s->step, s->dropout, 0, s->N));
    const int64_t w = warp_of_all();
    if (w >= all.windows) return;
    const unsigned kept = window_kept(all, w, s->step, s->dropout);
    const float scale = dropout_raise(s->dropout);
    for (int block = 0; block < s->blocks || !block; block++) {
        EACH_PACK(k)
        {
            const struct stretch at = window_pack(all, w, k);
            struct packed x = pack_load(act_from(s->x, block * s->next), at);
            if (s->dropout.threshold) x = pack_drop(x, kept, k, scale);
            for (int i = 0; i < PACK; i++) x.x[i] = s->tanh ? tanhf(x.x[i]) : sigmoid(x.x[i]);
            pack_store(act_to(s->out, block * s->next), at, x);
        }
    }
}

OP_KERNEL(squash, struct squash, s, squash_kernel, blocks_of((int64_t)s->T * s->N), 0)

/* tanh: dx = dropout(dout) (1 - out^2); sigmoid: dx = dropout(dout) out (1 - out). All arrays are
 * [blocks][T, N]. */
KERNEL(squash_backward_kernel, THREADS, struct squash, s)
{
    const struct window_row all = window_row((int64_t)op_rows(s->T, s->rows) * s->N,
                                             dropout_index(s->step, s->dropout, 0, s->N));
    const int64_t w = warp_of_all();
    if (w >= all.windows) return;
    const unsigned kept = window_kept(all, w, s->step, s->dropout);
    const float scale = dropout_raise(s->dropout);
    for (int block = 0; block < s->blocks || !block; block++) {
        EACH_PACK(k)
        {
            const struct stretch at = window_pack(all, w, k);
            const struct packed y = pack_load(act_from(s->out, block * s->next), at);
            struct packed dx = pack_load(act_from(s->out_gradient, block * s->next), at);
            for (int i = 0; i < PACK; i++)
                dx.x[i] *= s->tanh ? 1 - y.x[i] * y.x[i] : y.x[i] * (1 - y.x[i]);
            if (s->dropout.threshold) dx = pack_drop(dx, kept, k, scale);
            pack_store(act_to(s->x_gradient, block * s->next), at, dx);
        }
    }
}

OP_KERNEL(squash_backward, struct squash, s, squash_backward_kernel,
          blocks_of((int64_t)s->T * s->N), 0)
