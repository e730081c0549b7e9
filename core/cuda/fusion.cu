/* Fusions of attention branches (attention/fusion). They combine the concatenated branches [T, R*D]
 * to one output [T, D]. A warp computes a row. */
#include "core/cuda/act.h"

enum { THREADS = 256, WARPS = THREADS / WARP };

/* Loops over the packs of a row. The lanes of a warp process consecutive packs. */
#define EACH_PACK_OF_ROW(c, D) for (int c = lane_of() * PACK; c < D; c += WARP * PACK)

/* out[t] = x_0[t] + .. + x_{R-1}[t], in this order: x [T, R, D] -> out [T, D]. */
KERNEL(sum_branches_kernel, THREADS, struct sum_branches, b)
{
    const int64_t t = warp_of_all(), D = b->D;
    if (t >= op_rows(b->T, b->rows)) return;
    EACH_PACK_OF_ROW(c, D)
    {
        struct stretch s = stretch_of(c, D);
        s.at += t * b->R * D;
        struct packed sum = pack_load(b->x, s);
        for (int r = 1; r < b->R; r++) {
            s.at += D;
            const struct packed x = pack_load(b->x, s);
            for (int i = 0; i < PACK; i++) sum.x[i] += x.x[i];
        }
        s.at = t * D + c;
        pack_store(b->out, s, sum);
    }
}

OP_KERNEL(sum_branches, struct sum_branches, b, sum_branches_kernel, parts(b->T, WARPS), 0)

/* dx_r[t] = dout[t] for every r: out_gradient [T, D] -> x_gradient [T, R, D]. */
KERNEL(sum_branches_backward_kernel, THREADS, struct sum_branches, b)
{
    const int64_t t = warp_of_all(), D = b->D;
    if (t >= op_rows(b->T, b->rows)) return;
    EACH_PACK_OF_ROW(c, D)
    {
        struct stretch s = stretch_of(c, D);
        s.at += t * D;
        const struct packed dy = pack_load(b->out_gradient, s);
        s.at = t * b->R * D + c;
        for (int r = 0; r < b->R; r++, s.at += D) pack_store(b->x_gradient, s, dy);
    }
}

OP_KERNEL(sum_branches_backward, struct sum_branches, b, sum_branches_backward_kernel,
          parts(b->T, WARPS), 0)

/* g = sigmoid(z); out = (1 - g) x_0 + g x_1. z [T, H] or [T, 1], x [T, 2, H, d] -> gate (shape of
 * z) and out [T, H, d]. A lane computes every 32nd pack of a row. The lane with the first pack of a
 * head writes g. A column that all heads share is written with head 0. */
KERNEL(gate_kernel, THREADS, struct gate, g)
{
    const int64_t t = warp_of_all(), D = (int64_t)g->H * g->d;
    /* packs of a head; no pack has columns of two heads */
    const int packs = (g->d + PACK - 1) / PACK;
    if (t >= op_rows(g->T, g->rows)) return;
    for (int i = lane_of(); i < g->H * packs; i += WARP) {
        const int h = i / packs, column = g->columns == 1 ? 0 : h;
        const float weight = sigmoid(act_get(g->z, t * g->columns + column));
        struct stretch s = stretch_of(i % packs * PACK, g->d);
        const int64_t at = (int64_t)h * g->d + s.at;
        if (s.at == 0 && h == column) act_put(g->gate, t * g->columns + column, weight);
        s.at = 2 * t * D + at;
        const struct packed x0 = pack_load(g->x, s);
        s.at += D;
        struct packed y = pack_load(g->x, s);
        for (int k = 0; k < PACK; k++) y.x[k] = (1 - weight) * x0.x[k] + weight * y.x[k];
        s.at = t * D + at;
        pack_store(g->out, s, y);
    }
}

OP_KERNEL(gate, struct gate, g, gate_kernel, parts(g->T, WARPS), 0)

/* Computes dx_0 = (1 - g) dout and dx_1 = g dout, both [d], for head h of row t. Returns dz = g (1
 * - g) sum_c dout[c] (x_1[c] - x_0[c]). */
DEVICE_FN float gate_slope(const struct gate *g, int64_t t, int h)
{
    const int64_t D = (int64_t)g->H * g->d;
    const float weight = act_get(g->gate, t * g->columns + (g->columns == 1 ? 0 : h));
    float dot = 0;
    EACH_PACK_OF_ROW(c, g->d)
    {
        struct stretch s = stretch_of(c, g->d);
        s.at += t * D + h * g->d;
        struct packed dy = pack_load(g->out_gradient, s), d0, d1;
        s.at += t * D;
        const struct packed x0 = pack_load(g->x, s);
        s.at += D;
        const struct packed x1 = pack_load(g->x, s);
        for (int k = 0; k < PACK; k++) {
            dot = fmaf(dy.x[k], x1.x[k] - x0.x[k], dot);
            d0.x[k] = dy.x[k] * (1 - weight);
            d1.x[k] = dy.x[k] * weight;
        }
        pack_store(g->x_gradient, s, d1);
        s.at -= D;
        pack_store(g->x_gradient, s, d0);
    }
    return warp_sum(dot) * weight * (1 - weight);
}

/* out_gradient [T, H, d], gate, x [T, 2, H, d] -> x_gradient [T, 2, H, d] and z_gradient [T, H] or
 * [T, 1]. If all heads share a column, its gradient is the sum of dz over the heads, in order. */
KERNEL(gate_backward_kernel, THREADS, struct gate, g)
{
    const int64_t t = warp_of_all();
    float sum = 0; /* sum over the heads that have the same column of z */
    if (t >= op_rows(g->T, g->rows)) return;
    for (int h = 0; h < g->H; h++) {
        sum += gate_slope(g, t, h);
        if (g->columns == 1 && h + 1 < g->H) continue;
        if (lane_of() == 0) act_put(g->z_gradient, t * g->columns + (g->columns == 1 ? 0 : h), sum);
        sum = 0;
    }
}

OP_KERNEL(gate_backward, struct gate, g, gate_backward_kernel, parts(g->T, WARPS), 0)
