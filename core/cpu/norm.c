/* Dropout, residual sum and layer normalization in one pass each way. */
#include "core/cpu/vec.h"

static const real NORM_EPSILON = (real)1e-6;

/* 1 and 0 where there are none. */
INLINE vec gain_at(const struct residual_norm *n, int c)
{
    return n->gain ? vec_load(n->gain + c, n->D - c) : vec_full(1);
}
INLINE vec offset_at(const struct residual_norm *n, int c)
{
    return n->offset ? vec_load(n->offset + c, n->D - c) : (vec){0};
}

/* sum = x + dropout(s), out = (sum - mean) inverse gain + offset, mean and variance over D,
 * inverse = 1 / sqrt(variance + 1e-6): x, s [T, D] -> sum, out [T, D], statistics [T, 2]. The
 * variance is a second pass, over (sum - mean)^2: the mean of squares less the mean's square would
 * cancel. */
void CPU(residual_norm)(const struct residual_norm *n)
{
    const int T = op_rows(n->T, n->rows), D = n->D;
    const bool drop = n->s && n->dropout.threshold;
#pragma omp parallel for schedule(static)
    for (int t = 0; t < T; t++) {
        const real *x = in(n->x) + (int64_t)t * D;
        if (n->s) {
            const real *s = in(n->s) + (int64_t)t * D;
            real *sum = out(n->sum) + (int64_t)t * D;
            real *factor = drop ? CPU(scratch)(0, D) : NULL;
            if (drop) CPU(dropout_row)(n->step, n->dropout, D, (int64_t)t * D, D, factor);
            for (int c = 0; c < D; c += LANES) {
                vec y = vec_load(s + c, D - c);
                if (drop) y *= vec_load(factor + c, D - c);
                vec_store(sum + c, D - c, y + vec_load(x + c, D - c));
            }
            x = sum;
        }
        if (!n->out) continue;
        vec total = {0};
        for (int c = 0; c < D; c += LANES) total += vec_load(x + c, D - c);
        const real mean = vec_sum(total) / (real)D;
        vec square = {0};
        for (int c = 0; c < D; c += LANES) {
            vec y = vec_pick(vec_first(D - c), vec_load(x + c, D - c) - mean, (vec){0});
            square = vec_fma(y, y, square);
        }
        const real inverse = 1 / (real)sqrt((double)(vec_sum(square) / (real)D + NORM_EPSILON));
        n->statistics[2 * (int64_t)t] = mean;
        n->statistics[2 * (int64_t)t + 1] = inverse;
        real *y = out(n->out) + (int64_t)t * D;
        for (int c = 0; c < D; c += LANES) {
            vec hat = (vec_load(x + c, D - c) - mean) * inverse;
            vec_store(y + c, D - c, vec_fma(hat, gain_at(n, c), offset_at(n, c)));
        }
    }
}

/* dsum = inverse (dh - mean(dh) - hat mean(dh hat)) + sum_gradient, dh = dout gain,
 * hat = (sum - mean) inverse: [T, D] -> x_gradient, s_gradient [T, D]. Both means are over all of
 * D, so a row is read twice. */
static void rows_backward(const struct residual_norm *n)
{
    const int T = op_rows(n->T, n->rows), D = n->D;
    const bool drop = n->s && n->dropout.threshold;
#pragma omp parallel for schedule(static)
    for (int t = 0; t < T; t++) {
        const int64_t at = (int64_t)t * D;
        const real *x = (n->s ? in(n->sum) : in(n->x)) + at;
        const real *dy = n->out_gradient ? in(n->out_gradient) + at : NULL;
        const real *dsum = n->sum_gradient ? in(n->sum_gradient) + at : NULL;
        real mean = 0, inverse = 0, mean_dh = 0, mean_dh_hat = 0;
        if (dy) {
            mean = n->statistics[2 * (int64_t)t];
            inverse = n->statistics[2 * (int64_t)t + 1];
            vec sum = {0}, sum_hat = {0};
            for (int c = 0; c < D; c += LANES) {
                vec dh = vec_load(dy + c, D - c) * gain_at(n, c);
                sum += dh;
                sum_hat = vec_fma(dh, (vec_load(x + c, D - c) - mean) * inverse, sum_hat);
            }
            mean_dh = vec_sum(sum) / (real)D;
            mean_dh_hat = vec_sum(sum_hat) / (real)D;
        }
        real *factor = drop ? CPU(scratch)(0, D) : NULL;
        if (drop) CPU(dropout_row)(n->step, n->dropout, D, (int64_t)t * D, D, factor);
        for (int c = 0; c < D; c += LANES) {
            const int left = D - c;
            vec total = dsum ? vec_load(dsum + c, left) : (vec){0};
            if (dy) {
                vec dh = vec_load(dy + c, left) * gain_at(n, c);
                vec hat = (vec_load(x + c, left) - mean) * inverse;
                total = vec_fma(dh - mean_dh - hat * mean_dh_hat, vec_full(inverse), total);
            }
            if (n->x_gradient) {
                real *dx = out(n->x_gradient) + at + c;
                vec_store(dx, left, n->add_x ? total + vec_load(dx, left) : total);
            }
            if (n->s_gradient) {
                real *ds = out(n->s_gradient) + at + c;
                if (drop) total *= vec_load(factor + c, left);
                vec_store(ds, left, n->add_s ? total + vec_load(ds, left) : total);
            }
        }
    }
}

/* dgain (+)= sum_t dout hat, doffset (+)= sum_t dout: [T, D] -> [D].
 * A thread has 16 columns, rows in their order. */
static void parameters_backward(const struct residual_norm *n)
{
    const int T = op_rows(n->T, n->rows), D = n->D, blocks = (D + LANES - 1) / LANES;
#pragma omp parallel for schedule(static)
    for (int block = 0; block < blocks; block++) {
        const int c = block * LANES, left = D - c;
        vec gain = {0}, offset = {0};
        for (int t = 0; t < T; t++) {
            const int64_t at = (int64_t)t * D + c;
            vec x = vec_load((n->s ? in(n->sum) : in(n->x)) + at, left);
            vec dy = vec_load(in(n->out_gradient) + at, left);
            const real *statistics = n->statistics + 2 * (int64_t)t;
            gain = vec_fma(dy, (x - statistics[0]) * statistics[1], gain);
            offset += dy;
        }
        if (n->add_gain) gain += vec_load(n->gain_gradient + c, left);
        if (n->add_offset) offset += vec_load(n->offset_gradient + c, left);
        vec_store(n->gain_gradient + c, left, gain);
        vec_store(n->offset_gradient + c, left, offset);
    }
}

/* out_gradient, sum_gradient, x or sum [T, D], statistics [T, 2] -> gradients of gain and
 * offset [D], x and s [T, D]. */
void CPU(residual_norm_backward)(const struct residual_norm *n)
{
    if (n->out_gradient && n->gain_gradient) parameters_backward(n);
    rows_backward(n);
}
