/* The words of attention/lane.h in the smallest way that compiles for a device: half a warp has a
 * row, each of its threads one key of a vector. Nothing runs it: it is there so that nvcc looks at
 * the terms (tests/cli/device_terms.sh), and knows no kernel, no memory and no speed. */
#ifndef TESTS_CUDA_LANE_H
#define TESTS_CUDA_LANE_H

#include "core/tensor/ops.h"

#define TERM_FN static __device__ __forceinline__
#define TERM_TABLE static __device__ const struct term_tile
#define KEYS(j, t) for (int j = (t)->lo; j < (t)->hi; j += LANES)
#define EACH(c, n) for (int c = lane(); c < (n); c += LANES)

enum {
    LANES = 16
};
typedef real vec;
typedef unsigned vec_mask; /* all bits or none */

TERM_FN int lane(void)
{
    return (int)(threadIdx.x % LANES);
}

TERM_FN vec vec_load(const real *p, int64_t n)
{
    return lane() < n ? p[lane()] : 0;
}
TERM_FN void vec_store(real *p, int64_t n, vec x)
{
    if (lane() < n) p[lane()] = x;
}
TERM_FN vec vec_full(real x)
{
    return x;
}
TERM_FN vec vec_count(int from)
{
    return (real)(from + lane());
}
TERM_FN vec vec_take(const real *p, vec at)
{
    return p[(int)at];
}
TERM_FN vec vec_fma(vec a, vec b, vec c)
{
    return fmaf(a, b, c);
}
TERM_FN vec vec_max(vec a, vec b)
{
    return a > b ? a : b;
}
TERM_FN vec_mask vec_above(vec a, vec b)
{
    return a > b ? ~0u : 0;
}
TERM_FN vec vec_pick(vec_mask mask, vec a, vec b)
{
    return mask ? a : b;
}
TERM_FN vec vec_exp(vec x)
{
    return expf(x);
}

/* The rows of a warp's halves may part, so only the half is waited for. */
TERM_FN real vec_sum(vec x)
{
    const unsigned half = 0xffffu << (threadIdx.x & 16);
    for (int away = LANES / 2; away; away /= 2) x += __shfl_xor_sync(half, x, away);
    return x;
}
TERM_FN real row_sum(real s, const real *x, int lo, int hi)
{
    vec sum = 0;
    for (int j = lo + lane(); j < hi; j += LANES) sum += x[j];
    return s + vec_sum(sum);
}
TERM_FN void row_put(real *p, real x)
{
    if (lane() == 0) *p = x;
}

#endif
