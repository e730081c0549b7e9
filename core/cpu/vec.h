/* What the ops of one table share: its names, functions on lanes (lanes.h), dropout, scratch.
 * Multiply-adds are explicit, nothing is contracted behind our back. */
#ifndef CORE_CPU_VEC_H
#define CORE_CPU_VEC_H

#include "core/base/elementary.h"
#include "core/cpu/lanes.h"
#include "core/tensor/ops.h"

/* Functions of a table are named by it: gemm_v3, gemm_v4, gemm_f64. */
#define CPU_JOIN2(name, table) name##_##table
#define CPU_JOIN(name, table) CPU_JOIN2(name, table)
#define CPU(name) CPU_JOIN(cpu_##name, CPU_TABLE)
#define OP(name, parameters, arguments) void CPU(name) parameters;
#include "core/tensor/ops.def"
#undef OP

/* The cases of a switch over the rows that a block of registers holds, each number a constant. */
#define ROW_COUNTS(CASE)                                                                           \
    CASE(1)                                                                                        \
    CASE(2)                                                                                        \
    CASE(3)                                                                                        \
    CASE(4)                                                                                        \
    CASE(5)                                                                                        \
    CASE(6)                                                                                        \
    CASE(7)                                                                                        \
    CASE(8)                                                                                        \
    CASE(9)                                                                                        \
    CASE(10)                                                                                       \
    CASE(11)                                                                                       \
    CASE(12)

/* Columns of a panel of a packed operand (gemm_tile.h); 0: nothing is packed (gemm.c). */
#ifdef SANLAB_DOUBLE
enum { GEMM_PANEL = 0 };
#else
enum { GEMM_PANEL = 2 * REG };
#endif

/* e^x for -87 < x < 88 (or NaN): 2^k times a polynomial on |r| <= ln(2)/2 (Cody and Waite's
 * reduction; coefficients of the Taylor series, whose error there is below 1e-8). */
INLINE vec vec_exp_inside(vec x)
{
#ifdef SANLAB_DOUBLE
    for (int i = 0; i < LANES; i++) x[i] = elementary_exp(x[i]);
    return x;
#else
    const vec magic = vec_full(0x1.8p23f);
    vec k = vec_fma(x, vec_full(1.44269504088896341f), magic);
    vec_mask power = ((vec_mask)k - (vec_mask)magic + 127) << 23;
    k -= magic;
    vec r = vec_fma(k, vec_full(-0.693359375f), x);
    r = vec_fma(k, vec_full(2.12194440e-4f), r);
    vec p = vec_full(1.0f / 5040);
    p = vec_fma(p, r, vec_full(1.0f / 720));
    p = vec_fma(p, r, vec_full(1.0f / 120));
    p = vec_fma(p, r, vec_full(1.0f / 24));
    p = vec_fma(p, r, vec_full(1.0f / 6));
    p = vec_fma(p, r, vec_full(0.5f));
    p = vec_fma(p, r, vec_full(1.0f));
    p = vec_fma(p, r, vec_full(1.0f));
    return p * (vec)power;
#endif
}

/* e^x; below -87 it is 0, above 88 it is infinite. */
INLINE vec vec_exp(vec x)
{
#ifdef SANLAB_DOUBLE
    return vec_exp_inside(x);
#else
    const vec_mask above = vec_above(x, vec_full(-87.0f)), below = vec_above(vec_full(88.0f), x);
    const vec clamped = vec_pick(above, vec_pick(below, x, vec_full(88.0f)), vec_full(-87.0f));
    vec y = vec_exp_inside(clamped);
    y = vec_pick(above, y, vec_full(0));
    y = vec_pick(below, y, vec_full(INFINITY));
    return vec_pick(above | below, y, x); /* a NaN is neither */
#endif
}

/* Never below e^-80, so that neither it nor a product with it is a denormal number. */
INLINE vec vec_sigmoid(vec x)
{
    x = vec_pick(x < -80, vec_full(-80), vec_pick(x > 80, vec_full(80), x));
    return 1 / (1 + vec_exp_inside(-x));
}

/* 1 - 2 / (e^2x + 1), to some 1e-7. */
INLINE vec vec_tanh(vec x)
{
    return 1 - 2 / (vec_exp(2 * x) + 1);
}

/* from, from + 1, ... */
INLINE vec vec_count(int from)
{
    vec x;
    for (int i = 0; i < LANES; i++) x[i] = (real)i;
    return x + (real)from;
}

/* Dropout in groups of 128 values, whose blocks are computed once; each eighth of a group is a
 * vector of factors, 0 or 65536 / (65536 - threshold). dropout_row does any stretch of values. */
struct dropout_group {
    vec_u32 word[4];
};

INLINE struct dropout_group dropout_blocks(struct random_key key, uint64_t group, uint32_t step,
                                           uint32_t branch)
{
    const uint64_t first = group * 16;
    vec_u32 c0, c1, c2, c3;
    for (int i = 0; i < LANES; i++) {
        c0[i] = (uint32_t)first + (uint32_t)i; /* 16 divides first: no carry */
        c1[i] = (uint32_t)(first >> 32);
        c2[i] = step;
        c3[i] = branch;
    }
    uint32_t k0 = key.seed, k1 = key.stream;
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        vec_u64 p0 = __builtin_convertvector(c0, vec_u64) * RANDOM_MULTIPLY_0;
        vec_u64 p1 = __builtin_convertvector(c2, vec_u64) * RANDOM_MULTIPLY_1;
        c0 = __builtin_convertvector(p1 >> 32, vec_u32) ^ c1 ^ k0;
        c2 = __builtin_convertvector(p0 >> 32, vec_u32) ^ c3 ^ k1;
        c1 = __builtin_convertvector(p1, vec_u32);
        c3 = __builtin_convertvector(p0, vec_u32);
        k0 += RANDOM_WEYL_0;
        k1 += RANDOM_WEYL_1;
    }
    return (struct dropout_group){{c0, c1, c2, c3}};
}

INLINE vec dropout_factor(const struct dropout_group *group, int eighth, uint32_t threshold)
{
    vec_u32 bits = (group->word[eighth / 2] >> (16 * (eighth % 2))) & 0xffffu;
    vec_mask kept = __builtin_convertvector((vec_u32)(bits >= threshold), vec_mask);
#ifdef SANLAB_DOUBLE
    kept = -(kept & 1); /* 32-bit ones become 64-bit ones */
#endif
    real scale = (real)65536 / (real)(65536 - threshold);
    return vec_pick(kept, vec_full(scale), vec_full(0));
}

/* Factors [count] of values of [T, D] from the at-th on, any of them; rows are counted over the
 * whole optimizer step. */
void CPU(dropout_row)(const struct step *step, struct dropout dropout, int D, int64_t at,
                      int64_t count, real *factor);

/* Scratch of the calling thread, at least `count` reals; grows, never shrinks. */
real *CPU(scratch)(int slot, int64_t count);

INLINE const real *in(const struct act *x)
{
    return (const real *)(const void *)x;
}
INLINE real *out(struct act *x)
{
    return (real *)(void *)x;
}

#endif
