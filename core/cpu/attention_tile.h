/* One head of one sentence on the host, in tiles of 16 queries by all keys that any branch allows.
 *
 *   attention.c           goes over the tiles, forward and backward
 *   attention_tile.c      what a tile is, its energies, and what terms do to it
 *   attention_softmax.c   weights of its energies, and gradients of energies
 *
 * Rows of a tile lie in the thread's scratch, one number a key, `width` apart. Functions of a
 * branch get `span`, the keys that the branch shows to any query of the tile (tile_union). */
#pragma once

#include "core/cpu/vec.h"

enum { TILE_ROWS = 16 };

/* Slots of the thread's scratch. */
enum tile_scratch {
    TILE_KEYS = 1, /* keys transposed, [d, width] */
    TILE_VALUES,   /* values transposed, [d, width] */
    TILE_QUERY,    /* scaled queries of the tile, [16, d] */
    TILE_ENERGY,   /* [16, width] */
    TILE_SHARED,   /* exponentials of energies less the row's maximum */
    TILE_WEIGHT,   /* softmax weights, after dropout where they meet values */
    TILE_SLOPE,    /* gradient of weights, then of energies of one branch */
    TILE_TOTAL,    /* gradient of energies, all branches */
    TILE_FACTOR,   /* dropout factors of the tile */
    TILE_FAR,      /* [16, width] 1: terms cut the key from the row */
    TILE_QUERY_GRADIENT,
    TILE_KEY_GRADIENT,
    TILE_VALUE_GRADIENT
};

/* Keys [lo, hi) that query i may see in a branch. */
struct tile_interval {
    int lo, hi;
};

INLINE struct tile_interval tile_keys(const struct attention_args *a, int branch, int i, int n)
{
    const struct attention_reach reach = a->branch[branch];
    const int after = a->causal ? 0 : reach.after;
    return (struct tile_interval){i > reach.before ? i - reach.before : 0,
                                  n - i > after + 1 ? i + after + 1 : n};
}

INLINE struct tile_interval tile_both(struct tile_interval a, struct tile_interval b)
{
    return (struct tile_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* What all queries [i0, i1) see together, from a multiple of 16 on. */
INLINE struct tile_interval tile_union(const struct attention_args *a, int branch, int i0, int i1,
                                       int n)
{
    struct tile_interval first = tile_keys(a, branch, i0, n),
                         last = tile_keys(a, branch, i1 - 1, n);
    return (struct tile_interval){first.lo / LANES * LANES, last.hi};
}

/* Everything about one (sentence, head) that both directions share. */
struct tile {
    const struct attention_args *a;
    int h, nq, nk, width; /* queries, keys, keys rounded up to lanes */
    int64_t q0, k0;       /* first rows */
    real *keys, *query, *energy, *shared, *weight, *factor;
    real *far;                /* NULL: no term cuts this head's keys */
    int i0, rows;             /* of the current tile of queries */
    struct tile_interval all; /* union over branches */
    real top[TILE_ROWS];      /* what `shared` is against */
};

/* ---- attention_tile.c ---- */

/* [n, d] rows to [d, width], width a multiple of 16: columns past n are zero. */
void CPU(tile_transpose)(const real *x, int64_t ld, int n, int d, real *y, int width);
struct tile CPU(tile_open)(const struct attention_args *a, int sentence, int h);
/* Scaled queries, energies and cuts of the tile that begins at query i0. */
void CPU(tile_energies)(struct tile *t, int i0);
/* Gradients of the terms' rows, from those of the tile's energies. */
void CPU(tile_slopes)(const struct tile *t, const real *total);
/* What a branch's (dropped) weights are by kind of key, for terms of the values. */
void CPU(tile_collect)(const struct tile *t, int branch, struct tile_interval span);
/* The way back: their part of the gradient of a branch's weights, added to slope. */
void CPU(tile_spread)(const struct tile *t, int branch, struct tile_interval span, real *slope);

/* ---- attention_softmax.c ---- */

/* t->shared of the tile, against the maximum of all branches: found (`fresh`: forward) or kept,
 * where it is that of the branch that has the key. */
void CPU(tile_exponentials)(struct tile *t, bool fresh);
/* Weights of a branch into t->weight: with new statistics (forward) or from the kept ones. Lanes
 * outside of a row's interval become zero over the branch's whole union. */
void CPU(tile_weights)(struct tile *t, int branch, struct tile_interval span, bool fresh);
INLINE bool tile_drops(const struct attention_args *a, int branch)
{
    return a->dropout.threshold && !a->branch[branch].undropped;
}

/* Dropout factors of a branch's weights into t->factor: index ((row * H + h) << 16) + j, row
 * counted over the whole optimizer step. */
void CPU(tile_factors)(struct tile *t, int branch, struct tile_interval span);
/* weight *= factor over the span. */
void CPU(tile_drop)(const struct tile *t, real *weight, struct tile_interval span);
/* Gradient of energies of one branch, added to total: P * (dP - sum_j P dP), where dP, `slope`, has
 * already met the dropout factors. */
void CPU(tile_softmax_backward)(const struct tile *t, struct tile_interval span, const real *slope,
                                real *total);
