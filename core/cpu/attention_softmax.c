/* Computes the softmax of a tile: the weights of each branch from energies, and the gradients of
 * energies. */

/* Exponentials are computed once per tile, relative to the largest energy of the row in any branch.
 * Every branch then has its own sum over its interval and its own dropout (Song et al. 2018, eq.
 * 12: o_i = sum_j alpha_ij v_j per branch and head). If all energies of a branch are far below this
 * maximum, the branch has its own exponentials, relative to the largest energy of the branch. The
 * backward pass recomputes the weights from the row's statistics, which contain the maximum that
 * was used. No matrix of weights is stored. */
#include "core/cpu/attention_tile.h"

#include "core/cpu/term_lane.h"

/* Returns a pointer to two numbers for query i in a branch: the maximum, and 1 / sum of the
 * exponentials. */
static real *tile_statistics(const struct tile *t, int branch, int i)
{
    return t->a->statistics + (((t->q0 + t->i0 + i) * t->a->R + branch) * t->a->H + t->h) * 2;
}

/* Returns the mask of keys that query i must exclude in a branch; NULL: none. */
static const real *tile_far(const struct tile *t, int i, struct tile_interval keys)
{
    return term_far(t->far ? t->far + (int64_t)i * t->width : NULL, keys.lo, keys.hi);
}

INLINE vec_mask tile_inside(struct tile_interval keys, int j)
{
    return vec_first(keys.hi - j) & ~vec_first(keys.lo - j);
}

/* Returns the mask of the 16 keys from j on: set if a key is in the interval and is not cut. */
INLINE vec_mask tile_seen(struct tile_interval keys, const real *far, int j)
{
    const vec_mask inside = tile_inside(keys, j);
    return far ? inside & vec_greater(vec_splat(1), vec_load(far + j, LANES)) : inside;
}

/* Returns the largest energy of query i among the keys that are not cut. */
INLINE real tile_top(const struct tile *t, int i, struct tile_interval keys, const real *far)
{
    const real *energy = t->energy + (int64_t)i * t->width;
    vec top = vec_splat(-INFINITY);
    for (int j = keys.lo / LANES * LANES; j < keys.hi; j += LANES)
        top = vec_max(
            vec_select(tile_seen(keys, far, j), vec_load(energy + j, LANES), vec_splat(-INFINITY)),
            top);
    return vec_reduce_max(top);
}

/* shared[i, j] = exp(e[i, j] - top[i]); e, shared [16, nk]. top[i] is the maximum of the row, so no
 * exponential overflows. In the backward pass, top[i] is the largest maximum that the statistics of
 * the row have for a branch. */
void CPU(tile_exponentials)(struct tile *t, bool fresh)
{
    const struct attention_args *a = t->a;
    for (int i = 0; i < t->rows; i++) {
        const real *energy = t->energy + (int64_t)i * t->width;
        real *shared = t->shared + (int64_t)i * t->width;
        if (fresh) {
            struct tile_interval keys = tile_keys(a, 0, t->i0 + i, t->nk);
            for (int r = 1; r < a->R; r++)
                keys = tile_both(keys, tile_keys(a, r, t->i0 + i, t->nk));
            t->top[i] = tile_top(t, i, keys, NULL);
        } else {
            t->top[i] = *tile_statistics(t, 0, i);
            for (int r = 1; r < a->R; r++) {
                const real top = *tile_statistics(t, r, i);
                t->top[i] = top > t->top[i] ? top : t->top[i];
            }
        }
        for (int j = t->all.lo; j < t->all.hi; j += LANES)
            vec_store(shared + j, LANES, vec_exp(vec_load(energy + j, LANES) - t->top[i]));
    }
}

/* Copies `from` to `weight` for keys that are in the interval and not cut. Sets other weights of
 * the span to 0. Returns the sum of `weight`. */
INLINE real tile_cut(const real *from, struct tile_interval keys, const real *far,
                     struct tile_interval span, real *weight)
{
    vec sum = {0};
    for (int j = span.lo; j < span.hi; j += LANES) {
        const vec x = vec_select(tile_seen(keys, far, j), vec_load(from + j, LANES), (vec){0});
        vec_store(weight + j, LANES, x);
        sum += x;
    }
    return vec_sum(sum);
}

/* Like tile_cut, but computes exponentials relative to `top` instead of the shared maximum. */
static real tile_cut_own(const struct tile *t, int i, real top, struct tile_interval keys,
                         const real *far, struct tile_interval span, real *weight)
{
    const real *energy = t->energy + (int64_t)i * t->width;
    for (int j = span.lo; j < span.hi; j += LANES)
        vec_store(weight + j, LANES, vec_exp(vec_load(energy + j, LANES) - top));
    return tile_cut(weight, keys, far, span, weight);
}

/* If the shared exponentials of a branch sum to less than this, they are too inexact for weights:
 * the energies are far below the maximum. */
static const real TILE_FAINT = (real)1e-5;

/* weight[i, j] = shared[i, j] / sum over the branch's keys of shared[i, j], 0 elsewhere: [16, nk].
 * Writes top and 1 / sum to statistics [Tq, R, H, 2]. If the sum is below TILE_FAINT, exponentials
 * are recomputed relative to the maximum of the branch. */
void CPU(tile_weights)(struct tile *t, int branch, struct tile_interval span, bool fresh)
{
    for (int i = 0; i < t->rows; i++) {
        const struct tile_interval keys = tile_keys(t->a, branch, t->i0 + i, t->nk);
        const real *shared = t->shared + (int64_t)i * t->width, *far = tile_far(t, i, keys);
        real *weight = t->weight + (int64_t)i * t->width;
        real *statistics = tile_statistics(t, branch, i);
        if (fresh) {
            real sum = tile_cut(shared, keys, far, span, weight);
            statistics[0] = t->top[i];
            if (sum < TILE_FAINT) {
                statistics[0] = tile_top(t, i, keys, far);
                sum = tile_cut_own(t, i, statistics[0], keys, far, span, weight);
            }
            statistics[1] = 1 / sum;
        } else if (statistics[0] < t->top[i]) {
            tile_cut_own(t, i, statistics[0], keys, far, span, weight);
        } else {
            tile_cut(shared, keys, far, span, weight);
        }
        for (int j = span.lo; j < span.hi; j += LANES)
            vec_store(weight + j, LANES, vec_load(weight + j, LANES) * statistics[1]);
    }
}

void CPU(tile_factors)(struct tile *t, int branch, struct tile_interval span)
{
    const struct attention_args *a = t->a;
    const struct random_key key = {a->step->seed, a->dropout.stream};
    for (int i = 0; i < t->rows; i++) {
        const int64_t row = a->step->first_row[a->dropout.rows] + t->q0 + t->i0 + i;
        const uint64_t base = (uint64_t)(row * a->H + t->h) << 16;
        for (int j = span.lo; j < span.hi;) {
            const struct dropout_group group =
                dropout_blocks(key, (base + (uint64_t)j) / 128, a->step->number, (uint32_t)branch);
            do {
                vec_store(t->factor + (int64_t)i * t->width + j, LANES,
                          dropout_factor(&group, j / LANES % 8, a->dropout));
                j += LANES;
            } while (j < span.hi && j % 128);
        }
    }
}

void CPU(tile_drop)(const struct tile *t, real *weight, struct tile_interval span)
{
    for (int i = 0; i < t->rows; i++)
        for (int j = span.lo; j < span.hi; j += LANES) {
            const int64_t at = (int64_t)i * t->width + j;
            vec_store(weight + at, LANES,
                      vec_load(weight + at, LANES) * vec_load(t->factor + at, LANES));
        }
}

/* Reads a row [nk] twice: first for delta = sum_j P dP, then for total += P (dP - delta). */
void CPU(tile_softmax_backward)(const struct tile *t, struct tile_interval span, const real *slope,
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
