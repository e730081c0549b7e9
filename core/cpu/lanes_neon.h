/* Operations of lanes.h for NEON, whose registers have four lanes. lanes.h includes this file. */
#pragma once

INLINE reg reg_load(const real *p, int64_t n)
{
    reg x = {0};
    if (n >= REG) return vld1q_f32(p);
    if (n > 0) x = vld1q_lane_f32(p, x, 0);
    if (n > 1) x = vld1q_lane_f32(p + 1, x, 1);
    if (n > 2) x = vld1q_lane_f32(p + 2, x, 2);
    return x;
}
INLINE void reg_store(real *p, int64_t n, reg x)
{
    if (n >= REG) {
        vst1q_f32(p, x);
        return;
    }
    if (n > 0) vst1q_lane_f32(p, x, 0);
    if (n > 1) vst1q_lane_f32(p + 1, x, 1);
    if (n > 2) vst1q_lane_f32(p + 2, x, 2);
}
INLINE reg reg_fma(real a, reg b, reg c)
{
    return vfmaq_n_f32(c, b, a);
}
INLINE reg reg_each(reg a, reg b, reg c)
{
    return vfmaq_f32(c, a, b);
}
INLINE reg reg_max(reg a, reg b)
{
    return reg_select(a > b, a, b);
}
/* Pairs of lanes: the even or the odd pair of a, then that of b. */
INLINE reg reg_even_pairs(reg a, reg b)
{
    return vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
INLINE reg reg_odd_pairs(reg a, reg b)
{
    return vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}

INLINE vec vec_load(const real *p, int64_t n)
{
    struct regs x;
    for (int i = 0; i < REGS; i++) x.reg[i] = reg_load(p + i * REG, n - i * REG);
    return vec_whole(x);
}
INLINE void vec_store(real *p, int64_t n, vec x)
{
    const struct regs y = vec_regs(x);
    for (int i = 0; i < REGS; i++) reg_store(p + i * REG, n - i * REG, y.reg[i]);
}
INLINE vec vec_gather(const real *p, vec at)
{
    real x[LANES];
    for (int i = 0; i < LANES; i++) x[i] = p[(int)at[i]];
    return vec_load(x, LANES);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    const struct regs x = vec_regs(a), y = vec_regs(b);
    struct regs sum = vec_regs(c);
    for (int i = 0; i < REGS; i++) sum.reg[i] = reg_each(x.reg[i], y.reg[i], sum.reg[i]);
    return vec_whole(sum);
}
INLINE vec_mask vec_greater(vec a, vec b)
{
    return a > b;
}
INLINE vec vec_max(vec a, vec b)
{
    struct regs top = vec_regs(b);
    regs_max(&top, a);
    return vec_whole(top);
}
INLINE vec vec_prefix_sum(vec x)
{
    const reg zero = {0};
    struct regs sum = vec_regs(x);
    for (int i = 0; i < REGS; i++) {
        sum.reg[i] += vextq_f32(zero, sum.reg[i], 3);
        sum.reg[i] += vextq_f32(zero, sum.reg[i], 2);
    }
    sum.reg[1] += vdupq_laneq_f32(sum.reg[0], 3);
    sum.reg[3] += vdupq_laneq_f32(sum.reg[2], 3);
    sum.reg[2] += vdupq_laneq_f32(sum.reg[1], 3);
    sum.reg[3] += vdupq_laneq_f32(sum.reg[1], 3);
    return vec_whole(sum);
}
INLINE vec vec_reverse(vec x)
{
    const struct regs y = vec_regs(x);
    struct regs back;
    for (int i = 0; i < REGS; i++) {
        const reg swapped = vrev64q_f32(y.reg[REGS - 1 - i]);
        back.reg[i] = vextq_f32(swapped, swapped, 2);
    }
    return vec_whole(back);
}
/* Transposes 4 x 4 blocks: first pairs of rows, then all four. */
INLINE void vec_transpose(const real *x, int64_t ldx, int n, real *y, int64_t ldy)
{
    reg a[TURN], b[TURN];
    for (int c = 0; c < TURN; c += REG) {
        for (int j = 0; j < TURN; j++) a[j] = j < n ? vld1q_f32(x + j * ldx + c) : (reg){0};
        for (int j = 0; j < TURN; j += 2) {
            b[j] = vtrn1q_f32(a[j], a[j + 1]);
            b[j + 1] = vtrn2q_f32(a[j], a[j + 1]);
        }
        for (int j = 0; j < REG; j++)
            for (int half = 0; half < TURN; half += REG) {
                const reg low = b[half + j % 2], high = b[half + j % 2 + 2];
                vst1q_f32(y + (c + j) * ldy + half,
                          j < 2 ? reg_even_pairs(low, high) : reg_odd_pairs(low, high));
            }
    }
}
INLINE real vec_sum(vec x)
{
    const struct regs y = vec_regs(x);
    const reg four = (y.reg[0] + y.reg[2]) + (y.reg[1] + y.reg[3]);
    const reg two = four + reg_odd_pairs(four, four);
    return two[0] + two[1];
}
INLINE real vec_reduce_max(vec x)
{
    const struct regs y = vec_regs(x);
    const reg four = reg_max(reg_max(y.reg[0], y.reg[2]), reg_max(y.reg[1], y.reg[3]));
    const reg two = reg_max(four, reg_odd_pairs(four, four));
    return two[0] > two[1] ? two[0] : two[1];
}
