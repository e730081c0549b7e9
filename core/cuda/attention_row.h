/* Functions for one query (row) in the attention kernels: its keys, terms and weights. A team (half
 * a warp, term_lane.h) processes a row. Energies, weights and gradients of the row are in shared
 * memory, indexed by key. */
#pragma once

#include "core/cuda/window.h"
#include "core/cuda/term_lane.h"
#include "attention/dispatch.h"

enum {
    ATTENTION_THREADS = 128,
    TEAMS = ATTENTION_THREADS / LANES,
};

/* The keys lo to hi - 1. */
struct interval {
    int lo, hi;
};

DEVICE_FN struct interval keys_of(const struct attention_reach *reach, bool causal, int i, int n)
{
    const int after = causal ? 0 : reach->after;
    struct interval keys;
    keys.lo = i > reach->before ? i - reach->before : 0;
    keys.hi = n - i > after + 1 ? i + after + 1 : n;
    return keys;
}

/* Returns the union of the keys of queries i0 to i1 - 1 in a branch. The first key is rounded down
 * to a multiple of 16. */
DEVICE_FN struct interval span_of(const struct attention_args *a, int branch, int i0, int i1, int n)
{
    struct interval span = keys_of(&a->branch[branch], a->causal, i0, n);
    span.lo = span.lo / LANES * LANES;
    span.hi = keys_of(&a->branch[branch], a->causal, i1 - 1, n).hi;
    return span;
}

DEVICE_FN bool is_inside(struct interval keys, int j)
{
    return j >= keys.lo && j < keys.hi;
}

/* Returns the union of span_of over all branches. */
DEVICE_FN struct interval span_of_all(const struct attention_args *a, int i0, int i1, int n)
{
    struct interval all = span_of(a, 0, i0, i1, n);
    for (int r = 1; r < a->R; r++) {
        const struct interval span = span_of(a, r, i0, i1, n);
        if (span.lo < all.lo) all.lo = span.lo;
        if (span.hi > all.hi) all.hi = span.hi;
    }
    return all;
}

/* Returns an upper bound of the number of tiles, for B sentences with T rows in total. */
static inline int64_t tiles_most(int T, int B)
{
    const int64_t tiles = T / ATTENTION_TILE + B;
    return tiles < T ? tiles : T;
}

/* A tile of queries of one sentence and one head. */
struct query_tile {
    int h, nq, nk;  /* head; number of queries and of keys of the sentence */
    int64_t q0, k0; /* first rows of the sentence, among all queries and among all keys */
    int i0, rows;   /* queries [i0, i0 + rows) */
};

DEVICE_FN struct query_tile tile_of(const struct attention_args *a, int sentence, int h)
{
    struct query_tile t;
    t.h = h;
    t.q0 = a->start_q[sentence], t.k0 = a->start_k[sentence];
    t.nq = (int)(a->start_q[sentence + 1] - t.q0);
    t.nk = (int)(a->start_k[sentence + 1] - t.k0);
    t.i0 = t.rows = 0;
    return t;
}

/* Cast activations to reals. Use the result only if activations are reals (ACT_IS_REAL). */
DEVICE_FN const real *reals(const struct act *x)
{
    return (const real *)(const void *)x;
}
DEVICE_FN real *reals_to(struct act *x)
{
    return (real *)(void *)x;
}

/* Terms operate on reals. If activations are in bf16, a term gets converted copies of its arrays
 * for one query: rows, gradients of rows, and weights by kind. The copies are on a stage, a buffer
 * in shared memory that each team has. Returns the number of reals of a stage. */
static inline int stage_numbers(const struct attention_term *term, int terms)
{
    int most = 0;
    for (int k = 0; k < terms && !ACT_IS_REAL; k++) {
        int numbers = term[k].kinds;
        for (int r = 0; r < TERM_ROWS; r++) numbers += 2 * term[k].columns[r];
        most = numbers > most ? numbers : most;
    }
    return most;
}

/* Returns `count` numbers of x, from `first` on, as reals. They are in place or, in bf16, copied to
 * the stage. In bf16, stage_out copies numbers from the stage to x. */
DEVICE_FN const real *stage_in(const struct act *x, int64_t first, int count, real *stage)
{
    for (int c = team_lane(); c < count && !ACT_IS_REAL; c += LANES)
        stage[c] = act_get(x, first + c);
    return ACT_IS_REAL ? reals(x) + first : stage;
}
DEVICE_FN void stage_out(const real *stage, int count, struct act *x, int64_t first)
{
    for (int c = team_lane(); c < count && !ACT_IS_REAL; c += LANES)
        act_put(x, first + c, stage[c]);
}

/* Barrier between writes and reads of the stage. In fp32, there is no stage. */
#define stage_sync()                                                                               \
    do                                                                                             \
        if (!ACT_IS_REAL) team_sync();                                                             \
    while (0)

/* A query of one head, with the terms that change its energies. */
struct query_row {
    const struct attention_term *term; /* [terms] */
    int terms;
    int64_t row; /* index among all packed rows */
    int i;       /* position in the sentence */
    int h, H, R; /* head of the row; number of heads; number of branches */
    real *stage;
};

/* Returns a query_row for a head. The caller sets row and position. */
DEVICE_FN struct query_row query_row(const struct attention_args *a, int h, real *stage)
{
    struct query_row q;
    q.term = a->term, q.terms = a->terms, q.h = h, q.H = a->H, q.R = a->R, q.stage = stage;
    q.row = q.i = 0;
    return q;
}

/* Returns the argument for the functions of the k-th term, for this query and these keys. */
DEVICE_FN struct term_row term_at(const struct query_row *q, int k, struct interval keys)
{
    const struct attention_term *term = &q->term[k];
    real *stage = q->stage;
    struct term_row at;
    at.term = term, at.i = q->i, at.h = q->h, at.lo = keys.lo, at.hi = keys.hi;
    stage_sync(); /* the previous term has finished */
    for (int r = 0; r < TERM_ROWS; r++) {
        const int columns = term->columns[r];
        const int64_t first = (q->row * term->heads + q->h) * columns;
        at.row[r] = term->row[r] ? stage_in(term->row[r], first, columns, stage) : NULL;
        stage += columns;
        at.row_gradient[r] = !term->row_gradient[r] ? NULL
                             : ACT_IS_REAL          ? reals_to(term->row_gradient[r]) + first
                                                    : stage;
        stage += columns;
    }
    stage_sync();
    return at;
}

/* Return the address of a term's weights by kind on the stage, and the index of these weights in
 * device memory. */
DEVICE_FN real *stage_kinds(const struct query_row *q, int k)
{
    real *stage = q->stage;
    for (int r = 0; r < TERM_ROWS; r++) stage += 2 * q->term[k].columns[r];
    return stage;
}
DEVICE_FN int64_t first_kind(const struct query_row *q, int k, int branch)
{
    return ((q->row * q->R + branch) * q->H + q->h) * q->term[k].kinds;
}

/* True if a term cuts keys in rows of this head. */
DEVICE_FN bool any_cuts(const struct attention_term *term, int terms, int h)
{
    bool any = false;
    for (int k = 0; k < terms; k++) any = any || term_cuts(&term[k], h);
    return any;
}

/* Adds the terms to a row of energies, and sets far[j] = 1 for keys that a term cuts. far is NULL
 * if no term cuts. */
DEVICE_FN void row_terms(const struct query_row *q, struct interval keys, real *energy, real *far)
{
    for (int j = keys.lo; j < keys.hi && far; j += LANES) vec_store(far + j, LANES, 0);
    for (int k = 0; k < q->terms; k++) {
        if (q->h >= q->term[k].heads) continue;
        const struct term_row at = term_at(q, k, keys);
        term_energy(&at, energy);
        if (far && q->term[k].cuts) term_cut(&at, far);
    }
}

/* Computes the gradients of the arrays that terms read (row_gradient), from the gradients `slope`
 * of the energies of a query. */
DEVICE_FN void row_slopes(const struct query_row *q, struct interval keys, const real *slope)
{
    for (int k = 0; k < q->terms; k++) {
        const struct attention_term *term = &q->term[k];
        if (q->h >= term->heads) continue;
        const struct term_row at = term_at(q, k, keys);
        term_slope(&at, slope);
        stage_sync();
        for (int r = 0; r < TERM_ROWS; r++)
            if (term->row_gradient[r])
                stage_out(at.row_gradient[r], term->columns[r], term->row_gradient[r],
                          (q->row * term->heads + q->h) * term->columns[r]);
    }
}

/* For terms with kinds of keys: sums the weights of a query in a branch, separately for each kind
 * of key. */
DEVICE_FN void row_collect(const struct query_row *q, int branch, struct interval keys,
                           const real *weight)
{
    for (int k = 0; k < q->terms; k++) {
        struct act *to = q->term[k].weight;
        const int64_t first = first_kind(q, k, branch);
        if (!q->term[k].kinds) continue;
        const struct term_row at = term_at(q, k, keys);
        real *sum = ACT_IS_REAL ? reals_to(to) + first : stage_kinds(q, k);
        term_collect(&at, weight, sum);
        stage_sync();
        stage_out(sum, q->term[k].kinds, to, first);
    }
}

/* For terms with kinds of keys: adds the gradients of these sums to `slope`, the gradients of the
 * weights of a query. */
DEVICE_FN void row_spread(const struct query_row *q, int branch, struct interval keys, real *slope)
{
    for (int k = 0; k < q->terms; k++) {
        if (!q->term[k].kinds) continue;
        const struct term_row at = term_at(q, k, keys);
        const real *sum = stage_in(q->term[k].weight_gradient, first_kind(q, k, branch),
                                   q->term[k].kinds, stage_kinds(q, k));
        stage_sync();
        term_spread(&at, sum, slope);
    }
}

/* Returns `far`; NULL if it cuts all keys of the query, because the cuts are then ignored. */
DEVICE_FN const real *row_far(const real *far, struct interval keys)
{
    float left = 0;
    for (int j = keys.lo / LANES * LANES; j < keys.hi && far; j += LANES)
        left += is_inside(keys, j + team_lane()) && vec_load(far + j, LANES) < 1;
    return vec_sum(left) > 0 ? far : NULL;
}

/* True if the query attends to this lane's key, j + team_lane(), and no term cuts the key. */
DEVICE_FN bool is_seen(struct interval keys, const real *far, int j)
{
    return is_inside(keys, j + team_lane()) && !(far && far[j + team_lane()] > 0);
}

DEVICE_FN real row_top(const real *energy, struct interval keys, const real *far)
{
    vec top = -INFINITY;
    for (int j = keys.lo / LANES * LANES; j < keys.hi; j += LANES)
        if (is_seen(keys, far, j)) top = vec_max(vec_load(energy + j, LANES), top);
    return vec_reduce_max(top);
}

/* Computes weight[j] = exp(energy[j] - top) for all keys of the span; 0 for keys that the query
 * does not attend to or that a term cuts. Returns the sum. */
DEVICE_FN real row_exponentials(const real *energy, real top, struct interval keys, const real *far,
                                struct interval span, real *weight)
{
    vec sum = 0;
    for (int j = span.lo; j < span.hi; j += LANES) {
        const vec x = is_seen(keys, far, j) ? expf(vec_load(energy + j, LANES) - top) : 0;
        vec_store(weight + j, LANES, x);
        sum += x;
    }
    return vec_sum(sum);
}

DEVICE_FN void row_scale(real *x, struct interval span, real factor)
{
    for (int j = span.lo; j < span.hi; j += LANES)
        vec_store(x + j, LANES, vec_load(x + j, LANES) * factor);
}

DEVICE_FN bool branch_drops(const struct attention_args *a, int branch)
{
    return a->dropout.threshold && !a->branch[branch].undropped;
}

/* Returns the Philox block for dropout of the weights of a query in a branch. The random index of
 * key j is ((row H + h) << 16) + j. In this formula, rows are counted over all micro-batches of the
 * step. The block decides on key number `lane` of each sixteen keys in the group of 128 keys that
 * contains key j. */
DEVICE_FN struct philox row_random_at(const struct attention_args *a, int64_t row, int h,
                                      int branch, int j, int lane)
{
    const int64_t counted = a->step->first_row[a->dropout.rows] + row;
    const uint64_t index = ((uint64_t)(counted * a->H + h) << 16) + (uint64_t)j;
    struct random_key key;
    key.seed = a->step->seed, key.stream = a->dropout.stream;
    return philox(key, index / GROUP * LANES + (uint64_t)lane, a->step->number, (uint32_t)branch);
}
DEVICE_FN struct philox row_random(const struct attention_args *a, int64_t row, int h, int branch,
                                   int j)
{
    return row_random_at(a, row, h, branch, j, team_lane());
}

/* Applies dropout to the keys of the span: multiplies x[j] by 0 or by 1 / (1 - p). */
DEVICE_FN void row_drop(const struct attention_args *a, int64_t row, int h, int branch,
                        struct interval span, real *x)
{
    const float scale = dropout_raise(a->dropout);
    for (int j0 = span.lo / GROUP * GROUP; j0 < span.hi; j0 += GROUP) {
        const struct philox block = row_random(a, row, h, branch, j0);
        for (int eighth = 0; eighth < GROUP / LANES; eighth++) {
            const int j = j0 + eighth * LANES;
            if (j < span.lo || j >= span.hi) continue;
            const bool kept = philox_keeps(block, eighth, a->dropout.threshold);
            vec_store(x + j, LANES, vec_load(x + j, LANES) * (kept ? scale : 0));
        }
    }
}
