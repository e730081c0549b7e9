/* Computes dropout, residual sum and layer normalization in one op, and their gradients in
 * another. */
#include "core/cpu/vec.h"

static const real NORM_EPSILON = (real)1e-6;

/* Return the gain or the offset of columns from c on. Without gain, it is 1. Without offset, it is
 * 0. */
INLINE reg gain_at(const struct residual_norm *n, int c)
{
    if (n->gain) return reg_load(n->gain + c, n->D - c);
    return reg_splat(1);
}
INLINE reg offset_at(const struct residual_norm *n, int c)
{
    if (n->offset) return reg_load(n->offset + c, n->D - c);
    return (reg){0};
}

static real row_sum(const real *x, int D)
{
    struct regs sums = {0};
    int c = 0;
    for (; c + LANES <= D; c += LANES)
        for (int p = 0; p < REGS; p++) sums.reg[p] += reg_load(x + c + p * REG, REG);
    vec sum = vec_whole(sums);
    if (c < D) sum += vec_load(x + c, D - c);
    return vec_sum(sum);
}

/* Returns the sum of (x - mean)^2. */
static real row_squares(const real *x, real mean, int D)
{
    struct regs sums = {0};
    int c = 0;
    for (; c + LANES <= D; c += LANES)
        for (int p = 0; p < REGS; p++) {
            const reg y = reg_load(x + c + p * REG, REG) - mean;
            sums.reg[p] = reg_each(y, y, sums.reg[p]);
        }
    vec sum = vec_whole(sums);
    if (c < D) {
        const vec y = vec_select(vec_first(D - c), vec_load(x + c, D - c) - mean, (vec){0});
        sum = vec_fma(y, y, sum);
    }
    return vec_sum(sum);
}

/* sum = x + dropout(s); out = (sum - mean) inverse gain + offset. Mean and variance are over D;
 * inverse = 1 / sqrt(variance + 1e-6). x, s [T, D] -> sum, out [T, D], statistics [T, 2]. The
 * variance needs a second pass over (sum - mean)^2, because the mean of squares minus the square of
 * the mean would lose digits. */
void CPU(residual_norm)(const struct residual_norm *n)
{
    const int T = op_rows(n->T, n->rows), D = n->D;
    const bool drop = n->s && n->dropout.threshold;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * D * (drop ? COSTLY : 2)))
    for (int t = 0; t < T; t++) {
        const real *x = in(n->x) + (int64_t)t * D;
        if (n->s) {
            const real *s = in(n->s) + (int64_t)t * D;
            real *sum = out(n->sum) + (int64_t)t * D;
            real *factor = drop ? CPU(scratch)(0, D) : NULL;
            if (drop) CPU(dropout_row)(n->step, n->dropout, D, (int64_t)t * D, D, factor);
            for (int c = 0; c < D; c += REG) {
                reg y = reg_load(s + c, D - c);
                if (drop) y *= reg_load(factor + c, D - c);
                reg_store(sum + c, D - c, y + reg_load(x + c, D - c));
            }
            x = sum;
        }
        if (!n->out) continue;
        const real mean = row_sum(x, D) / (real)D;
        const real variance = row_squares(x, mean, D) / (real)D;
        const real inverse = 1 / (real)sqrt((double)(variance + NORM_EPSILON));
        n->statistics[2 * (int64_t)t] = mean;
        n->statistics[2 * (int64_t)t + 1] = inverse;
        real *y = out(n->out) + (int64_t)t * D;
        for (int c = 0; c < D; c += REG) {
            const reg hat = (reg_load(x + c, D - c) - mean) * inverse;
            reg_store(y + c, D - c, reg_each(hat, gain_at(n, c), offset_at(n, c)));
        }
    }
}

/* dsum = inverse (dh - mean(dh) - hat mean(dh hat)) + sum_gradient, dh = dout gain, hat = (sum -
 * mean) inverse: [T, D] -> x_gradient, s_gradient [T, D]. Both means are over all columns, so a row
 * is read twice. */
static void rows_backward(const struct residual_norm *n)
{
    const int T = op_rows(n->T, n->rows), D = n->D;
    const bool drop = n->s && n->dropout.threshold;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * D * COSTLY))
    for (int t = 0; t < T; t++) {
        const int64_t at = (int64_t)t * D;
        const real *x = (n->s ? in(n->sum) : in(n->x)) + at;
        const real *dy = n->out_gradient ? in(n->out_gradient) + at : NULL;
        const real *dsum = n->sum_gradient ? in(n->sum_gradient) + at : NULL;
        real mean = 0, inverse = 0, mean_dh = 0, mean_dh_hat = 0;
        if (dy) {
            mean = n->statistics[2 * (int64_t)t];
            inverse = n->statistics[2 * (int64_t)t + 1];
            struct regs sum = {0}, sum_hat = {0};
            for (int from = 0; from < D; from += LANES)
                for (int p = 0; p < REGS; p++) {
                    const int c = from + p * REG, left = D - c;
                    const reg dh = reg_load(dy + c, left) * gain_at(n, c);
                    const reg hat = (reg_load(x + c, left) - mean) * inverse;
                    sum.reg[p] += dh;
                    sum_hat.reg[p] = reg_each(dh, hat, sum_hat.reg[p]);
                }
            mean_dh = vec_sum(vec_whole(sum)) / (real)D;
            mean_dh_hat = vec_sum(vec_whole(sum_hat)) / (real)D;
        }
        real *factor = drop ? CPU(scratch)(0, D) : NULL;
        if (drop) CPU(dropout_row)(n->step, n->dropout, D, (int64_t)t * D, D, factor);
        for (int c = 0; c < D; c += REG) {
            const int left = D - c;
            reg total = {0};
            if (dsum) total = reg_load(dsum + c, left);
            if (dy) {
                const reg dh = reg_load(dy + c, left) * gain_at(n, c);
                const reg hat = (reg_load(x + c, left) - mean) * inverse;
                total = reg_fma(inverse, dh - mean_dh - hat * mean_dh_hat, total);
            }
            if (n->x_gradient) {
                real *dx = out(n->x_gradient) + at + c;
                reg_store(dx, left, n->add_x ? (reg)(total + reg_load(dx, left)) : total);
            }
            if (n->s_gradient) {
                real *ds = out(n->s_gradient) + at + c;
                if (drop) total *= reg_load(factor + c, left);
                reg_store(ds, left, n->add_s ? (reg)(total + reg_load(ds, left)) : total);
            }
        }
    }
}

/* dgain (+)= sum_t dout hat, doffset (+)= sum_t dout: [T, D] -> [D]. Parallel over blocks of REG
 * columns. Each block sums the rows in order. */
static void parameters_backward(const struct residual_norm *n)
{
    const int T = op_rows(n->T, n->rows), D = n->D, blocks = (D + REG - 1) / REG;
#pragma omp parallel for schedule(static) if (blocks > 1 && worth_sharing((int64_t)T * D))
    for (int block = 0; block < blocks; block++) {
        const int c = block * REG, left = D - c;
        reg gain = {0}, offset = {0};
        for (int t = 0; t < T; t++) {
            const int64_t at = (int64_t)t * D + c;
            const reg x = reg_load((n->s ? in(n->sum) : in(n->x)) + at, left);
            const reg dy = reg_load(in(n->out_gradient) + at, left);
            const real *statistics = n->statistics + 2 * (int64_t)t;
            gain = reg_each(dy, (x - statistics[0]) * statistics[1], gain);
            offset += dy;
        }
        if (n->add_gain) gain += reg_load(n->gain_gradient + c, left);
        if (n->add_offset) offset += reg_load(n->offset_gradient + c, left);
        reg_store(n->gain_gradient + c, left, gain);
        reg_store(n->offset_gradient + c, left, offset);
    }
}

/* out_gradient, sum_gradient, x or sum [T, D], statistics [T, 2] -> gradients of gain and
 * offset [D], x and s [T, D]. */
void CPU(residual_norm_backward)(const struct residual_norm *n)
{
    if (n->out_gradient && n->gain_gradient) parameters_backward(n);
    rows_backward(n);
}

/* Does nothing, because residual_norm_backward also computes the gradients of gain and offset. */
void CPU(residual_norm_sums)(const struct residual_norm *n)
{
}
