/* One head of one sentence on the host, in tiles of 16 queries by all keys that any branch allows:
 * what a tile is, its energies, and what terms do to it. attention_softmax.h makes weights of the
 * energies, attention.c goes over the tiles, forward and backward, and alone includes both. */
#ifndef CORE_CPU_ATTENTION_TILE_H
#define CORE_CPU_ATTENTION_TILE_H

#include "core/cpu/term_lane.h"
#include "core/cpu/tile_product.h"
#include "attention/dispatch.h"

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

/* [n, d] rows to [d, width], width a multiple of 16: columns past n are zero. */
static void tile_transpose(const real *x, int64_t ld, int n, int d, real *y, int width)
{
    int c = 0;
    for (; c + TURN <= d; c += TURN)
        for (int j = 0; j < width; j += TURN)
            vec_turn(x + j * ld + c, ld, n - j, y + (int64_t)c * width + j, width);
    for (; c < d; c++)
        for (int j = 0; j < width; j++) y[(int64_t)c * width + j] = j < n ? x[j * ld + c] : 0;
}

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

INLINE vec_mask tile_inside(struct tile_interval keys, int j)
{
    return vec_first(keys.hi - j) & ~vec_first(keys.lo - j);
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

/* This head's numbers of the tile's query i, for a term. */
static struct term_row tile_term(const struct tile *t, const struct attention_term *term, int i,
                                 struct tile_interval keys)
{
    struct term_row row = {.term = term, .i = t->i0 + i, .h = t->h, .lo = keys.lo, .hi = keys.hi};
    for (int k = 0; k < TERM_ROWS; k++) {
        const int64_t at = ((t->q0 + t->i0 + i) * term->heads + t->h) * term->columns[k];
        if (term->row[k]) row.row[k] = in(term->row[k]) + at;
        if (term->row_gradient[k]) row.row_gradient[k] = out(term->row_gradient[k]) + at;
    }
    return row;
}

/* Weights by kind of key [C] of query i in a branch. */
static int64_t tile_kinds(const struct tile *t, const struct attention_term *term, int branch,
                          int i)
{
    return (((t->q0 + t->i0 + i) * t->a->R + branch) * t->a->H + t->h) * term->kinds;
}

static struct tile tile_open(const struct attention_args *a, int sentence, int h)
{
    struct tile t = {.a = a, .h = h};
    t.q0 = a->start_q[sentence];
    t.k0 = a->start_k[sentence];
    t.nq = (int)(a->start_q[sentence + 1] - t.q0);
    t.nk = (int)(a->start_k[sentence + 1] - t.k0);
    t.width = (t.nk + LANES - 1) / LANES * LANES;
    t.keys = CPU(scratch)(TILE_KEYS, (int64_t)a->d * t.width);
    t.query = CPU(scratch)(TILE_QUERY, (int64_t)TILE_ROWS * a->d);
    t.energy = CPU(scratch)(TILE_ENERGY, (int64_t)TILE_ROWS * t.width);
    t.shared = CPU(scratch)(TILE_SHARED, (int64_t)TILE_ROWS * t.width);
    t.weight = CPU(scratch)(TILE_WEIGHT, (int64_t)TILE_ROWS * t.width);
    t.factor = CPU(scratch)(TILE_FACTOR, (int64_t)TILE_ROWS * t.width);
    for (int k = 0; k < a->terms; k++)
        if (term_cuts(&a->term[k], h)) t.far = CPU(scratch)(TILE_FAR, (int64_t)TILE_ROWS * t.width);
    tile_transpose(in(a->k) + t.k0 * a->ldk + h * a->d, a->ldk, t.nk, a->d, t.keys, t.width);
    return t;
}

/* Which keys terms cut from the tile's rows. */
static void tile_cuts(struct tile *t)
{
    const struct attention_args *a = t->a;
    for (int i = 0; i < t->rows && t->far; i++) {
        real *far = t->far + (int64_t)i * t->width;
        for (int j = t->all.lo; j < t->all.hi; j += LANES) vec_store(far + j, LANES, (vec){0});
        for (int k = 0; k < a->terms; k++) {
            if (!term_cuts(&a->term[k], t->h)) continue;
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            term_cut(&row, far);
        }
    }
}

/* Scaled queries, energies and cuts of the tile that begins at query i0. */
static void tile_energies(struct tile *t, int i0)
{
    const struct attention_args *a = t->a;
    t->i0 = i0;
    t->rows = t->nq - i0 < TILE_ROWS ? t->nq - i0 : TILE_ROWS;
    t->all = tile_union(a, 0, i0, i0 + t->rows, t->nk);
    for (int r = 1; r < a->R; r++)
        t->all = tile_both(t->all, tile_union(a, r, i0, i0 + t->rows, t->nk));
    for (int i = 0; i < t->rows; i++) {
        const real *q = in(a->q) + (t->q0 + i0 + i) * a->ldq + t->h * a->d;
        for (int c = 0; c < a->d; c++) t->query[i * a->d + c] = q[c] * a->scale;
    }
    const int span = (t->all.hi - t->all.lo + LANES - 1) / LANES * LANES;
    tile_product(t->rows, span, a->d, t->query, a->d, 1, t->keys + t->all.lo, t->width,
                 t->energy + t->all.lo, t->width, false);
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && t->h < a->term[k].heads; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            term_energy(&row, t->energy + (int64_t)i * t->width);
        }
    tile_cuts(t);
}

/* Gradients of the terms' rows, from those of the tile's energies. */
static void tile_slopes(const struct tile *t, const real *total)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && t->h < a->term[k].heads; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            term_slope(&row, total + (int64_t)i * t->width);
        }
}

/* What a branch's (dropped) weights are by kind of key, for terms of the values. */
static void tile_collect(const struct tile *t, int branch, struct tile_interval span)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && a->term[k].kinds; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, span);
            term_collect(&row, t->weight + (int64_t)i * t->width,
                         out(a->term[k].weight) + tile_kinds(t, &a->term[k], branch, i));
        }
}

/* The way back: their part of the gradient of a branch's weights. */
static void tile_spread(const struct tile *t, int branch, struct tile_interval span, real *slope)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && a->term[k].kinds; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, span);
            term_spread(&row,
                        in(a->term[k].weight_gradient) + tile_kinds(t, &a->term[k], branch, i),
                        slope + (int64_t)i * t->width);
        }
}

#endif
