/* One head of one sentence on the host, in tiles of 16 queries by all keys that any branch allows.
 *
 * Energies are computed once per tile; every branch then takes its own softmax over its interval
 * and its own dropout (papers.md 1: o_i = sum_j alpha_ij v_j per branch and head). The backward
 * pass recomputes energies and weights from the row statistics: no probability matrix is ever kept.
 * All products are one primitive, tile_product, whose order of additions depends on shapes alone.
 *
 * Included once, by core/cpu/attention.c, for each instruction set, behind the lanes of
 * core/cpu/vec.h and the product of core/cpu/tile_product.h that it is written in: the backend
 * builds the kernels of this room in, this room knows no backend. */
#ifndef ATTENTION_TILE_H
#define ATTENTION_TILE_H

#define TERM_TILE
#include "attention/term.h"
/* Every file of attention/term/, for what it does to a row; then the list of them by kind. */
#include "term_tile.def"
#undef TERM_TILE
#define TERM(name) &name##_tile,
static const struct term_tile *const tile_terms[] = {
#include "term.def"
};
#undef TERM

enum {
    TILE_ROWS = 16
};

enum tile_scratch { /* slots of the thread's scratch */
    TILE_KEYS = 1,  /* keys transposed, [d, width] */
    TILE_VALUES,    /* values transposed, [d, width] */
    TILE_QUERY,     /* scaled queries of the tile, [16, d] */
    TILE_ENERGY,    /* [16, width] */
    TILE_WEIGHT,    /* softmax weights, after dropout where they meet values */
    TILE_SLOPE,     /* gradient of weights, then of energies of one branch */
    TILE_TOTAL,     /* gradient of energies, all branches */
    TILE_FACTOR,    /* dropout factors of the tile */
    TILE_QUERY_GRADIENT,
    TILE_KEY_GRADIENT,
    TILE_VALUE_GRADIENT
};

/* [n, d] rows to [d, width]: columns past n are zero. */
static void tile_transpose(const real *x, int64_t ld, int n, int d, real *y, int width)
{
    for (int c = 0; c < d; c++) {
        for (int j = 0; j < n; j++) y[(int64_t)c * width + j] = x[j * ld + c];
        for (int j = n; j < width; j++) y[(int64_t)c * width + j] = 0;
    }
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
    real *keys, *query, *energy, *weight, *factor;
    int i0, rows;              /* of the current tile of queries */
    struct tile_interval all;  /* union over branches */
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
    t.weight = CPU(scratch)(TILE_WEIGHT, (int64_t)TILE_ROWS * t.width);
    t.factor = CPU(scratch)(TILE_FACTOR, (int64_t)TILE_ROWS * t.width);
    tile_transpose(in(a->k) + t.k0 * a->ldk + h * a->d, a->ldk, t.nk, a->d, t.keys, t.width);
    return t;
}

/* Scaled queries and energies of the tile that begins at query i0. */
static void tile_energies(struct tile *t, int i0)
{
    const struct attention_args *a = t->a;
    t->i0 = i0;
    t->rows = t->nq - i0 < TILE_ROWS ? t->nq - i0 : TILE_ROWS;
    t->all = tile_union(a, 0, i0, i0 + t->rows, t->nk);
    for (int r = 1; r < a->R; r++) {
        struct tile_interval more = tile_union(a, r, i0, i0 + t->rows, t->nk);
        if (more.lo < t->all.lo) t->all.lo = more.lo;
        if (more.hi > t->all.hi) t->all.hi = more.hi;
    }
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
            tile_terms[a->term[k].kind]->energy(&row, t->energy + (int64_t)i * t->width);
        }
}

/* Gradients of the terms' rows, from those of the tile's energies. */
static void tile_slopes(const struct tile *t, const real *total)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++) {
        const struct term_tile *type = tile_terms[a->term[k].kind];
        for (int i = 0; i < t->rows && t->h < a->term[k].heads && type->slope; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, t->all);
            type->slope(&row, total + (int64_t)i * t->width);
        }
    }
}

/* What a branch's (dropped) weights are by kind of key, for terms of the values. */
static void tile_collect(const struct tile *t, int branch, struct tile_interval span)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && a->term[k].kinds; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, span);
            tile_terms[a->term[k].kind]->collect(&row, t->weight + (int64_t)i * t->width,
                                                 out(a->term[k].weight) +
                                                     tile_kinds(t, &a->term[k], branch, i));
        }
}

/* The way back: their part of the gradient of a branch's weights. */
static void tile_spread(const struct tile *t, int branch, struct tile_interval span, real *slope)
{
    const struct attention_args *a = t->a;
    for (int k = 0; k < a->terms; k++)
        for (int i = 0; i < t->rows && a->term[k].kinds; i++) {
            const struct term_row row = tile_term(t, &a->term[k], i, span);
            tile_terms[a->term[k].kind]->spread(&row,
                                                in(a->term[k].weight_gradient) +
                                                    tile_kinds(t, &a->term[k], branch, i),
                                                slope + (int64_t)i * t->width);
        }
}

/* Weights of a branch into t->weight: with new statistics (forward) or from the kept ones. Lanes
 * outside of a row's interval become zero over the branch's whole union. */
static void tile_weights(struct tile *t, int branch, struct tile_interval span, bool fresh)
{
    const struct attention_args *a = t->a;
    for (int i = 0; i < t->rows; i++) {
        const struct tile_interval keys = tile_keys(a, branch, t->i0 + i, t->nk);
        const real *energy = t->energy + (int64_t)i * t->width;
        real *weight = t->weight + (int64_t)i * t->width;
        real *statistics =
            a->statistics + (((t->q0 + t->i0 + i) * a->R + branch) * a->H + t->h) * 2;
        if (fresh) {
            vec top = vec_full(-INFINITY), sum = {0};
            for (int j = span.lo; j < span.hi; j += LANES)
                top = vec_max(vec_pick(tile_inside(keys, j), vec_load(energy + j, LANES),
                                       vec_full(-INFINITY)), top);
            statistics[0] = vec_top(top);
            for (int j = span.lo; j < span.hi; j += LANES) {
                vec x = vec_exp(vec_load(energy + j, LANES) - statistics[0]);
                sum += vec_pick(tile_inside(keys, j), x, (vec){0});
            }
            statistics[1] = 1 / vec_sum(sum);
        }
        for (int j = span.lo; j < span.hi; j += LANES) {
            vec x = vec_exp(vec_load(energy + j, LANES) - statistics[0]) * statistics[1];
            vec_store(weight + j, LANES, vec_pick(tile_inside(keys, j), x, (vec){0}));
        }
    }
}

INLINE bool tile_drops(const struct attention_args *a, int branch)
{
    return a->dropout.threshold && !a->branch[branch].undropped;
}

/* Dropout factors of a branch's weights: index ((row * H + h) << 16) + j, row counted over the
 * whole optimizer step. */
static void tile_factors(struct tile *t, int branch, struct tile_interval span)
{
    const struct attention_args *a = t->a;
    const struct random_key key = {a->step->seed, a->dropout.stream};
    for (int i = 0; i < t->rows; i++) {
        const int64_t row = a->step->first_row[a->dropout.field] + t->q0 + t->i0 + i;
        const uint64_t base = (uint64_t)(row * a->H + t->h) << 16;
        for (int j = span.lo; j < span.hi;) {
            const struct dropout_group group = dropout_blocks(
                key, (base + (uint64_t)j) / 128, a->step->number, (uint32_t)branch);
            do {
                vec_store(t->factor + (int64_t)i * t->width + j, LANES,
                          dropout_factor(&group, j / LANES % 8, a->dropout.threshold));
                j += LANES;
            } while (j < span.hi && j % 128);
        }
    }
}

/* weight *= factor over the span. */
static void tile_drop(struct tile *t, real *weight, struct tile_interval span)
{
    for (int i = 0; i < t->rows; i++)
        for (int j = span.lo; j < span.hi; j += LANES) {
            const int64_t at = (int64_t)i * t->width + j;
            vec_store(weight + at, LANES,
                      vec_load(weight + at, LANES) * vec_load(t->factor + at, LANES));
        }
}

static void tile_forward(const struct attention_args *a, int sentence, int h)
{
    struct tile t = tile_open(a, sentence, h);
    const int D = a->H * a->d;
    for (int i0 = 0; i0 < t.nq; i0 += TILE_ROWS) {
        tile_energies(&t, i0);
        for (int r = 0; r < a->R; r++) {
            const struct tile_interval span = tile_union(a, r, i0, i0 + t.rows, t.nk);
            tile_weights(&t, r, span, true);
            if (tile_drops(a, r)) {
                tile_factors(&t, r, span);
                tile_drop(&t, t.weight, span);
            }
            tile_collect(&t, r, span);
            tile_product(t.rows, a->d, span.hi - span.lo, t.weight + span.lo, t.width, 1,
                         in(a->v) + (t.k0 + span.lo) * a->ldv + h * a->d, a->ldv,
                         out(a->out) + (t.q0 + i0) * a->R * D + r * D + h * a->d, (int64_t)a->R * D,
                         false);
        }
    }
}

/* Gradient of energies of one branch, added to total: P * (dP - sum_j P dP), where dP has already
 * met the dropout factors. */
static void tile_softmax_backward(struct tile *t, struct tile_interval span, const real *slope,
                                  real *total)
{
    for (int i = 0; i < t->rows; i++) {
        const int64_t row = (int64_t)i * t->width;
        vec dot = {0};
        for (int j = span.lo; j < span.hi; j += LANES)
            dot = vec_fma(vec_load(t->weight + row + j, LANES), vec_load(slope + row + j, LANES),
                          dot);
        const real delta = vec_sum(dot);
        for (int j = span.lo; j < span.hi; j += LANES) {
            vec x =
                vec_load(t->weight + row + j, LANES) * (vec_load(slope + row + j, LANES) - delta);
            vec_store(total + row + j, LANES, vec_load(total + row + j, LANES) + x);
        }
    }
}

/* rows of x (scratch, ld d) to a gradient's slice. */
static void tile_write(const real *x, int n, int d, struct act *to, int64_t at, int64_t ld,
                       bool add)
{
    for (int j = 0; j < n; j++) {
        real *y = out(to) + at + j * ld;
        for (int c = 0; c < d; c += LANES) {
            vec value = vec_load(x + (int64_t)j * d + c, d - c);
            vec_store(y + c, d - c, add ? value + vec_load(y + c, d - c) : value);
        }
    }
}

static void tile_backward(const struct attention_args *a, int sentence, int h)
{
    struct tile t = tile_open(a, sentence, h);
    const int d = a->d, D = a->H * d, column = h * d;
    const int64_t cells = (int64_t)TILE_ROWS * t.width;
    real *values = CPU(scratch)(TILE_VALUES, (int64_t)d * t.width);
    real *slope = CPU(scratch)(TILE_SLOPE, cells), *total = CPU(scratch)(TILE_TOTAL, cells);
    real *dq = CPU(scratch)(TILE_QUERY_GRADIENT, (int64_t)TILE_ROWS * d);
    real *dk = CPU(scratch)(TILE_KEY_GRADIENT, (int64_t)t.width * d);
    real *dv = CPU(scratch)(TILE_VALUE_GRADIENT, (int64_t)t.width * d);
    memset(dk, 0, (size_t)t.width * (size_t)d * sizeof(real));
    memset(dv, 0, (size_t)t.width * (size_t)d * sizeof(real));
    tile_transpose(in(a->v) + t.k0 * a->ldv + column, a->ldv, t.nk, d, values, t.width);
    for (int i0 = 0; i0 < t.nq; i0 += TILE_ROWS) {
        tile_energies(&t, i0);
        for (int i = 0; i < t.rows; i++)
            for (int j = t.all.lo; j < t.all.hi; j += LANES)
                vec_store(total + (int64_t)i * t.width + j, LANES, (vec){0});
        for (int r = 0; r < a->R; r++) {
            const struct tile_interval span = tile_union(a, r, i0, i0 + t.rows, t.nk);
            const int wide = (span.hi - span.lo + LANES - 1) / LANES * LANES;
            const real *dy = in(a->out_gradient) + (t.q0 + i0) * a->R * D + r * D + column;
            tile_weights(&t, r, span, false);
            tile_product(t.rows, wide, d, dy, (int64_t)a->R * D, 1, values + span.lo, t.width,
                         slope + span.lo, t.width, false);
            tile_spread(&t, r, span, slope);
            if (tile_drops(a, r)) {
                tile_factors(&t, r, span);
                tile_drop(&t, slope, span);
            }
            tile_softmax_backward(&t, span, slope, total);
            if (tile_drops(a, r)) tile_drop(&t, t.weight, span);
            tile_product(span.hi - span.lo, d, t.rows, t.weight + span.lo, 1, t.width, dy,
                         (int64_t)a->R * D, dv + (int64_t)span.lo * d, d, true);
        }
        tile_slopes(&t, total);
        const int keys = t.all.hi - t.all.lo;
        tile_product(t.rows, d, keys, total + t.all.lo, t.width, 1,
                     in(a->k) + (t.k0 + t.all.lo) * a->ldk + column, a->ldk, dq, d, false);
        for (int64_t i = 0; i < (int64_t)t.rows * d; i++) dq[i] *= a->scale;
        tile_write(dq, t.rows, d, a->dq, (t.q0 + i0) * a->ldq + column, a->ldq, a->add_q);
        tile_product(keys, d, t.rows, total + t.all.lo, 1, t.width, t.query, d,
                     dk + (int64_t)t.all.lo * d, d, true);
    }
    tile_write(dk, t.nk, d, a->dk, t.k0 * a->ldk + column, a->ldk, a->add_k);
    tile_write(dv, t.nk, d, a->dv, t.k0 * a->ldv + column, a->ldv, a->add_v);
}

#endif
