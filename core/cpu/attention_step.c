/* Computes attention for beam search, with one query per row. `index` selects the keys and values
 * of a query from the rows of all steps. */
#include "core/cpu/dots.h"
#include "core/cpu/term_lane.h"
#include "attention/dispatch.h"

/* Maximum number of registers of an output that step_block sums at the same time. */
enum { STEP_REGS = 4 };

static struct term_row step_term(const struct attention_step *a, const struct attention_term *term,
                                 int row, int h, int lo, int hi)
{
    struct term_row at = {.term = term, .i = a->query, .h = h, .lo = lo, .hi = hi};
    for (int k = 0; k < TERM_ROWS; k++)
        if (term->row[k])
            at.row[k] = in(term->row[k]) + ((int64_t)row * term->heads + h) * term->columns[k];
    return at;
}

/* For terms that add to values: sums the weights [lo, hi) of branch r by kind of key. First sets
 * the padding up to whole vectors to zero, because terms read whole vectors. */
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

/* Writes the mask of cut keys [n] to `far` and returns `far`; NULL if no term cuts. */
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

/* Computes the softmax of energies [lo, hi). A key j with far[j] > 0 gets weight 0. If `far` is
 * NULL, no key is cut. */
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
    for (int j = lo; j < hi; j += LANES)
        vec_store(weight + j, hi - j, vec_load(weight + j, hi - j) / sum);
}

/* energy[j] is the dot product of q [d] and the j-th key [d]. q is scaled and padded with zeros to
 * whole vectors. The products of columns c, c + 16, .. are one chain; the 16 chains are summed as
 * by vec_sum. Writes n energies and up to DOTS - 1 further numbers. `whole` is true if d is a
 * multiple of LANES. */
INLINE void step_energies(const bool whole, const real *q, const real *k, int64_t ldk,
                          const int32_t *index, int n, int d, real *energy)
{
    for (int j = 0; j < n; j += DOTS) {
        folded sum[DOTS];
#pragma GCC unroll 2
        for (int half = 0; half < DOTS; half += DOTS / 2) {
            reg dot[DOTS / 2][REGS];
            const real *key[DOTS / 2];
#pragma GCC unroll 4
            for (int i = 0; i < DOTS / 2; i++) {
                const int at = j + half + i < n ? j + half + i : n - 1;
                key[i] = k + index[at] * ldk;
#pragma GCC unroll 4
                for (int p = 0; p < REGS; p++) dot[i][p] = (reg){0};
            }
            for (int c = 0; c < d; c += LANES)
#pragma GCC unroll 4
                for (int p = 0; p < REGS; p++) {
                    const int at = c + p * REG;
                    const reg left = reg_load(q + at, REG);
#pragma GCC unroll 4
                    for (int i = 0; i < DOTS / 2; i++)
                        dot[i][p] =
                            reg_each(left, reg_load(key[i] + at, whole ? REG : d - at), dot[i][p]);
                }
#pragma GCC unroll 4
            for (int i = 0; i < DOTS / 2; i++) sum[half + i] = dots_fold(dot[i]);
        }
        dots_sum(sum, energy + j);
    }
}

/* Computes `regs` registers of y [left] = sum_j weight[j] v[index[j]] over the keys [lo, hi). regs
 * and `whole` must be constants. `whole` is true if y fills all registers. */
INLINE void step_block(const int regs, const bool whole, const real *weight, const real *v,
                       int64_t ldv, const int32_t *index, int lo, int hi, real *y, int left)
{
    const int last = whole ? REG : left - (regs - 1) * REG;
    reg total[STEP_REGS];
#pragma GCC unroll 4
    for (int x = 0; x < regs; x++) total[x] = (reg){0};
    for (int j = lo; j < hi; j++) {
        const real *value = v + index[j] * ldv;
#pragma GCC unroll 4
        for (int x = 0; x < regs; x++)
            total[x] =
                reg_fma(weight[j], reg_load(value + x * REG, x < regs - 1 ? REG : last), total[x]);
    }
#pragma GCC unroll 4
    for (int x = 0; x < regs; x++) reg_store(y + x * REG, x < regs - 1 ? REG : last, total[x]);
}

/* y [d] = sum_j weight[j] v[index[j]] over the keys [lo, hi). Each number of y is one chain of
 * multiply-adds in the order of j. */
static void step_values(const real *weight, const real *v, int64_t ldv, const int32_t *index,
                        int lo, int hi, real *y, int d)
{
    for (int c = 0; c < d; c += STEP_REGS * REG) {
        const int left = d - c;
#define BLOCK(regs, whole) step_block(regs, whole, weight, v + c, ldv, index, lo, hi, y + c, left)
        if (left >= 4 * REG)
            BLOCK(4, true);
        else if (left > 3 * REG)
            BLOCK(4, false);
        else if (left > 2 * REG)
            BLOCK(3, false);
        else if (left == 2 * REG)
            BLOCK(2, true);
        else if (left > REG)
            BLOCK(2, false);
        else
            BLOCK(1, false);
#undef BLOCK
    }
}

/* One query: e[j] = scale q k[index[j]] + terms, [n]. Then, for each branch, out_r = sum_j P_r[j]
 * v[index[j]], [d]. P_r is the softmax over the keys of the branch. */
static void step_head(const struct attention_step *a, int row, int h)
{
    const int begin = a->begin[row], n = a->begin[row + 1] - begin, d = a->d, D = a->H * d;
    const int32_t *index = a->index + begin;
    const real *q = in(a->q) + (int64_t)row * a->ldq + h * d;
    const real *k = in(a->k) + h * d, *v = in(a->v) + h * d;
    real *energy = CPU(scratch)(0, 3 * (int64_t)n + 3 * LANES);
    real *weight = energy + n + LANES, *marks = weight + n + LANES;
    real *scaled = CPU(scratch)(1, d + LANES);
    for (int c = 0; c < d; c += LANES)
        vec_store(scaled + c, LANES, vec_load(q + c, d - c) * a->scale);
    if (d % LANES == 0)
        step_energies(true, scaled, k, a->ldk, index, n, d, energy);
    else
        step_energies(false, scaled, k, a->ldk, index, n, d, energy);
    for (int t = 0; t < a->terms; t++) {
        if (h >= a->term[t].heads) continue;
        const struct term_row at = step_term(a, &a->term[t], row, h, 0, n);
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
        step_values(weight, v, a->ldv, index, lo, hi, y, d);
    }
}

/* q [rows, H, d], k, v [.., H, d] -> out [rows, R, H, d]; parallel over rows. */
void CPU(attention_step)(const struct attention_step *a)
{
#pragma omp parallel for schedule(                                                                 \
    static) if (worth_sharing((int64_t)a->rows * a->longest * a->H * a->d))
    for (int row = 0; row < a->rows; row++)
        for (int h = 0; h < a->H; h++) step_head(a, row, h);
}
