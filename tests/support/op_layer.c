/* Cases of embedding, normalization and loss. */
#include <math.h>

#include "tests/support/op_run.h"

/* Returns a size that keeps a naive double sum far from cancellation in fp32. */
static int width(struct op_run *run)
{
    return 4 + op_size(run);
}

static struct embed embed_new(struct op_run *run)
{
    struct embed e = {.step = op_step(run),
                      .T = op_size(run),
                      .D = op_size(run),
                      .V = 1 + op_below(run, run->trial % 4 ? 30 : 2),
                      .scale = (real)op_real(run, .5, 8),
                      .dropout = op_dropout(run)};
    if (run->trial % 8 == 5) e.D = 530;  /* more columns than a kernel handles in one pass */
    if (run->trial % 8 == 4) e.T = 1200; /* tokens with enough rows to fill many chunks */
    int32_t *token = op_ints(run, OP_INPUT, e.T, "token");
    for (int t = 0; t < e.T; t++) token[t] = op_below(run, e.V + 1) - 1;
    e.token = token;
    int32_t *order = op_ints(run, OP_INPUT, e.T, "order");
    for (int v = -1, at = 0; v < e.V; v++)
        for (int t = 0; t < e.T; t++)
            if (token[t] == v) order[at++] = t;
    e.order = order;
    e.table = op_reals(run, OP_INPUT, (int64_t)e.V * e.D, "table");
    if (op_flip(run)) e.bias = op_reals(run, OP_INPUT, e.D, "bias");
    return e;
}

static double embed_factor(const struct embed *e, int t, int c)
{
    const int64_t row = e->step->first_row[e->dropout.rows] + t;
    return op_factor(e->step, e->dropout, (uint64_t)(row * e->D + c), 0);
}

void op_case_embed(struct op_run *run)
{
    enum { POSITIONS = 9 };
    struct embed e = embed_new(run);
    const int64_t count = (int64_t)e.T * e.D;
    int32_t *position = op_ints(run, OP_INPUT, e.T, "position");
    for (int t = 0; t < e.T; t++) position[t] = t % POSITIONS;
    if (op_flip(run)) e.position = position;
    e.sinusoid = op_reals(run, OP_INPUT, (int64_t)POSITIONS * e.D, "sinusoid");
    real *y = op_reals(run, OP_OUTPUT, count, "out");
    e.out = op_act(y);
    double *expected = op_zeros(run, count);
    for (int t = 0; t < e.T; t++)
        for (int c = 0; c < e.D; c++) {
            double x = 0;
            if (e.token[t] >= 0)
                x = (double)e.table[(int64_t)e.token[t] * e.D + c] * (double)e.scale;
            if (e.bias) x += (double)e.bias[c];
            if (e.position) x += (double)e.sinusoid[(int64_t)position[t] * e.D + c];
            expected[(int64_t)t * e.D + c] = x * embed_factor(&e, t, c);
        }
    op_launch(run, &e.T, &e.rows);
    OP_CALL(run, embed, &e);
    op_expect(run, y, expected, count, "out");
}

void op_case_embed_backward(struct op_run *run)
{
    struct embed e = embed_new(run);
    const int64_t count = (int64_t)e.V * e.D;
    e.add_table = op_flip(run), e.add_bias = op_flip(run);
    double *table = op_sums(run, e.add_table, count, "table_gradient", &e.table_gradient);
    real *bias_gradient = op_reals(run, e.add_bias ? OP_ADDED : OP_OUTPUT, e.D, "bias_gradient");
    if (e.bias) e.bias_gradient = bias_gradient;
    real *dy = op_reals(run, OP_INPUT, (int64_t)e.T * e.D, "out_gradient");
    e.out_gradient = op_act(dy);
    double *bias = e.add_bias || !e.bias ? op_values(run, bias_gradient, e.D) : op_zeros(run, e.D);
    for (int t = 0; t < e.T; t++)
        for (int c = 0; c < e.D; c++) {
            const double d = (double)dy[(int64_t)t * e.D + c] * embed_factor(&e, t, c);
            if (e.token[t] >= 0) table[(int64_t)e.token[t] * e.D + c] += d * (double)e.scale;
            if (e.bias) bias[c] += d;
        }
    op_launch(run, &e.T, &e.rows);
    OP_CALL(run, embed_backward, &e);
    op_expect(run, e.table_gradient, table, count, "table_gradient");
    op_expect(run, bias_gradient, bias, e.D, "bias_gradient");
}

/* Returns one of three kinds: LN(x), x + s, LN(x + s). */
static struct residual_norm norm_new(struct op_run *run)
{
    struct residual_norm n = {
        .step = op_step(run), .T = op_size(run), .D = width(run), .dropout = op_dropout(run)};
    if (run->trial % 8 == 6)
        n.D = 600; /* more than a warp keeps in registers, so the kernel runs without packs */
    if (run->trial % 8 == 7) n.D = 530;
    const int kind = (int)(run->trial % 3);
    if (kind != 0) n.s = op_act(op_reals(run, OP_INPUT, (int64_t)n.T * n.D, "s"));
    if (kind == 1 || run->trial % 12 > 8) return n; /* some LN have no gain and offset */
    n.gain = op_reals(run, OP_INPUT, n.D, "gain");
    n.offset = op_reals(run, OP_INPUT, n.D, "offset");
    return n;
}

static double norm_factor(const struct residual_norm *n, int t, int c)
{
    const int64_t row = n->step->first_row[n->dropout.rows] + t;
    return op_factor(n->step, n->dropout, (uint64_t)(row * n->D + c), 0);
}

static double gain_at(const struct residual_norm *n, int c)
{
    return n->gain ? (double)n->gain[c] : 1;
}

void op_case_residual_norm(struct op_run *run)
{
    struct residual_norm n = norm_new(run);
    const int64_t count = (int64_t)n.T * n.D;
    const real *s = (const real *)(const void *)n.s;
    real *x = op_reals(run, OP_INPUT, count, "x"), *sum = op_reals(run, OP_OUTPUT, count, "sum");
    real *y = op_reals(run, OP_OUTPUT, count, "out");
    n.statistics = op_reals(run, OP_OUTPUT, 2 * (int64_t)n.T, "statistics");
    const bool normed = run->trial % 3 != 1;
    n.x = op_act(x);
    if (normed) n.out = op_act(y);
    if (s) n.sum = op_act(sum);
    double *sums = op_values(run, sum, count), *out = op_values(run, y, count);
    double *statistics = op_values(run, n.statistics, 2 * (int64_t)n.T);
    for (int t = 0; t < n.T; t++) {
        double *row = op_zeros(run, n.D), mean = 0, variance = 0;
        for (int c = 0; c < n.D; c++) {
            const int64_t at = (int64_t)t * n.D + c;
            row[c] = (double)x[at] + (s ? (double)s[at] * norm_factor(&n, t, c) : 0);
            if (s) sums[at] = row[c];
            mean += row[c] / n.D;
        }
        for (int c = 0; c < n.D; c++) variance += (row[c] - mean) * (row[c] - mean) / n.D;
        for (int c = 0; c < n.D && normed; c++)
            out[(int64_t)t * n.D + c] = (row[c] - mean) / sqrt(variance + 1e-6) * gain_at(&n, c) +
                                        (n.offset ? (double)n.offset[c] : 0);
        if (normed) statistics[2 * t] = mean, statistics[2 * t + 1] = 1 / sqrt(variance + 1e-6);
    }
    const int T = n.T;
    op_launch(run, &n.T, &n.rows);
    OP_CALL(run, residual_norm, &n);
    op_expect(run, sum, sums, count, "sum");
    op_expect(run, y, out, count, "out");
    op_expect(run, n.statistics, statistics, 2 * (int64_t)T, "statistics");
}

/* An output of a backward op that may be absent, or to which the op adds. */
struct slope {
    real *x;
    double *expected;
    bool there, add;
};

static struct slope slope_new(struct op_run *run, int64_t count, bool there, const char *name)
{
    struct slope slope = {.there = there, .add = op_flip(run)};
    slope.x = op_reals(run, there && slope.add ? OP_ADDED : OP_OUTPUT, count, name);
    slope.expected = there && !slope.add ? op_zeros(run, count) : op_values(run, slope.x, count);
    return slope;
}

/* Runs the whole backward op; with `apart` the sums for gain and offset run as an op of their
 * own. */
static void norm_backward(struct op_run *run, bool apart)
{
    struct residual_norm n = norm_new(run);
    const int64_t count = (int64_t)n.T * n.D;
    const bool normed = run->trial % 3 != 1 && (!n.s || op_below(run, 4)),
               summed = n.s && (!normed || op_flip(run));
    real *x = op_reals(run, OP_INPUT, count, "x or sum"); /* the normalized values */
    real *dy = op_reals(run, OP_INPUT, count, "out_gradient");
    real *dsum = op_reals(run, OP_INPUT, count, "sum_gradient");
    real *statistics = op_reals(run, OP_INPUT, 2 * (int64_t)n.T, "statistics");
    for (int t = 0; t < n.T; t++) {
        double mean = 0, square = 0;
        for (int c = 0; c < n.D; c++) mean += (double)x[(int64_t)t * n.D + c] / n.D;
        for (int c = 0; c < n.D; c++)
            square += pow((double)x[(int64_t)t * n.D + c] - mean, 2) / n.D;
        statistics[2 * t] = (real)mean, statistics[2 * t + 1] = (real)(1 / sqrt(square + 1e-6));
    }
    struct slope dx = slope_new(run, count, op_below(run, 4), "x_gradient");
    struct slope ds = slope_new(run, count, n.s && op_below(run, 4), "s_gradient");
    struct slope gain = slope_new(run, n.D, normed && op_below(run, 4) && n.gain, "gain_gradient");
    struct slope offset = slope_new(run, n.D, gain.there, "offset_gradient");
    n.statistics = statistics;
    if (n.s)
        n.sum = op_act(x);
    else
        n.x = op_act(x);
    if (normed) n.out_gradient = op_act(dy);
    if (summed) n.sum_gradient = op_act(dsum);
    if (dx.there) n.x_gradient = op_act(dx.x);
    if (ds.there) n.s_gradient = op_act(ds.x);
    if (gain.there) n.gain_gradient = gain.x, n.offset_gradient = offset.x;
    n.add_x = dx.add, n.add_s = ds.add, n.add_gain = gain.add, n.add_offset = offset.add;
    for (int t = 0; t < n.T; t++) {
        const double center = (double)statistics[2 * t], inverse = (double)statistics[2 * t + 1];
        double mean = 0, mean_hat = 0;
        for (int c = 0; c < n.D && normed; c++) {
            const int64_t at = (int64_t)t * n.D + c;
            const double d = (double)dy[at], hat = ((double)x[at] - center) * inverse;
            mean += d * gain_at(&n, c) / n.D, mean_hat += d * gain_at(&n, c) * hat / n.D;
            if (gain.there) gain.expected[c] += d * hat, offset.expected[c] += d;
        }
        for (int c = 0; c < n.D; c++) {
            const int64_t at = (int64_t)t * n.D + c;
            double total = summed ? (double)dsum[at] : 0;
            if (normed)
                total += inverse * ((double)dy[at] * gain_at(&n, c) - mean -
                                    ((double)x[at] - center) * inverse * mean_hat);
            if (dx.there) dx.expected[at] += total;
            if (ds.there) ds.expected[at] += total * norm_factor(&n, t, c);
        }
    }
    op_launch(run, &n.T, &n.rows);
    if (apart) n.parts = op_reals(run, OP_OUTPUT, (int64_t)n.T * n.D, "parts");
    OP_CALL(run, residual_norm_backward, &n);
    if (apart) OP_CALL(run, residual_norm_sums, &n);
    op_expect(run, dx.x, dx.expected, count, "x_gradient");
    op_expect(run, ds.x, ds.expected, count, "s_gradient");
    op_expect(run, gain.x, gain.expected, n.D, "gain_gradient");
    op_expect(run, offset.x, offset.expected, n.D, "offset_gradient");
}

OP_SHARED(residual_norm_backward, norm_backward(run, false))
OP_SHARED(residual_norm_sums, norm_backward(run, true))

void op_case_cross_entropy(struct op_run *run)
{
    struct cross_entropy c = {.step = op_step(run),
                              .T = op_size(run),
                              .V = 1 + op_size(run),
                              .smoothing = op_flip(run) ? .1 : 0,
                              .gradient = op_flip(run)};
    if (run->trial % 16 == 9)
        c.T = 1 + c.T % 3, c.V = 60000; /* larger than the memory of a block of the device */
    if (run->trial % 16 == 6) c.V = 2, c.smoothing = .1;
    c.ld = c.V + (op_flip(run) ? 0 : op_below(run, 20));
    const int64_t count = (int64_t)(c.T - 1) * c.ld + c.V;
    real *x = op_reals(run, c.gradient ? OP_ADDED : OP_INPUT, count, "logits");
    int32_t *label = op_ints(run, OP_INPUT, c.T, "label");
    for (int t = 0; t < c.T; t++) label[t] = op_below(run, c.V);
    const double moved = run->trial % 8 == 5 ? -1024 : 0; /* exp(moved) is 0 */
    for (int64_t i = 0; i < count; i++)
        x[i] = op_rounded(run, moved + (double)x[i] * (run->trial % 4 ? 5 : 40));
    c.logits = op_act(x), c.label = label;
    c.loss = op_reals(run, OP_OUTPUT, c.T, "loss");
    c.likelihood = op_reals(run, OP_OUTPUT, c.T, "likelihood");
    double *loss = op_zeros(run, c.T), *likelihood = op_zeros(run, c.T);
    double *gradient = op_values(run, x, count);
    const double rest = c.smoothing / (c.V - 1), gold = 1 - c.smoothing;
    for (int t = 0; t < c.T; t++) {
        double *row = gradient + (int64_t)t * c.ld, top = -INFINITY, sum = 0;
        for (int v = 0; v < c.V; v++) top = fmax(top, row[v]);
        for (int v = 0; v < c.V; v++) sum += exp(row[v] - top);
        for (int v = 0; v < c.V; v++) {
            const double target = v == label[t] ? gold : rest, p = exp(row[v] - top) / sum;
            const double minus_log = top + log(sum) - row[v];
            if (v == label[t]) likelihood[t] = minus_log;
            loss[t] += target * (minus_log + (target > 0 ? log(target) : 0));
            if (c.gradient) row[v] = (p - target) / c.step->normalizer;
        }
    }
    const int T = c.T;
    op_launch(run, &c.T, &c.rows);
    OP_CALL(run, cross_entropy, &c);
    op_expect(run, x, gradient, count, "logits");
    op_expect(run, c.loss, loss, T, "loss");
    op_expect(run, c.likelihood, likelihood, T, "likelihood");
}
