/* One head of one sentence on the host, in tiles of 16 queries by all keys that any branch allows.
 *
 *   attention.c           loops over the tiles, forward and backward
 *   attention_tile.c      the tile, its energies, and the functions of terms
 *   attention_softmax.c   weights from energies, and gradients of energies
 *
 * Rows of a tile are in the thread's scratch memory, one number per key, `width` apart. Functions
 * for a branch receive `span`: the union of the branch's keys over all queries of the tile
 * (tile_union). */
#pragma once

#include "core/cpu/vec.h"

enum { TILE_ROWS = 16 };

/* Slots of the thread's scratch memory. */
enum tile_scratch {
    TILE_KEYS = 1, /* keys transposed, [d, width] */
    TILE_VALUES,   /* values transposed, [d, width] */
    TILE_QUERY,    /* scaled queries of the tile, [16, d] */
    TILE_ENERGY,   /* [16, width] */
    TILE_SHARED,   /* exponentials of (energy - maximum of the row) */
    TILE_WEIGHT,   /* softmax weights, with dropout when they are multiplied by values */
    TILE_SLOPE,    /* gradient of weights, then gradient of energies of one branch */
    TILE_TOTAL,    /* gradient of energies, summed over branches */
    TILE_FACTOR,   /* dropout factors of the tile */
    TILE_FAR,      /* [16, width] 1: a term cuts the key from the row */
    TILE_QUERY_GRADIENT,
    TILE_KEY_GRADIENT,
    TILE_VALUE_GRADIENT
};

/* Keys [lo, hi) of query i in a branch. */
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

/* Union of the keys of queries [i0, i1), extended down to a multiple of 16. */
INLINE struct tile_interval tile_union(const struct attention_args *a, int branch, int i0, int i1,
                                       int n)
{
    struct tile_interval first = tile_keys(a, branch, i0, n),
                         last = tile_keys(a, branch, i1 - 1, n);
    return (struct tile_interval){first.lo / LANES * LANES, last.hi};
}

/* Data of one (sentence, head) for both directions. */
struct tile {
    const struct attention_args *a;
    int h, nq, nk, width; /* queries, keys, keys rounded up to lanes */
    int64_t q0, k0;       /* first rows */
    real *keys, *query, *energy, *shared, *weight, *factor;
    real *far;                /* NULL: no term cuts keys of this head */
    int i0, rows;             /* queries of the current tile: first query, number */
    struct tile_interval all; /* union over branches */
    real top[TILE_ROWS];      /* maximum used in `shared` */
};

/* ---- attention_tile.c ---- */

/* Transposes [n, d] to [d, width], width a multiple of 16; columns from n on are zero. */
void CPU(tile_transpose)(const real *x, int64_t ld, int n, int d, real *y, int width);
struct tile CPU(tile_open)(const struct attention_args *a, int sentence, int h);
/* Computes scaled queries, energies and cuts of the tile that begins at query i0. */
void CPU(tile_energies)(struct tile *t, int i0);
/* Computes the gradients of the terms' rows from the gradients of the tile's energies. */
void CPU(tile_slopes)(const struct tile *t, const real *total);
/* Sums a branch's weights (after dropout) by kind of key, for terms with values. */
void CPU(tile_collect)(const struct tile *t, int branch, struct tile_interval span);
/* Backward of tile_collect: adds the terms' part of the gradient of a branch's weights to slope. */
void CPU(tile_spread)(const struct tile *t, int branch, struct tile_interval span, real *slope);

/* ---- attention_softmax.c ---- */

/* Computes t->shared of the tile, relative to the maximum over all branches. fresh (forward):
 * determines the maximum; else reads the maximum from the statistics. */
void CPU(tile_exponentials)(struct tile *t, bool fresh);
/* Writes the weights of a branch to t->weight. fresh (forward): computes the statistics; else uses
 * the stored ones. Lanes of the span outside of a row's interval become zero. */
void CPU(tile_weights)(struct tile *t, int branch, struct tile_interval span, bool fresh);
INLINE bool tile_drops(const struct attention_args *a, int branch)
{
    return a->dropout.threshold && !a->branch[branch].undropped;
}

/* Writes the dropout factors of a branch's weights to t->factor. The random index is ((row * H + h)
 * << 16) + j; row counts over the whole optimizer step. */
void CPU(tile_factors)(struct tile *t, int branch, struct tile_interval span);
/* weight *= factor over the span. */
void CPU(tile_drop)(const struct tile *t, real *weight, struct tile_interval span);
/* Adds the gradient of the energies of one branch to total: P * (dP - sum_j P dP). dP is `slope`,
 * with dropout factors applied. */
void CPU(tile_softmax_backward)(const struct tile *t, struct tile_interval span, const real *slope,
                                real *total);
