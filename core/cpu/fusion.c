/* Computes fusions of attention branches (attention/fusion): the concatenated outputs of branches,
 * [T, R*D], become one output [T, D]. */
#include "core/cpu/vec.h"

/* out[t] = x_0[t] + .. + x_{R-1}[t]: x [T, R, D] -> out [T, D]; parallel over rows. */
void CPU(sum_branches)(const struct sum_branches *s)
{
    const int T = op_rows(s->T, s->rows), D = s->D;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * s->R * D))
    for (int t = 0; t < T; t++) {
        const real *x = in(s->x) + (int64_t)t * s->R * D;
        real *y = out(s->out) + (int64_t)t * D;
        for (int c = 0; c < D; c += LANES) {
            vec sum = vec_load(x + c, D - c);
            for (int r = 1; r < s->R; r++) sum += vec_load(x + (int64_t)r * D + c, D - c);
            vec_store(y + c, D - c, sum);
        }
    }
}

/* dx_r[t] = dout[t] for every r: [T, D] -> [T, R, D]. */
void CPU(sum_branches_backward)(const struct sum_branches *s)
{
    const int T = op_rows(s->T, s->rows);
    const size_t bytes = (size_t)s->D * sizeof(real);
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * s->R * s->D))
    for (int t = 0; t < T; t++)
        for (int r = 0; r < s->R; r++)
            memcpy(out(s->x_gradient) + ((int64_t)t * s->R + r) * s->D,
                   in(s->out_gradient) + (int64_t)t * s->D, bytes);
}

/* g = sigmoid(z); out = (1 - g) x_0 + g x_1. z [T, H] or [T, 1], x [T, 2, H, d] -> gate (shape of
 * z), out [T, H, d]. */
void CPU(gate)(const struct gate *g)
{
    const int T = op_rows(g->T, g->rows), D = g->H * g->d;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * 2 * D))
    for (int t = 0; t < T; t++) {
        const real *z = in(g->z) + (int64_t)t * g->columns;
        real *gate = out(g->gate) + (int64_t)t * g->columns;
        for (int c = 0; c < g->columns; c += LANES)
            vec_store(gate + c, g->columns - c, vec_sigmoid(vec_load(z + c, g->columns - c)));
        const real *x = in(g->x) + (int64_t)t * 2 * D;
        for (int h = 0; h < g->H; h++) {
            const vec weight = vec_splat(gate[g->columns == 1 ? 0 : h]);
            const real *x0 = x + h * g->d, *x1 = x0 + D;
            real *y = out(g->out) + (int64_t)t * D + h * g->d;
            for (int c = 0; c < g->d; c += LANES) {
                vec a = vec_load(x0 + c, g->d - c), b = vec_load(x1 + c, g->d - c);
                vec_store(y + c, g->d - c, (1 - weight) * a + weight * b);
            }
        }
    }
}

/* dx_0 = (1 - g) dout; dx_1 = g dout. dz = g (1 - g) sum_c dout[c] (x_1[c] - x_0[c]) for each head.
 * If all heads share one z, dz is the sum over heads. out_gradient [T, H, d] -> x_gradient [T, 2,
 * H, d], z_gradient [T, H] or [T, 1]. */
void CPU(gate_backward)(const struct gate *g)
{
    const int T = op_rows(g->T, g->rows), D = g->H * g->d;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * 4 * D))
    for (int t = 0; t < T; t++) {
        const real *gate = in(g->gate) + (int64_t)t * g->columns;
        const real *x = in(g->x) + (int64_t)t * 2 * D;
        real *dz = out(g->z_gradient) + (int64_t)t * g->columns;
        real *dx = out(g->x_gradient) + (int64_t)t * 2 * D;
        real together = 0;
        for (int h = 0; h < g->H; h++) {
            const real weight = gate[g->columns == 1 ? 0 : h];
            const real *dy = in(g->out_gradient) + (int64_t)t * D + h * g->d;
            vec dot = {0};
            for (int c = 0; c < g->d; c += LANES) {
                const int left = g->d - c, at = h * g->d + c;
                vec d = vec_load(dy + c, left);
                dot = vec_fma(d, vec_load(x + D + at, left) - vec_load(x + at, left), dot);
                vec_store(dx + at, left, d * (1 - weight));
                vec_store(dx + D + at, left, d * weight);
            }
            real slope = vec_sum(dot) * weight * (1 - weight);
            if (g->columns == 1)
                together += slope;
            else
                dz[h] = slope;
        }
        if (g->columns == 1) dz[0] = together;
    }
}
