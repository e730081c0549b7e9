/* Computes attention for one head of one sentence on the host, in tiles. A tile has up to 16
 * queries, and all keys that any branch allows for them.
 *
 *   attention.c           loops over the tiles, forward and backward
 *   attention_tile.c      computes energies, and calls the functions of terms
 *   attention_softmax.c   computes weights from energies, and gradients of energies
 *
 * A tile has one row per query, with one number per key. Its rows are in the thread's scratch
 * memory, `width` numbers apart. Functions for a branch receive `span`: the union of the branch's
 * keys over all queries of the tile (tile_union). */
#pragma once

#include "core/cpu/vec.h"

enum { TILE_ROWS = 16 };

/* Slots of the thread's scratch memory. */
enum tile_scratch {
    TILE_KEYS = 1, /* keys transposed, [d, width] */
    TILE_VALUES,   /* values transposed, [d, width] */
    TILE_QUERY,    /* scaled queries of the tile, [16, d] */
    TILE_ENERGY,   /* [16, width] energies */
    TILE_SHARED,   /* [16, width] exp(energy - top), used by all branches */
    /* [16, width] softmax weights; with dropout factors before they multiply values */
    TILE_WEIGHT,
    TILE_SLOPE,  /* [16, width] gradient of the weights of one branch */
    TILE_TOTAL,  /* [16, width] gradient of energies, summed over branches */
    TILE_FACTOR, /* [16, width] dropout factors of the weights of one branch */
    TILE_FAR,    /* [16, width] 1: a term cuts the key: its weight for the query is 0 */
    TILE_QUERY_GRADIENT,
    TILE_KEY_GRADIENT,
    TILE_VALUE_GRADIENT
};

/* An interval [lo, hi) of keys. tile_keys returns the keys of query i in a branch; the sentence has
 * n keys. */
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

/* Returns the union of the keys of queries [i0, i1) in a branch. Its first key is rounded down to a
 * multiple of LANES. */
INLINE struct tile_interval tile_union(const struct attention_args *a, int branch, int i0, int i1,
                                       int n)
{
    struct tile_interval first = tile_keys(a, branch, i0, n),
                         last = tile_keys(a, branch, i1 - 1, n);
    return (struct tile_interval){first.lo / LANES * LANES, last.hi};
}

/* Data of one head of one sentence, for the forward and the backward pass. */
struct tile {
    const struct attention_args *a;
    /* head; number of queries; number of keys, exact and rounded up to a multiple of LANES */
    int h, nq, nk, width;
    int64_t q0, k0; /* rows of the sentence's first query and first key */
    real *keys, *query, *energy, *shared, *weight, *factor;
    /* mask of cut keys (TILE_FAR); NULL: no term cuts keys of this head */
    real *far;
    int i0, rows;             /* first query and number of queries of the current tile */
    struct tile_interval all; /* union of the keys of all branches */
    real top[TILE_ROWS];      /* for each row of `shared`, the energy that was subtracted */
};

/* ---- attention_tile.c ---- */

/* Transposes x [n, d] to y [d, width]. width is a multiple of 16. Columns of y from n on are
 * zero. */
void CPU(tile_transpose)(const real *x, int64_t ld, int n, int d, real *y, int width);
struct tile CPU(tile_open)(const struct attention_args *a, int sentence, int h);
/* Computes scaled queries, energies and the mask of cut keys of the tile that begins at query
 * i0. */
void CPU(tile_energies)(struct tile *t, int i0);
/* Computes the gradients of the terms' rows from the gradients of the tile's energies. */
void CPU(tile_slopes)(const struct tile *t, const real *total);
/* For terms that add to values: sums a branch's weights, after dropout, by kind of key
 * (attention/term.h). */
void CPU(tile_collect)(const struct tile *t, int branch, struct tile_interval span);
/* Backward of tile_collect: adds the terms' part of the gradient of a branch's weights to slope. */
void CPU(tile_spread)(const struct tile *t, int branch, struct tile_interval span, real *slope);

/* ---- attention_softmax.c ---- */

/* Computes t->top and t->shared. top is the largest energy of a row over all branches. It is
 * determined from the energies if `fresh` (forward pass), else from the statistics. */
void CPU(tile_exponentials)(struct tile *t, bool fresh);
/* Writes the weights of a branch to t->weight. If `fresh` (forward pass), computes and stores the
 * statistics of the branch, else reads them. Weights of keys in `span` that are outside of a row's
 * interval become zero. */
void CPU(tile_weights)(struct tile *t, int branch, struct tile_interval span, bool fresh);
INLINE bool tile_drops(const struct attention_args *a, int branch)
{
    return a->dropout.threshold && !a->branch[branch].undropped;
}

/* Writes the dropout factors of a branch's weights to t->factor. The index of a random number is
 * ((row * H + h) << 16) + j. Rows are counted from the first row of the optimizer step. */
void CPU(tile_factors)(struct tile *t, int branch, struct tile_interval span);
/* weight *= factor over the span. */
void CPU(tile_drop)(const struct tile *t, real *weight, struct tile_interval span);
/* Adds the gradient of the energies of one branch to total: P * (dP - sum_j P dP). P is t->weight
 * without dropout factors. dP is `slope`, already multiplied by the dropout factors. */
void CPU(tile_softmax_backward)(const struct tile *t, struct tile_interval span, const real *slope,
                                real *total);
