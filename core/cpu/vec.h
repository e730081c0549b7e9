/* Declares the ops of one table, and defines functions that they use: elementary functions on lanes
 * (lanes.h), dropout, scratch memory. Multiply-adds are explicit, such as vec_fma: the compiler
 * does not combine a product and a sum. */
#pragma once

#include "core/base/elementary.h"
#include "core/cpu/cpu.h"
#include "core/cpu/lanes.h"
#include "core/tensor/ops.h"

/* Functions are named after their table: cpu_gemm_v3, cpu_gemm_v4, cpu_gemm_f64. */
#define CPU_JOIN2(name, table) name##_##table
#define CPU_JOIN(name, table) CPU_JOIN2(name, table)
#define CPU(name) CPU_JOIN(cpu_##name, CPU_TABLE)
#define OP(name, parameters, arguments) void CPU(name) parameters;
#include "core/tensor/ops.def"
#undef OP

/* True if a loop is long enough for several threads (cpu_sharing). `numbers` is the count of
 * numbers that the loop reads. A number that needs a random number, an exponential or a root counts
 * COSTLY times. */
enum { COSTLY = 4 };
INLINE bool worth_sharing(int64_t numbers)
{
    return numbers >= cpu_sharing;
}

/* Cases of a switch over the number of rows of a block, so that this number is a constant in each
 * case. */
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

/* Returns e^x = 2^k e^r for -87 < x < 88 or NaN. Cody and Waite's reduction gives k and r = x - k
 * ln(2), |r| <= ln(2)/2. e^r is a Taylor polynomial with an error below 1e-8 in this range. */
INLINE reg reg_exp_inside(reg x)
{
#ifdef SANLAB_DOUBLE
    for (int i = 0; i < REG; i++) x[i] = elementary_exp(x[i]);
    return x;
#else
    const reg magic = reg_splat(0x1.8p23f);
    reg k = reg_each(x, reg_splat(1.44269504088896341f), magic);
    reg_mask power = ((reg_mask)k - (reg_mask)magic + 127) << 23;
    k -= magic;
    reg r = reg_each(k, reg_splat(-0.693359375f), x);
    r = reg_each(k, reg_splat(2.12194440e-4f), r);
    reg p = reg_splat(1.0f / 5040);
    p = reg_each(p, r, reg_splat(1.0f / 720));
    p = reg_each(p, r, reg_splat(1.0f / 120));
    p = reg_each(p, r, reg_splat(1.0f / 24));
    p = reg_each(p, r, reg_splat(1.0f / 6));
    p = reg_each(p, r, reg_splat(0.5f));
    p = reg_each(p, r, reg_splat(1.0f));
    p = reg_each(p, r, reg_splat(1.0f));
    return p * (reg)power;
#endif
}

/* Returns e^x. In float, it is 0 below -87 and infinite above 88. */
INLINE reg reg_exp(reg x)
{
#ifdef SANLAB_DOUBLE
    return reg_exp_inside(x);
#else
    const reg_mask above = x > -87.0f, below = x < 88.0f;
    const reg clamped =
        reg_select(above, reg_select(below, x, reg_splat(88.0f)), reg_splat(-87.0f));
    reg y = reg_exp_inside(clamped);
    y = reg_select(above, y, reg_splat(0));
    y = reg_select(below, y, reg_splat(INFINITY));
    return reg_select(above | below, y, x); /* both are false if x is NaN */
#endif
}

/* Returns the sigmoid of x, at least e^-80. So the result is not denormal, nor is its product with
 * a number above 1e-3. */
INLINE reg reg_sigmoid(reg x)
{
    x = reg_select(x < -80, reg_splat(-80), reg_select(x > 80, reg_splat(80), x));
    return 1 / (1 + reg_exp_inside(-x));
}

/* Returns tanh(x) = 1 - 2 / (e^2x + 1), with an error of about 1e-7. */
INLINE reg reg_tanh(reg x)
{
    return 1 - 2 / (reg_exp(2 * x) + 1);
}

/* Defines vec_exp, vec_sigmoid and vec_tanh, the same functions for sixteen lanes. */
#define VEC_EACH(name)                                                                             \
    INLINE vec vec_##name(vec x)                                                                   \
    {                                                                                              \
        struct regs y = vec_regs(x);                                                               \
        for (int p = 0; p < REGS; p++) y.reg[p] = reg_##name(y.reg[p]);                            \
        return vec_whole(y);                                                                       \
    }
VEC_EACH(exp)
VEC_EACH(sigmoid)
VEC_EACH(tanh)

/* Returns from, from + 1, .. */
INLINE vec vec_iota(int from)
{
    vec x;
    for (int i = 0; i < LANES; i++) x[i] = (real)i;
    return x + (real)from;
}

/* Random bits for a group of 128 values, 16 bits for each value. dropout_blocks computes them.
 * dropout_factor returns the factors of an eighth of the group as a vec; a factor is 0 or 65536 /
 * (65536 - threshold). dropout_row writes the factors of any range of values. */
struct dropout_group {
    vec_u32 word[4];
};

INLINE struct dropout_group dropout_blocks(struct random_key key, uint64_t group, uint32_t step,
                                           uint32_t branch)
{
    const uint64_t first = group * 16;
    struct dropout_group blocks;
    for (int from = 0; from < LANES; from += WORDS) {
        words c0, c1 = {0}, c2 = {0}, c3 = {0};
        for (int i = 0; i < WORDS; i++) c0[i] = (uint32_t)first + (uint32_t)(from + i);
        c1 += (uint32_t)(first >> 32); /* adding i has no carry, because 16 divides first */
        c2 += step;
        c3 += branch;
        uint32_t k0 = key.seed, k1 = key.stream;
        for (int round = 0; round < RANDOM_ROUNDS; round++) {
            words low0, low1;
            const words high0 = words_multiply(c0, RANDOM_MULTIPLY_0, &low0);
            const words high1 = words_multiply(c2, RANDOM_MULTIPLY_1, &low1);
            c0 = high1 ^ c1 ^ k0;
            c2 = high0 ^ c3 ^ k1;
            c1 = low1;
            c3 = low0;
            k0 += RANDOM_WEYL_0;
            k1 += RANDOM_WEYL_1;
        }
        const words c[] = {c0, c1, c2, c3};
        for (int w = 0; w < 4; w++) memcpy((uint32_t *)&blocks.word[w] + from, &c[w], sizeof c[w]);
    }
    return blocks;
}

INLINE vec dropout_factor(const struct dropout_group *group, int eighth, struct dropout dropout)
{
    const vec_u32 bits = (group->word[eighth / 2] >> (16 * (eighth % 2))) & 0xffffu;
    const vec_i32 dropped =
        (vec_i32)(bits - dropout.threshold) >> 31; /* all ones where bits < threshold */
    return vec_select(__builtin_convertvector(dropped, vec_mask), (vec){0},
                      vec_splat(dropout_raise(dropout)));
}

/* Writes the dropout factors of `count` values of an array [T, D], from value `at` on. For random
 * numbers, rows are counted from the first row of the optimizer step. */
void CPU(dropout_row)(const struct step *step, struct dropout dropout, int D, int64_t at,
                      int64_t count, real *factor);

/* Returns scratch memory of the calling thread, at least `count` reals. The memory of a slot never
 * shrinks. */
real *CPU(scratch)(int slot, int64_t count);

INLINE const real *in(const struct act *x)
{
    return (const real *)(const void *)x;
}
INLINE real *out(struct act *x)
{
    return (real *)(void *)x;
}
