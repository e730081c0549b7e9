/* Cases of attention, with and without terms: every op against a dense oracle in double. The
 * oracle computes one sentence, head and branch at a time, with the whole matrix of weights. */

#include "tests/support/op_term.h"
#include "tests/support/test.h"

/* q, k and v in the layout of a block: views of one [T, 3D] (self), or of [Tq, D] and [Tk, 2D]
 * (cross). */
struct heads {
    struct attention_args a;
    struct op_terms terms;
    real *q, *k, *v;
    int D;
    bool self;
};

/* Returns a window, one direction, or no limit. */
static struct attention_reach reach_new(struct op_run *run, bool any)
{
    static const int near[] = {ATTENTION_FAR, ATTENTION_FAR, 0, 1, 2, 5, 17, 4096};
    if (!any) return (struct attention_reach){ATTENTION_FAR, ATTENTION_FAR, op_flip(run)};
    return (struct attention_reach){near[op_below(run, 8)], near[op_below(run, 8)], op_flip(run)};
}

static bool reached(struct attention_reach reach, int i, int j)
{
    return j >= i - reach.before && j <= i + reach.after;
}

static const struct op_query *queries(struct op_run *run, const struct attention_args *a)
{
    struct op_query *query = ARENA_ARRAY(&run->arena, struct op_query, a->Tq);
    for (int b = 0; b < a->B; b++)
        for (int t = a->start_q[b]; t < a->start_q[b + 1]; t++)
            query[t] = (struct op_query){t - a->start_q[b], a->start_k[b + 1] - a->start_k[b]};
    return query;
}

static struct heads heads_new(struct op_run *run)
{
    static const int widths[] = {1, 3, 4, 7, 8, 16, 17, 20, 32, 33};
    const bool usual = run->trial % 4 == 0; /* shapes for which a device may have faster code */
    struct heads x = {.self = op_below(run, 3)};
    struct attention_args *a = &x.a;
    *a = (struct attention_args){.step = op_step(run),
                                 .B = 1 + op_below(run, 4),
                                 .H = 1 + op_below(run, 3),
                                 .d = widths[op_below(run, 10)],
                                 .R = 1 + op_below(run, 3),
                                 .dropout = op_dropout(run)};
    if (usual) a->d = run->trial / 8 % 2 ? 64 : 32;
    /* Up to several tiles of keys and queries. A device may keep a single branch in one tile,
     * also of both widths from trial 4 on. */
    const int longest = run->trial % 8 == 0                              ? 140
                        : run->trial % 16 == 12 || run->trial % 32 == 20 ? 110
                        : run->trial % 16 == 4                           ? 7
                                                                         : 20;
    if (run->trial % 8 == 4) a->R = 1;
    x.D = a->H * a->d;
    a->causal = x.self && op_flip(run);
    for (int r = 0; r < a->R; r++) a->branch[r] = reach_new(run, x.self);
    a->start_q = op_sentences(run, a->B, longest, "start_q");
    a->start_k = x.self ? a->start_q : op_sentences(run, a->B, longest, "start_k");
    a->Tq = a->start_q[a->B], a->Tk = a->start_k[a->B];
    a->group_q = op_groups(run, a->start_q, a->B), a->group_k = op_groups(run, a->start_k, a->B);
    a->tile_q = op_tiles(run, a->start_q, a->B), a->tile_k = op_tiles(run, a->start_k, a->B);
    a->longest = run->trial % 4 == 2
                     ? 2000
                     : longest; /* a device has room for fewer rows at the same time */
    a->ldq = x.self ? 3 * x.D : x.D, a->ldk = a->ldv = x.self ? 3 * x.D : 2 * x.D;
    x.q = op_reals(run, OP_INPUT, (int64_t)a->Tq * a->ldq, "q");
    x.k = x.self ? x.q + x.D : op_reals(run, OP_INPUT, (int64_t)a->Tk * a->ldk, "k");
    x.v = x.k + x.D;
    a->q = op_act(x.q), a->k = op_act(x.k), a->v = op_act(x.v);
    a->scale = (real)(op_real(run, .5, 3) / sqrt(a->d));
    x.terms = op_terms_new(run, a->H, a->R, a->Tq, queries(run, a));
    if (usual) x.terms.count = 0;
    a->terms = x.terms.count;
    return x;
}

static bool allowed(const struct attention_args *a, int r, int i, int j)
{
    return reached(a->branch[r], i, j) && (!a->causal || j <= i);
}

/* Computes one row of weights before dropout: nk values. statistics: the number subtracted from
 * the energies, and 1 / sum of the exponentials. The number is the largest energy of all
 * branches, or of this branch if the sum would be below `faint`. */
static void weights(const struct heads *x, int b, int h, int r, int i, double faint, double *weight,
                    double statistics[2])
{
    const struct attention_args *a = &x->a;
    const int64_t q0 = a->start_q[b], k0 = a->start_k[b];
    const int nk = (int)(a->start_k[b + 1] - k0);
    double all = -INFINITY, top = -INFINITY, sum = 0;
    bool cuts = false; /* no effect if no key is left */
    for (int j = 0; j < nk; j++)
        cuts = cuts || (allowed(a, r, i, j) && !op_terms_cut(&x->terms, q0 + i, h, j));
    for (int j = 0; j < nk; j++) {
        weight[j] = 0;
        for (int c = h * a->d; c < (h + 1) * a->d; c++)
            weight[j] += (double)x->q[(q0 + i) * a->ldq + c] * (double)x->k[(k0 + j) * a->ldk + c];
        weight[j] = weight[j] * (double)a->scale + op_terms_energy(&x->terms, q0 + i, h, j);
        if (allowed(a, r, i, j) && !(cuts && op_terms_cut(&x->terms, q0 + i, h, j)))
            top = fmax(top, weight[j]);
        for (int other = 0; other < a->R; other++)
            if (allowed(a, other, i, j)) all = fmax(all, weight[j]);
    }
    for (int j = 0; j < nk; j++) {
        const bool seen = allowed(a, r, i, j) && !(cuts && op_terms_cut(&x->terms, q0 + i, h, j));
        weight[j] = seen ? exp(weight[j] - top) : 0;
        sum += weight[j];
    }
    for (int j = 0; j < nk; j++) weight[j] /= sum;
    const bool shared = sum * exp(top - all) >= faint;
    statistics[0] = shared ? all : top;
    statistics[1] = 1 / (sum * exp(top - statistics[0]));
}

static double weight_factor(const struct attention_args *a, int64_t row, int h, int r, int j)
{
    if (a->branch[r].undropped) return 1;
    const int64_t at = a->step->first_row[a->dropout.rows] + row;
    return op_factor(a->step, a->dropout,
                     (((uint64_t)at * (uint64_t)a->H + (uint64_t)h) << 16) + (uint64_t)j,
                     (uint32_t)r);
}

/* Returns the index of a row's statistics in [Tq, R, H, 2]. */
static int64_t statistics_at(const struct attention_args *a, int64_t row, int r, int h)
{
    return ((row * a->R + r) * a->H + h) * 2;
}

void op_case_attention(struct op_run *run)
{
    struct heads x = heads_new(run);
    struct attention_args *a = &x.a;
    /* In some trials a branch has only keys far below the maximum of another branch. */
    if (run->trial % 4 == 3 && !x.terms.count) a->scale *= 100;
    const int64_t width = (int64_t)a->R * x.D, count = a->Tq * width;
    const int64_t numbers = (int64_t)a->Tq * a->R * a->H * 2;
    real *out = op_reals(run, OP_OUTPUT, count, "out");
    a->statistics = op_reals(run, OP_OUTPUT, numbers, "statistics");
    a->out = op_act(out);
    op_terms_forward(run, &x.terms, a->term);
    double *expected = op_zeros(run, count), *statistics = op_zeros(run, numbers);
    double *weight = op_zeros(run, a->Tk);
    for (int b = 0; b < a->B; b++)
        for (int h = 0; h < a->H; h++)
            for (int r = 0; r < a->R; r++)
                for (int64_t row = a->start_q[b]; row < a->start_q[b + 1]; row++) {
                    double *y = expected + row * width + (int64_t)r * x.D;
                    weights(&x, b, h, r, (int)(row - a->start_q[b]), 1e-5, weight,
                            statistics + statistics_at(a, row, r, h));
                    for (int64_t j = a->start_k[b]; j < a->start_k[b + 1]; j++) {
                        const int at = (int)(j - a->start_k[b]);
                        const double p = weight[at] * weight_factor(a, row, h, r, at);
                        op_terms_collect(&x.terms, row, r, h, at, p);
                        for (int c = h * a->d; c < (h + 1) * a->d; c++)
                            y[c] += p * (double)x.v[j * a->ldv + c];
                    }
                }
    OP_CALL(run, attention, a);
    op_expect(run, out, expected, count, "out");
    /* The subtracted number is free, but both together must be log sum_j exp(e[j]). */
    for (int64_t i = 0; i < numbers; i += 2) {
        real *own = a->statistics + i;
        assert_true(isfinite(own[0]) && own[1] > 0 && isfinite(own[1]));
        own[0] -= (real)log((double)own[1]);
        statistics[i] -= log(statistics[i + 1]);
        own[1] = 0, statistics[i + 1] = 0;
    }
    op_expect(run, a->statistics, statistics, numbers, "statistics");
    op_terms_expect(run, &x.terms);
}

/* Prepares the gradient of x: the same strides, NaN in the gaps, random values if the op adds to
 * it. */
static double *slope(struct op_run *run, real *x, int T, int ld, int D, bool add)
{
    for (int t = 0; t < T; t++)
        for (int c = 0; c < D && add; c++)
            x[(int64_t)t * ld + c] = op_rounded(run, op_real(run, -1, 1));
    double *expected = op_zeros(run, (int64_t)T * D);
    for (int t = 0; t < T; t++)
        for (int c = 0; c < D && add; c++)
            expected[(int64_t)t * D + c] = (double)x[(int64_t)t * ld + c];
    return expected;
}

static void expect_slope(struct op_run *run, const real *x, const double *expected, int T, int ld,
                         int D, const char *name)
{
    real *packed = arena_alloc(&run->arena, ((size_t)T * (size_t)D + 1) * sizeof *packed);
    for (int t = 0; t < T; t++)
        for (int c = 0; c < D; c++) packed[(int64_t)t * D + c] = x[(int64_t)t * ld + c];
    op_expect_above(run, packed, expected, (int64_t)T * D, .1, name);
}

void op_case_attention_backward(struct op_run *run)
{
    struct heads x = heads_new(run);
    struct attention_args *a = &x.a;
    const int D = x.D;
    const int64_t width = (int64_t)a->R * D, numbers = (int64_t)a->Tq * a->R * a->H * 2;
    real *dy = op_reals(run, OP_INPUT, a->Tq * width, "out_gradient");
    real *statistics = op_reals(run, OP_INPUT, numbers, "statistics");
    real *dq = op_reals(run, OP_OUTPUT, (int64_t)a->Tq * a->ldq, "dq");
    real *dk = x.self ? dq + D : op_reals(run, OP_OUTPUT, (int64_t)a->Tk * a->ldk, "dk");
    real *dv = dk + D;
    a->out_gradient = op_act(dy), a->statistics = statistics;
    a->dq = op_act(dq), a->dk = op_act(dk), a->dv = op_act(dv);
    op_terms_backward(run, &x.terms, a->term);
    a->add_q = op_flip(run), a->add_k = op_flip(run), a->add_v = op_flip(run);
    double *eq = slope(run, dq, a->Tq, a->ldq, D, a->add_q);
    double *ek = slope(run, dk, a->Tk, a->ldk, D, a->add_k);
    double *ev = slope(run, dv, a->Tk, a->ldv, D, a->add_v);
    double *weight = op_zeros(run, a->Tk), *dp = op_zeros(run, a->Tk);
    const double faint = run->trial % 2 ? .5 : 1e-5; /* the op may subtract either number */
    for (int b = 0; b < a->B; b++)
        for (int h = 0; h < a->H; h++)
            for (int r = 0; r < a->R; r++)
                for (int64_t row = a->start_q[b]; row < a->start_q[b + 1]; row++) {
                    const int nk = a->start_k[b + 1] - a->start_k[b];
                    const int64_t k0 = a->start_k[b];
                    const real *d = dy + row * width + (int64_t)r * D;
                    double kept[2], dot = 0;
                    weights(&x, b, h, r, (int)(row - a->start_q[b]), faint, weight, kept);
                    for (int i = 0; i < 2; i++)
                        statistics[statistics_at(a, row, r, h) + i] = (real)kept[i];
                    for (int j = 0; j < nk; j++) {
                        const double factor = weight_factor(a, row, h, r, j);
                        dp[j] = op_terms_spread(&x.terms, row, r, h, j) * factor;
                        for (int c = h * a->d; c < (h + 1) * a->d; c++) {
                            dp[j] += (double)d[c] * (double)x.v[(k0 + j) * a->ldv + c] * factor;
                            ev[(k0 + j) * D + c] += weight[j] * factor * (double)d[c];
                        }
                        dot += weight[j] * dp[j];
                    }
                    for (int j = 0; j < nk; j++) {
                        const double bent = weight[j] * (dp[j] - dot);
                        const double de = bent * (double)a->scale;
                        op_terms_slope(&x.terms, row, h, j, bent);
                        for (int c = h * a->d; c < (h + 1) * a->d; c++) {
                            eq[row * D + c] += de * (double)x.k[(k0 + j) * a->ldk + c];
                            ek[(k0 + j) * D + c] += de * (double)x.q[row * a->ldq + c];
                        }
                    }
                }
    OP_CALL(run, attention_backward, a);
    expect_slope(run, dq, eq, a->Tq, a->ldq, D, "dq");
    expect_slope(run, dk, ek, a->Tk, a->ldk, D, "dk");
    expect_slope(run, dv, ev, a->Tk, a->ldv, D, "dv");
    op_terms_expect(run, &x.terms);
}

void op_case_attention_step(struct op_run *run)
{
    static const int widths[] = {1, 4, 7, 16, 20, 33, 64, 80};
    struct attention_step a = {.rows = 1 + op_below(run, 9),
                               .H = 1 + op_below(run, 3),
                               .d = widths[op_below(run, 8)],
                               .R = 1 + op_below(run, 3),
                               .scale = (real)op_real(run, .2, 2)};
    const bool self =
        op_flip(run); /* all rows at one position; else every row has its own number of keys */
    const int D = a.H * a.d, memory = 60, most = 40;
    a.query = op_below(run, most);
    a.longest = most;
    for (int r = 0; r < a.R; r++) a.branch[r] = reach_new(run, self);
    int32_t *begin = op_ints(run, OP_INPUT, a.rows + 1, "begin");
    begin[0] = 0;
    for (int i = 0; i < a.rows; i++)
        begin[i + 1] = begin[i] + (self ? a.query + 1 : 1 + op_below(run, most));
    int32_t *index = op_ints(run, OP_INPUT, begin[a.rows], "index");
    for (int i = 0; i < begin[a.rows]; i++) index[i] = op_below(run, memory);
    a.begin = begin, a.index = index;
    a.ldq = self ? 3 * D : D, a.ldk = a.ldv = 2 * D;
    real *q = op_reals(run, OP_INPUT, (int64_t)a.rows * a.ldq, "q");
    real *kv = op_reals(run, OP_INPUT, (int64_t)memory * 2 * D, "keys and values");
    real *out = op_reals(run, OP_OUTPUT, (int64_t)a.rows * a.R * D, "out");
    a.q = op_act(q), a.k = op_act(kv), a.v = op_act(kv + D), a.out = op_act(out);
    struct op_query *query = ARENA_ARRAY(&run->arena, struct op_query, a.rows);
    for (int i = 0; i < a.rows; i++) query[i] = (struct op_query){a.query, begin[i + 1] - begin[i]};
    struct op_terms terms = op_terms_new(run, a.H, a.R, a.rows, query);
    a.terms = terms.count;
    op_terms_forward(run, &terms, a.term);
    double *expected = op_zeros(run, (int64_t)a.rows * a.R * D), *weight = op_zeros(run, most);
    for (int i = 0; i < a.rows; i++)
        for (int h = 0; h < a.H; h++)
            for (int r = 0; r < a.R; r++) {
                const int n = begin[i + 1] - begin[i];
                double sum = 0;
                bool cuts = false;
                for (int j = 0; j < n; j++)
                    cuts = cuts ||
                           (reached(a.branch[r], a.query, j) && !op_terms_cut(&terms, i, h, j));
                for (int j = 0; j < n; j++) {
                    double energy = 0;
                    for (int c = h * a.d; c < (h + 1) * a.d; c++)
                        energy += (double)q[(int64_t)i * a.ldq + c] *
                                  (double)kv[(int64_t)index[begin[i] + j] * 2 * D + c];
                    const bool seen = reached(a.branch[r], a.query, j) &&
                                      !(cuts && op_terms_cut(&terms, i, h, j));
                    energy = energy * (double)a.scale + op_terms_energy(&terms, i, h, j);
                    weight[j] = seen ? exp(energy) : 0;
                    sum += weight[j];
                }
                for (int j = 0; j < n; j++) {
                    op_terms_collect(&terms, i, r, h, j, weight[j] / sum);
                    for (int c = h * a.d; c < (h + 1) * a.d; c++)
                        expected[((int64_t)i * a.R + r) * D + c] +=
                            weight[j] / sum *
                            (double)kv[((int64_t)index[begin[i] + j] * 2 + 1) * D + c];
                }
            }
    OP_CALL(run, attention_step, &a);
    op_expect(run, out, expected, (int64_t)a.rows * a.R * D, "out");
    op_terms_expect(run, &terms);
}
