/* Defines the operations of attention/lane.h for the host. One thread processes a row. A vector of
 * keys is a vec (core/cpu/lanes.h), so it has sixteen keys. */
#pragma once

#include "core/cpu/vec.h"

#define TERM_FN INLINE
#define TERM_TABLE static const struct term_tile
#define KEYS(j, t) for (int j = (t)->lo; j < (t)->hi; j += LANES)
#define EACH(c, n) for (int c = 0; c < (n); c++)

INLINE real row_sum(real s, const real *x, int lo, int hi)
{
    for (int j = lo; j < hi; j++) s += x[j];
    return s;
}

INLINE void row_put(real *p, real x)
{
    *p = x;
}

/* Returns `far` if at least one key of [lo, hi) is not cut. Returns NULL if all are cut: the cuts
 * are then ignored, because a softmax needs a key. */
INLINE const real *term_far(const real *far, int lo, int hi)
{
    for (int j = lo; far && j < hi; j++)
        if (far[j] < 1) return far;
    return NULL;
}
