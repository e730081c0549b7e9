/* Computes attention of packed sentences, forward and backward. A job is one head of one sentence,
 * and processes the queries tile by tile. It computes the outputs of all branches, or the gradients
 * of queries, keys, values and the rows of terms. */
#include "core/cpu/attention_tile.h"
#include "core/cpu/tile_product.h"

/* out_r[i] = sum_j dropout(P_r[i, j]) v[j]. P_r is the softmax over branch r's keys of e[i, j] =
 * scale q[i] k[j] + terms. Shapes per job: q [nq, d], k, v [nk, d] -> out [nq, R, d]. e and P_r of
 * a tile are [16, nk]. */
static void tile_forward(const struct attention_args *a, int sentence, int h)
{
    struct tile t = CPU(tile_open)(a, sentence, h);
    const int D = a->H * a->d;
    for (int i0 = 0; i0 < t.nq; i0 += TILE_ROWS) {
        CPU(tile_energies)(&t, i0);
        CPU(tile_exponentials)(&t, true);
        for (int r = 0; r < a->R; r++) {
            const struct tile_interval span = tile_union(a, r, i0, i0 + t.rows, t.nk);
            CPU(tile_weights)(&t, r, span, true);
            if (tile_drops(a, r)) {
                CPU(tile_factors)(&t, r, span);
                CPU(tile_drop)(&t, t.weight, span);
            }
            CPU(tile_collect)(&t, r, span);
            tile_product(t.rows, a->d, span.hi - span.lo, t.weight + span.lo, t.width, 1,
                         in(a->v) + (t.k0 + span.lo) * a->ldv + h * a->d, a->ldv,
                         out(a->out) + (t.q0 + i0) * a->R * D + r * D + h * a->d, (int64_t)a->R * D,
                         false);
        }
    }
}

/* Writes x [n, d] to n rows of a gradient, ld numbers apart, from element `at` on. With `add`, adds
 * x to them. */
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

/* dq[i] = scale sum_j dE[i, j] k[j]. dk[j] = scale sum_i dE[i, j] q[i]. dv[j] = sum_r sum_i
 * dropout(P_r[i, j]) dout_r[i]. Here dE = sum_r P_r (dP_r - sum_j P_r dP_r) and dP_r[i, j] =
 * dropout(dout_r[i] v[j] + terms). Shapes: dout [nq, R, d] -> dq [nq, d], dk, dv [nk, d]. dk and dv
 * are summed over tiles in order. */
static void tile_backward(const struct attention_args *a, int sentence, int h)
{
    struct tile t = CPU(tile_open)(a, sentence, h);
    const int d = a->d, D = a->H * d, column = h * d;
    const int64_t cells = (int64_t)TILE_ROWS * t.width;
    real *values = CPU(scratch)(TILE_VALUES, (int64_t)d * t.width);
    real *slope = CPU(scratch)(TILE_SLOPE, cells), *total = CPU(scratch)(TILE_TOTAL, cells);
    real *dq = CPU(scratch)(TILE_QUERY_GRADIENT, (int64_t)TILE_ROWS * d);
    real *dk = CPU(scratch)(TILE_KEY_GRADIENT, (int64_t)t.width * d);
    real *dv = CPU(scratch)(TILE_VALUE_GRADIENT, (int64_t)t.width * d);
    memset(dk, 0, (size_t)t.width * (size_t)d * sizeof(real));
    memset(dv, 0, (size_t)t.width * (size_t)d * sizeof(real));
    CPU(tile_transpose)(in(a->v) + t.k0 * a->ldv + column, a->ldv, t.nk, d, values, t.width);
    for (int i0 = 0; i0 < t.nq; i0 += TILE_ROWS) {
        CPU(tile_energies)(&t, i0);
        CPU(tile_exponentials)(&t, false);
        for (int i = 0; i < t.rows; i++)
            for (int j = t.all.lo; j < t.all.hi; j += LANES)
                vec_store(total + (int64_t)i * t.width + j, LANES, (vec){0});
        for (int r = 0; r < a->R; r++) {
            const struct tile_interval span = tile_union(a, r, i0, i0 + t.rows, t.nk);
            const int columns = (span.hi - span.lo + LANES - 1) / LANES * LANES;
            const real *dy = in(a->out_gradient) + (t.q0 + i0) * a->R * D + r * D + column;
            CPU(tile_weights)(&t, r, span, false);
            tile_product(t.rows, columns, d, dy, (int64_t)a->R * D, 1, values + span.lo, t.width,
                         slope + span.lo, t.width, false);
            CPU(tile_spread)(&t, r, span, slope);
            if (tile_drops(a, r)) {
                CPU(tile_factors)(&t, r, span);
                CPU(tile_drop)(&t, slope, span);
            }
            CPU(tile_softmax_backward)(&t, span, slope, total);
            if (tile_drops(a, r)) CPU(tile_drop)(&t, t.weight, span);
            tile_product(span.hi - span.lo, d, t.rows, t.weight + span.lo, 1, t.width, dy,
                         (int64_t)a->R * D, dv + (int64_t)span.lo * d, d, true);
        }
        CPU(tile_slopes)(&t, total);
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

/* Returns the number of jobs that a thread takes at once. It is 1 if there are few jobs, so that
 * all threads have work until the end. */
static int jobs_at_once(int jobs)
{
    return jobs < 64 ? 1 : 4;
}

/* Estimates the count of numbers that all jobs read. Assumes that every query has as many keys as a
 * sentence of mean length. */
static int64_t numbers_of(const struct attention_args *a)
{
    return a->B ? (int64_t)a->Tq * a->Tk / a->B * a->H * a->d : 0;
}

/* q [Tq, H, d], k, v [Tk, H, d] -> out [Tq, R, H, d], statistics [Tq, R, H, 2]. For terms that add
 * to values, also writes sums of weights by kind of key, [Tq, R, H, C]. */
void CPU(attention)(const struct attention_args *a)
{
    const int jobs = a->B * a->H;
#pragma omp parallel for schedule(dynamic, jobs_at_once(jobs)) if (worth_sharing(numbers_of(a)))
    for (int job = 0; job < jobs; job++) tile_forward(a, job / a->H, job % a->H);
}

/* Inputs of attention and out_gradient [Tq, R, H, d] -> dq [Tq, H, d], dk, dv [Tk, H, d]. No two
 * jobs write the same element, because they differ in their rows or head. So the order of jobs does
 * not matter. */
void CPU(attention_backward)(const struct attention_args *a)
{
    const int jobs = a->B * a->H;
#pragma omp parallel for schedule(dynamic, jobs_at_once(jobs)) if (worth_sharing(3 * numbers_of(a)))
    for (int job = 0; job < jobs; job++) tile_backward(a, job / a->H, job % a->H);
}
