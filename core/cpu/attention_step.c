/* Attention of one query a row, for beam search: keys and values are found by index among the rows
 * of all steps. */
#include "core/cpu/term_lane.h"
#include "attention/dispatch.h"

static struct term_row step_term(const struct attention_step *a, const struct attention_term *term,
                                 int row, int h, int lo, int hi)
{
    struct term_row at = {.term = term, .i = a->query, .h = h, .lo = lo, .hi = hi};
    for (int k = 0; k < TERM_ROWS; k++)
        if (term->row[k])
            at.row[k] = in(term->row[k]) + ((int64_t)row * term->heads + h) * term->columns[k];
    return at;
}

/* Weights [lo, hi) of branch r by kind of key, for terms of the values, which read whole lanes. */
static void step_collect(const struct attention_step *a, int row, int h, int r, int lo, int hi,
                         real *weight)
{
    const int from = lo / LANES * LANES, to = (hi + LANES - 1) / LANES * LANES;
    for (int j = from; j < lo; j++) weight[j] = 0;
    for (int j = hi; j < to; j++) weight[j] = 0;
    for (int k = 0; k < a->terms; k++) {
        const int64_t kinds = a->term[k].kinds;
        if (!kinds) continue;
        const struct term_row at = step_term(a, &a->term[k], row, h, from, hi);
        term_collect(&at, weight,
                     out(a->term[k].weight) + (((int64_t)row * a->R + r) * a->H + h) * kinds);
    }
}

/* Which of n keys terms cut, into far; NULL: none of them cuts. */
static const real *step_cuts(const struct attention_step *a, int row, int h, int n, real *far)
{
    bool any = false;
    for (int k = 0; k < a->terms; k++) {
        if (!term_cuts(&a->term[k], h)) continue;
        if (!any) memset(far, 0, (size_t)n * sizeof *far);
        const struct term_row at = step_term(a, &a->term[k], row, h, 0, n);
        term_cut(&at, far);
        any = true;
    }
    return any ? far : NULL;
}

/* Softmax of energies [lo, hi), but for keys that are far (NULL: none). */
static void step_softmax(const real *energy, const real *far, int lo, int hi, real *weight)
{
    real top = -INFINITY, sum = 0;
    for (int j = lo; j < hi; j++)
        if (!(far && far[j] > 0) && energy[j] > top) top = energy[j];
    for (int j = lo; j < hi; j += LANES)
        vec_store(weight + j, hi - j, vec_exp(vec_load(energy + j, hi - j) - top));
    for (int j = lo; j < hi && far; j++)
        if (far[j] > 0) weight[j] = 0;
    for (int j = lo; j < hi; j++) sum += weight[j];
    for (int j = lo; j < hi; j++) weight[j] /= sum;
}

/* One query: e[j] = scale q k[index[j]] + terms, [n]; then of each branch, with its own maximum,
 * out_r = sum_j P_r[j] v[index[j]], [d]. */
static void step_head(const struct attention_step *a, int row, int h)
{
    const int begin = a->begin[row], n = a->begin[row + 1] - begin, d = a->d, D = a->H * d;
    const real *q = in(a->q) + (int64_t)row * a->ldq + h * d;
    real *energy = CPU(scratch)(0, 3 * (int64_t)n + 3 * LANES);
    real *weight = energy + n + LANES, *marks = weight + n + LANES;
    for (int j = 0; j < n; j++) {
        const real *k = in(a->k) + (int64_t)a->index[begin + j] * a->ldk + h * d;
        vec dot = {0};
        for (int c = 0; c < d; c += LANES)
            dot = vec_fma(vec_load(q + c, d - c) * a->scale, vec_load(k + c, d - c), dot);
        energy[j] = vec_sum(dot);
    }
    for (int k = 0; k < a->terms; k++) {
        if (h >= a->term[k].heads) continue;
        const struct term_row at = step_term(a, &a->term[k], row, h, 0, n);
        term_energy(&at, energy);
    }
    const real *far = step_cuts(a, row, h, n, marks);
    for (int r = 0; r < a->R; r++) {
        const struct attention_reach reach = a->branch[r];
        const int lo = a->query > reach.before ? a->query - reach.before : 0;
        const int hi = n - a->query > reach.after + 1 ? a->query + reach.after + 1 : n;
        step_softmax(energy, term_far(far, lo, hi), lo, hi, weight);
        step_collect(a, row, h, r, lo, hi, weight);
        real *y = out(a->out) + (int64_t)row * a->R * D + r * D + h * d;
        for (int c = 0; c < d; c += LANES) {
            vec total = {0};
            for (int j = lo; j < hi; j++) {
                const real *v = in(a->v) + (int64_t)a->index[begin + j] * a->ldv + h * d + c;
                total = vec_fma(vec_full(weight[j]), vec_load(v, d - c), total);
            }
            vec_store(y + c, d - c, total);
        }
    }
}

/* q [rows, H, d], k, v [.., H, d] -> out [rows, R, H, d]; a thread has rows. */
void CPU(attention_step)(const struct attention_step *a)
{
#pragma omp parallel for schedule(static)
    for (int row = 0; row < a->rows; row++)
        for (int h = 0; h < a->H; h++) step_head(a, row, h);
}
