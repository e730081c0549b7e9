/* Adds partial sums. A kernel that sums many rows stores one partial sum for each chunk of rows.
 * The kernel of this file then adds the partial sums in order. */
#pragma once

#include "core/cuda/kernel.h"

/* out[i] (+)= part[0][i] + part[1][i] + .. for i below `count`. Parts begin `ld` floats apart. The
 * sums of columns i >= first are written to other[i - first] instead. */
struct chunk_sum {
    const float *part; /* [chunks, ld] */
    int chunks;
    int64_t ld, count, first;
    bool add, add_other;
    real *out, *other;
};

enum { CHUNK_THREADS = 256, CHUNK_WARPS = CHUNK_THREADS / WARP };

/* A block computes 32 columns. Each warp sums its share of the chunks, then the first warp adds the
 * sums of the warps. */
KERNEL(chunk_sum_kernel, CHUNK_THREADS, struct chunk_sum, c)
{
    SHARED(float, share);
    const int64_t column = (int64_t)blockIdx.x * WARP + lane_of();
    const int warp = warp_of();
    const int each = (c->chunks + CHUNK_WARPS - 1) / CHUNK_WARPS;
    const int last = (warp + 1) * each < c->chunks ? (warp + 1) * each : c->chunks;
    const int end = column < c->count ? last : 0;
    float sum = 0;
    AHEAD for (int i = warp * each; i < end; i++) sum += c->part[i * c->ld + column];
    share[warp * WARP + lane_of()] = sum;
    __syncthreads();
    if (warp || column >= c->count) return;
    for (int w = 1; w < CHUNK_WARPS; w++) sum += share[w * WARP + lane_of()];
    const bool other = column >= c->first;
    real *to = other ? c->other + (column - c->first) : c->out + column;
    *to = (other ? c->add_other : c->add) ? *to + sum : sum;
}

static inline void chunk_launch(const struct chunk_sum *c)
{
    LAUNCH(chunk_sum_kernel, parts(c->count, WARP), CHUNK_THREADS * sizeof(float), c);
}

static inline void chunk_sum(const float *part, int64_t chunks, int64_t ld, int64_t count, bool add,
                             real *out)
{
    struct chunk_sum c;
    memset(&c, 0, sizeof c);
    c.part = part, c.chunks = (int)chunks, c.ld = ld, c.count = c.first = count;
    c.add = add, c.out = out;
    chunk_launch(&c);
}
