/* Defines vec, sixteen lanes of `real`, and operations with different code for each instruction
 * set: loads, stores, multiply-add, comparison, reduction. For other operations (+ - * / on vec, &
 * | ~ on vec_mask), C's operators are used, which the compiler splits into AVX2 halves or NEON
 * quarters. The compiler would split the operations of this file into sixteen scalar ones. The
 * order of operations is the same for all instruction sets. So all builds compute the same
 * function, and AVX2, AVX-512 and NEON (lanes_neon.h) give the same bits.
 *
 * vec_load(p, n) and vec_store(p, n, x) receive the number n >= 0 of elements from p to the end of
 * a row. If n is below 16, lanes from n on are loaded as zero and are not stored. */
#pragma once

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif
#include <math.h>
#include <string.h>

#include "core/tensor/ops.h"

enum {
    LANES = 16,
    TURN = 8 /* rows and columns of a block of vec_transpose */
};
typedef real vec __attribute__((vector_size(LANES * sizeof(real))));
#ifdef SANLAB_DOUBLE
typedef int64_t lane;
#else
typedef int32_t lane;
#endif
typedef lane vec_mask __attribute__((vector_size(LANES * sizeof(real))));
typedef int32_t vec_i32 __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef uint32_t vec_u32 __attribute__((vector_size(LANES * sizeof(uint32_t))));

#define INLINE static inline __attribute__((always_inline))

INLINE vec vec_splat(real x)
{
    return x - (vec){0};
}

/* One register, as 32-bit words or as half as many 64-bit words. With AVX2, a vec_u32 needs two
 * registers, and the compiler would keep it in memory in a loop. */
#if defined __AVX512F__
enum { WORDS = 16 };
#elif defined __x86_64__
enum { WORDS = 8 };
#else
enum { WORDS = 4 };
#endif
typedef uint32_t words __attribute__((vector_size(WORDS * sizeof(uint32_t))));
typedef uint64_t words_long __attribute__((vector_size(WORDS * sizeof(uint32_t))));

#ifdef __x86_64__

/* Returns the 64-bit products of b and the lower word of each element of a. */
INLINE words_long words_product(words_long a, uint32_t b)
{
#ifdef __AVX512F__
    return (words_long)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi32((int)b));
#else
    return (words_long)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi32((int)b));
#endif
}

/* Multiplies each word of a by b. Returns the upper words of the products, and writes the lower
 * words to *low. */
INLINE words words_multiply(words a, uint32_t b, words *low)
{
    const uint64_t lower = UINT32_MAX;
    const words_long even = words_product((words_long)a, b);
    const words_long odd = words_product((words_long)a >> 32, b);
    *low = (words)((even & lower) | odd << 32);
    return (words)(even >> 32 | (odd & ~lower));
}

#else

INLINE words words_multiply(words a, uint32_t b, words *low)
{
    const uint32x4_t x = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(a), vdup_n_u32(b)));
    const uint32x4_t y = vreinterpretq_u32_u64(vmull_high_u32(a, vdupq_n_u32(b)));
    *low = vuzp1q_u32(x, y);
    return vuzp2q_u32(x, y);
}

#endif

/* Returns a in the lanes where the mask is set, else b. */
INLINE vec vec_select(vec_mask mask, vec a, vec b)
{
    return (vec)(((vec_mask)a & mask) | ((vec_mask)b & ~mask));
}

/* Operations:
 *   vec_transpose(x, ldx, n, y, ldy) writes the transpose of a TURN x TURN block of x to y. Rows
 *       of x from n on count as zeros. It writes the rows of y in order and in whole registers.
 *       So rows of y may overlap: each row overwrites the excess of the row before it.
 *   vec_first(n) has lanes 0..n-1 set.
 *   reg is the widest register. It is for operations whose result does not depend on the number
 *       of lanes, such as products. reg_load and reg_store are like vec_load and vec_store. If a
 *       vec has several registers, n may be as low as REG - LANES.
 *   reg_fma and reg_each are a * b + c. reg_fma has one a for all lanes, reg_each one a per lane.
 *   vec_gather is p[at], lane by lane; `at` has whole numbers. AVX2 uses sixteen loads, which are
 *       faster than its gathers.
 *   vec_max is a where a > b, else b. So it is b if a or b is NaN.
 *   vec_sum and vec_reduce_max use one fixed tree: they combine the two halves repeatedly.
 *   vec_prefix_sum: lane i is the sum of lanes 0 to i, by another fixed tree. Within groups of
 *       four lanes, it adds the lane at distance 1, then at distance 2. Then it adds the sum of
 *       the preceding four lanes, then of the preceding eight.
 *   vec_reverse reverses the order of lanes. vec_swap swaps lanes 0 and 1, 2 and 3, .. */
#ifdef SANLAB_DOUBLE

INLINE vec vec_load(const real *p, int64_t n)
{
    vec x = {0};
    for (int i = 0; i < LANES && i < n; i++) x[i] = p[i];
    return x;
}
INLINE void vec_store(real *p, int64_t n, vec x)
{
    for (int i = 0; i < LANES && i < n; i++) p[i] = x[i];
}
INLINE vec vec_gather(const real *p, vec at)
{
    for (int i = 0; i < LANES; i++) at[i] = p[(int)at[i]];
    return at;
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    for (int i = 0; i < LANES; i++) c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
}
INLINE vec_mask vec_greater(vec a, vec b)
{
    return a > b;
}
INLINE vec vec_max(vec a, vec b)
{
    return vec_select(a > b, a, b);
}
INLINE vec_mask vec_first(int64_t n)
{
    vec_mask at;
    for (int i = 0; i < LANES; i++) at[i] = i < n ? -1 : 0;
    return at;
}
enum { REG = LANES };
typedef vec reg;
INLINE reg reg_load(const real *p, int64_t n)
{
    return vec_load(p, n);
}
INLINE void reg_store(real *p, int64_t n, reg x)
{
    vec_store(p, n, x);
}
INLINE reg reg_fma(real a, reg b, reg c)
{
    return vec_fma(vec_splat(a), b, c);
}
INLINE reg reg_each(reg a, reg b, reg c)
{
    return vec_fma(a, b, c);
}
INLINE void vec_transpose(const real *x, int64_t ldx, int n, real *y, int64_t ldy)
{
    for (int c = 0; c < TURN; c++)
        for (int j = 0; j < TURN; j++) y[c * ldy + j] = j < n ? x[j * ldx + c] : 0;
}
INLINE real vec_sum(vec x)
{
    for (int width = LANES / 2; width; width /= 2)
        for (int i = 0; i < width; i++) x[i] += x[i + width];
    return x[0];
}
INLINE real vec_reduce_max(vec x)
{
    for (int width = LANES / 2; width; width /= 2)
        for (int i = 0; i < width; i++) x[i] = x[i] > x[i + width] ? x[i] : x[i + width];
    return x[0];
}
INLINE vec vec_prefix_sum(vec x)
{
    for (int i = LANES - 1; i >= 0; i--) x[i] += i % 4 > 0 ? x[i - 1] : 0;
    for (int i = LANES - 1; i >= 0; i--) x[i] += i % 4 > 1 ? x[i - 2] : 0;
    for (int i = 0; i < LANES; i++) x[i] += i & 4 ? x[i / 4 * 4 - 1] : 0;
    for (int i = 0; i < LANES; i++) x[i] += i & 8 ? x[7] : 0;
    return x;
}
INLINE vec vec_reverse(vec x)
{
    vec y;
    for (int i = 0; i < LANES; i++) y[i] = x[LANES - 1 - i];
    return y;
}
INLINE vec vec_swap(vec x)
{
    vec y;
    for (int i = 0; i < LANES; i++) y[i] = x[i ^ 1];
    return y;
}

#else

/* A load of 16 lanes from lane_first + 16 - n is the mask of the first n lanes. */
static const lane lane_first[2 * LANES]
    __attribute__((aligned(64))) = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

INLINE vec_mask vec_first(int64_t n)
{
    vec_mask first;
    memcpy(&first, lane_first + LANES - (n > LANES ? LANES : n < 0 ? 0 : n), sizeof first);
    return first;
}
INLINE vec vec_swap(vec x)
{
    typedef uint64_t pairs __attribute__((vector_size(sizeof x)));
    return (vec)((pairs)x >> 32 | (pairs)x << 32);
}

#if defined __aarch64__

enum { REG = LANES / 4 };
typedef float32x4_t reg; /* lanes_neon.h defines the operations */

#elif defined __AVX512F__

INLINE vec vec_load(const real *p, int64_t n)
{
    if (n < LANES) return (vec)_mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
    return (vec)_mm512_loadu_ps(p);
}
INLINE void vec_store(real *p, int64_t n, vec x)
{
    if (n < LANES)
        _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), (__m512)x);
    else
        _mm512_storeu_ps(p, (__m512)x);
}
INLINE vec vec_gather(const real *p, vec at)
{
    return (vec)_mm512_i32gather_ps(_mm512_cvttps_epi32((__m512)at), p, sizeof *p);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return (vec)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
INLINE vec_mask vec_greater(vec a, vec b)
{
    return a > b;
}
INLINE vec vec_max(vec a, vec b)
{
    return (vec)_mm512_max_ps((__m512)a, (__m512)b);
}
enum { REG = LANES };
typedef __m512 reg;
INLINE reg reg_load(const real *p, int64_t n)
{
    return (reg)vec_load(p, n);
}
INLINE void reg_store(real *p, int64_t n, reg x)
{
    vec_store(p, n, (vec)x);
}
INLINE reg reg_fma(real a, reg b, reg c)
{
    return _mm512_fmadd_ps(_mm512_set1_ps(a), b, c);
}
INLINE reg reg_each(reg a, reg b, reg c)
{
    return _mm512_fmadd_ps(a, b, c);
}
INLINE __m256 vec_half(vec x, int which)
{
    return which ? _mm512_extractf32x8_ps((__m512)x, 1) : _mm512_castps512_ps256((__m512)x);
}
INLINE vec vec_prefix_sum(vec x)
{
    x += (vec)_mm512_bslli_epi128((__m512i)x, 4);
    x += (vec)_mm512_bslli_epi128((__m512i)x, 8);
    const __m512 fours = _mm512_shuffle_ps((__m512)x, (__m512)x, 0xff);
    x += (vec)_mm512_maskz_shuffle_f32x4(0xf0f0, fours, fours, 0xa0);
    x += (vec)_mm512_maskz_permutexvar_ps(0xff00, _mm512_set1_epi32(7), (__m512)x);
    return x;
}
INLINE vec vec_reverse(vec x)
{
    const __m512i back = _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (vec)_mm512_permutexvar_ps(back, (__m512)x);
}

#else

struct halves {
    __m256 half[2];
};
INLINE struct halves vec_split(vec x)
{
    struct halves halves;
    memcpy(&halves, &x, sizeof x);
    return halves;
}
INLINE vec vec_join(__m256 low, __m256 high)
{
    const struct halves halves = {{low, high}};
    vec x;
    memcpy(&x, &halves, sizeof x);
    return x;
}
INLINE __m256 vec_half(vec x, int which)
{
    return vec_split(x).half[which];
}
INLINE __m256i lane_half(int64_t n, int which)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)(lane_first + LANES - n + 8 * which));
}
INLINE vec vec_load(const real *p, int64_t n)
{
    if (n < LANES)
        return vec_join(_mm256_maskload_ps(p, lane_half(n, 0)),
                        _mm256_maskload_ps(p + 8, lane_half(n, 1)));
    return vec_join(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8));
}
INLINE void vec_store(real *p, int64_t n, vec x)
{
    const struct halves y = vec_split(x);
    if (n < LANES) {
        _mm256_maskstore_ps(p, lane_half(n, 0), y.half[0]);
        _mm256_maskstore_ps(p + 8, lane_half(n, 1), y.half[1]);
    } else {
        _mm256_storeu_ps(p, y.half[0]);
        _mm256_storeu_ps(p + 8, y.half[1]);
    }
}
INLINE vec vec_gather(const real *p, vec at)
{
    vec x;
    for (int i = 0; i < LANES; i++) x[i] = p[(int)at[i]];
    return x;
}
enum { REG = LANES / 2 };
typedef __m256 reg;
INLINE reg reg_load(const real *p, int64_t n)
{
    return n < REG ? _mm256_maskload_ps(p, lane_half(n + REG, 1)) : _mm256_loadu_ps(p);
}
INLINE void reg_store(real *p, int64_t n, reg x)
{
    if (n < REG)
        _mm256_maskstore_ps(p, lane_half(n + REG, 1), x);
    else
        _mm256_storeu_ps(p, x);
}
INLINE reg reg_fma(real a, reg b, reg c)
{
    return _mm256_fmadd_ps(_mm256_set1_ps(a), b, c);
}
INLINE reg reg_each(reg a, reg b, reg c)
{
    return _mm256_fmadd_ps(a, b, c);
}
INLINE vec vec_fma(vec a, vec b, vec c)
{
    return vec_join(_mm256_fmadd_ps(vec_half(a, 0), vec_half(b, 0), vec_half(c, 0)),
                    _mm256_fmadd_ps(vec_half(a, 1), vec_half(b, 1), vec_half(c, 1)));
}
INLINE vec_mask vec_greater(vec a, vec b)
{
    return (vec_mask)vec_join(_mm256_cmp_ps(vec_half(a, 0), vec_half(b, 0), _CMP_GT_OQ),
                              _mm256_cmp_ps(vec_half(a, 1), vec_half(b, 1), _CMP_GT_OQ));
}
INLINE vec vec_max(vec a, vec b)
{
    return vec_join(_mm256_max_ps(vec_half(a, 0), vec_half(b, 0)),
                    _mm256_max_ps(vec_half(a, 1), vec_half(b, 1)));
}
INLINE __m256 half_prefix_sum(__m256 x)
{
    x = _mm256_add_ps(x, _mm256_castsi256_ps(_mm256_bslli_epi128(_mm256_castps_si256(x), 4)));
    x = _mm256_add_ps(x, _mm256_castsi256_ps(_mm256_bslli_epi128(_mm256_castps_si256(x), 8)));
    const __m256 fours = _mm256_shuffle_ps(x, x, 0xff);
    return _mm256_add_ps(x, _mm256_permute2f128_ps(fours, fours, 0x08));
}
INLINE vec vec_prefix_sum(vec x)
{
    const __m256 low = half_prefix_sum(vec_half(x, 0)), high = half_prefix_sum(vec_half(x, 1));
    const __m256 eight = _mm256_permutevar8x32_ps(low, _mm256_set1_epi32(7));
    return vec_join(low, _mm256_add_ps(high, eight));
}
INLINE vec vec_reverse(vec x)
{
    const __m256i back = _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return vec_join(_mm256_permutevar8x32_ps(vec_half(x, 1), back),
                    _mm256_permutevar8x32_ps(vec_half(x, 0), back));
}

#endif

#ifdef __x86_64__
INLINE void vec_transpose(const real *x, int64_t ldx, int n, real *y, int64_t ldy)
{
    __m256 a[TURN], b[TURN];
    for (int j = 0; j < TURN; j++)
        a[j] = j < n ? _mm256_loadu_ps(x + j * ldx) : _mm256_setzero_ps();
    for (int j = 0; j < TURN; j += 2) { /* combines two rows, then four, then eight */
        b[j] = _mm256_unpacklo_ps(a[j], a[j + 1]);
        b[j + 1] = _mm256_unpackhi_ps(a[j], a[j + 1]);
    }
    for (int j = 0; j < TURN; j += 4)
        for (int k = 0; k < 2; k++) {
            a[j + 2 * k] = _mm256_shuffle_ps(b[j + k], b[j + k + 2], 0x44);
            a[j + 2 * k + 1] = _mm256_shuffle_ps(b[j + k], b[j + k + 2], 0xee);
        }
    for (int j = 0; j < TURN / 2; j++)
        _mm256_storeu_ps(y + j * ldy, _mm256_permute2f128_ps(a[j], a[j + 4], 0x20));
    for (int j = 0; j < TURN / 2; j++)
        _mm256_storeu_ps(y + (j + 4) * ldy, _mm256_permute2f128_ps(a[j], a[j + 4], 0x31));
}
INLINE real vec_sum(vec x)
{
    const __m256 a = _mm256_add_ps(vec_half(x, 0), vec_half(x, 1));
    const __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_add_ss(c, _mm_movehdup_ps(c)));
}
INLINE real vec_reduce_max(vec x)
{
    const __m256 a = _mm256_max_ps(vec_half(x, 0), vec_half(x, 1));
    const __m128 b = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 c = _mm_max_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_max_ss(c, _mm_movehdup_ps(c)));
}
#endif

#endif

typedef lane reg_mask __attribute__((vector_size(REG * sizeof(real))));
INLINE reg reg_splat(real x)
{
    return x - (reg){0};
}
INLINE reg reg_select(reg_mask mask, reg a, reg b)
{
    return (reg)(((reg_mask)a & mask) | ((reg_mask)b & ~mask));
}

/* A vec as an array of registers, for variables that a loop updates, and for long expressions. If a
 * vec needs two registers, gcc would keep it in memory. */
enum { REGS = LANES / REG };
struct regs {
    reg reg[REGS];
};
INLINE struct regs vec_regs(vec x)
{
    struct regs regs;
    memcpy(&regs, &x, sizeof x);
    return regs;
}
INLINE vec vec_whole(struct regs regs)
{
    vec x;
    memcpy(&x, &regs, sizeof x);
    return x;
}
INLINE void regs_add(struct regs *sum, vec x)
{
    const struct regs y = vec_regs(x);
    for (int p = 0; p < REGS; p++) sum->reg[p] += y.reg[p];
}
/* *top = vec_max(x, *top) */
INLINE void regs_max(struct regs *top, vec x)
{
    const struct regs y = vec_regs(x);
    for (int p = 0; p < REGS; p++)
        top->reg[p] = reg_select(y.reg[p] > top->reg[p], y.reg[p], top->reg[p]);
}

#if defined __aarch64__ && !defined SANLAB_DOUBLE
#include "core/cpu/lanes_neon.h"
#endif
