/* Sums the lanes of several dot products at the same time. Each result has the same bits as vec_sum
 * (lanes.h), because the lanes are summed by the same tree. From the second level of the tree on,
 * several rows share a register. */
#pragma once

#include "core/cpu/lanes.h"

enum { DOTS = 8 };

/* dots_fold is the first level: it adds the two halves of the lanes of one row. With NEON, it is
 * the first two levels. dots_sum writes the sums of DOTS folded rows. In the double build, dots_sum
 * does both. */
#ifdef SANLAB_DOUBLE

typedef vec folded;

INLINE folded dots_fold(const reg part[REGS])
{
    return part[0];
}
INLINE void dots_sum(const folded x[DOTS], real *sum)
{
    for (int i = 0; i < DOTS; i++) sum[i] = vec_sum(x[i]);
}

#elif defined __aarch64__

typedef reg folded;

INLINE folded dots_fold(const reg part[REGS])
{
    return (part[0] + part[2]) + (part[1] + part[3]);
}
INLINE void dots_sum(const folded x[DOTS], real *sum)
{
#pragma GCC unroll 2
    for (int i = 0; i < DOTS; i += 4) { /* adjacent lanes, then adjacent rows */
        const reg low = reg_even_pairs(x[i], x[i + 1]) + reg_odd_pairs(x[i], x[i + 1]);
        const reg high = reg_even_pairs(x[i + 2], x[i + 3]) + reg_odd_pairs(x[i + 2], x[i + 3]);
        reg_store(sum + i, REG, vpaddq_f32(low, high));
    }
}

#else

typedef __m256 folded;

INLINE folded dots_fold(const reg part[REGS])
{
#ifdef __AVX512F__
    return _mm256_add_ps(vec_half((vec)part[0], 0), vec_half((vec)part[0], 1));
#else
    return _mm256_add_ps(part[0], part[1]);
#endif
}
INLINE void dots_sum(const folded x[DOTS], real *sum)
{
    __m256 four[DOTS / 2], two[DOTS / 4];
    /* First, rows i and i + 4 share a register, then four rows, then all eight. */
#pragma GCC unroll 4
    for (int i = 0; i < DOTS / 2; i++)
        four[i] = _mm256_add_ps(_mm256_permute2f128_ps(x[i], x[i + 4], 0x20),
                                _mm256_permute2f128_ps(x[i], x[i + 4], 0x31));
#pragma GCC unroll 2
    for (int i = 0; i < DOTS / 4; i++)
        two[i] = _mm256_add_ps(_mm256_shuffle_ps(four[2 * i], four[2 * i + 1], 0x44),
                               _mm256_shuffle_ps(four[2 * i], four[2 * i + 1], 0xee));
    _mm256_storeu_ps(sum, _mm256_add_ps(_mm256_shuffle_ps(two[0], two[1], 0x88),
                                        _mm256_shuffle_ps(two[0], two[1], 0xdd)));
}

#endif
