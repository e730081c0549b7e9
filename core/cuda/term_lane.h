/* Defines the operations of attention/lane.h on a device. Half a warp processes a row. A vector has
 * 16 elements, one for each thread of this half. The two halves of a warp may take different
 * branches, so a barrier waits for one half only. */
#pragma once

#include "core/cuda/kernel.h"

#define TERM_FN DEVICE_FN
#define TERM_TABLE DEVICE_CONSTANT struct term_tile
#define KEYS(j, t) for (int j = (t)->lo; j < (t)->hi; j += LANES)
#define EACH(c, n) for (int c = team_lane(); c < (n); c += LANES)

enum { LANES = 16 };
typedef real vec;
typedef unsigned vec_mask; /* all bits set, or none */

/* A team is half a warp. Return the index of this lane in its team, and the index of the team in
 * its block. */
DEVICE_FN int team_lane(void)
{
    return (int)(threadIdx.x % LANES);
}
DEVICE_FN int team_of(void)
{
    return (int)(threadIdx.x / LANES);
}
DEVICE_FN unsigned team_mask(void)
{
    return 0xffffu << (threadIdx.x & 16);
}

/* Barrier: makes writes to shared memory visible to the other lanes of the team. */
#define team_sync() __syncwarp(team_mask())

TERM_FN vec vec_load(const real *p, int64_t n)
{
    return team_lane() < n ? p[team_lane()] : 0;
}
TERM_FN void vec_store(real *p, int64_t n, vec x)
{
    if (team_lane() < n) p[team_lane()] = x;
}
TERM_FN vec vec_splat(real x)
{
    return x;
}
TERM_FN vec vec_iota(int from)
{
    return (real)(from + team_lane());
}
TERM_FN vec vec_gather(const real *p, vec at)
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
TERM_FN vec_mask vec_greater(vec a, vec b)
{
    return a > b ? ~0u : 0;
}
TERM_FN vec vec_select(vec_mask mask, vec a, vec b)
{
    return mask ? a : b;
}
TERM_FN vec vec_exp(vec x)
{
    return expf(x);
}
TERM_FN real vec_sum(vec x)
{
    for (int away = LANES / 2; away; away /= 2) x += __shfl_xor_sync(team_mask(), x, away);
    return x;
}
TERM_FN real vec_reduce_max(vec x)
{
    for (int away = LANES / 2; away; away /= 2)
        x = vec_max(x, __shfl_xor_sync(team_mask(), x, away));
    return x;
}
TERM_FN real row_sum(real s, const real *x, int lo, int hi)
{
    vec sum = 0;
    for (int j = lo + team_lane(); j < hi; j += LANES) sum += x[j];
    return s + vec_sum(sum);
}
TERM_FN void row_put(real *p, real x)
{
    if (team_lane() == 0) *p = x;
}
