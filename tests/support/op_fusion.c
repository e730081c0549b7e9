/* Cases of the ops that merge several branches of attention into one output. */
#include <math.h>

#include "tests/support/op_run.h"

static struct sum_branches sum_branches_new(struct op_run *run)
{
    return (struct sum_branches){
        .T = op_size(run), .D = op_size(run), .R = 1 + op_below(run, ATTENTION_BRANCHES)};
}

void op_case_sum_branches(struct op_run *run)
{
    struct sum_branches s = sum_branches_new(run);
    const int64_t count = (int64_t)s.T * s.D;
    real *x = op_reals(run, OP_INPUT, s.R * count, "x");
    real *y = op_reals(run, OP_OUTPUT, count, "out");
    s.x = op_act(x), s.out = op_act(y);
    double *sum = op_zeros(run, count);
    for (int t = 0; t < s.T; t++)
        for (int i = 0; i < s.R * s.D; i++)
            sum[(int64_t)t * s.D + i % s.D] += (double)x[(int64_t)t * s.R * s.D + i];
    op_launch(run, &s.T, &s.rows);
    OP_CALL(run, sum_branches, &s);
    op_expect(run, y, sum, count, "out");
}

void op_case_sum_branches_backward(struct op_run *run)
{
    struct sum_branches s = sum_branches_new(run);
    const int64_t count = (int64_t)s.T * s.D;
    real *dy = op_reals(run, OP_INPUT, count, "out_gradient");
    real *dx = op_reals(run, OP_OUTPUT, s.R * count, "x_gradient");
    s.out_gradient = op_act(dy), s.x_gradient = op_act(dx);
    double *spread = op_zeros(run, s.R * count);
    for (int t = 0; t < s.T; t++)
        for (int i = 0; i < s.R * s.D; i++)
            spread[(int64_t)t * s.R * s.D + i] = (double)dy[(int64_t)t * s.D + i % s.D];
    op_launch(run, &s.T, &s.rows);
    OP_CALL(run, sum_branches_backward, &s);
    op_expect_exactly(run, dx, spread, s.R * count, "x_gradient");
}

static struct gate gate_new(struct op_run *run)
{
    struct gate g = {.T = op_size(run), .H = 1 + op_below(run, 4), .d = op_size(run)};
    g.columns = op_flip(run) ? 1 : g.H;
    g.x = op_act(op_reals(run, OP_INPUT, 2 * (int64_t)g.T * g.H * g.d, "x"));
    return g;
}

/* Returns the index of z of the gate for column c of row t. */
static int64_t gate_of(const struct gate *g, int t, int c)
{
    return (int64_t)t * g->columns + (g->columns == 1 ? 0 : c / g->d);
}

void op_case_gate(struct op_run *run)
{
    struct gate g = gate_new(run);
    const int D = g.H * g.d;
    const real *x = (const real *)(const void *)g.x;
    real *z = op_reals(run, OP_INPUT, (int64_t)g.T * g.columns, "z");
    real *gate = op_reals(run, OP_OUTPUT, (int64_t)g.T * g.columns, "gate");
    real *y = op_reals(run, OP_OUTPUT, (int64_t)g.T * D, "out");
    for (int64_t i = 0; i < (int64_t)g.T * g.columns; i++)
        z[i] = op_rounded(run, (double)z[i] * (op_below(run, 5) ? 3 : 200));
    g.z = op_act(z), g.gate = op_act(gate), g.out = op_act(y);
    double *gates = op_values(run, z, (int64_t)g.T * g.columns),
           *out = op_zeros(run, (int64_t)g.T * D);
    for (int64_t i = 0; i < (int64_t)g.T * g.columns; i++) gates[i] = 1 / (1 + exp(-gates[i]));
    for (int t = 0; t < g.T; t++)
        for (int c = 0; c < D; c++) {
            const double weight = gates[gate_of(&g, t, c)];
            out[(int64_t)t * D + c] = (1 - weight) * (double)x[2 * (int64_t)t * D + c] +
                                      weight * (double)x[2 * (int64_t)t * D + D + c];
        }
    const int T = g.T;
    op_launch(run, &g.T, &g.rows);
    OP_CALL(run, gate, &g);
    op_expect_above(run, gate, gates, (int64_t)T * g.columns, 1e-6, "gates");
    op_expect(run, y, out, (int64_t)T * D, "out");
}

void op_case_gate_backward(struct op_run *run)
{
    struct gate g = gate_new(run);
    const int D = g.H * g.d;
    const int64_t gates = (int64_t)g.T * g.columns, count = (int64_t)g.T * D;
    const real *x = (const real *)(const void *)g.x;
    real *z = op_reals(run, OP_INPUT, gates, "gates"), *dz = op_reals(run, OP_OUTPUT, gates, "dz");
    real *dy = op_reals(run, OP_INPUT, count, "out_gradient");
    real *dx = op_reals(run, OP_OUTPUT, 2 * count, "dx");
    for (int64_t i = 0; i < gates; i++) z[i] = op_rounded(run, ((double)z[i] + 1) / 2);
    g.gate = op_act(z), g.out_gradient = op_act(dy), g.z_gradient = op_act(dz),
    g.x_gradient = op_act(dx);
    double *slope = op_zeros(run, gates), *spread = op_zeros(run, 2 * count);
    for (int t = 0; t < g.T; t++)
        for (int c = 0; c < D; c++) {
            const int64_t at = 2 * (int64_t)t * D + c, which = gate_of(&g, t, c);
            const double d = (double)dy[(int64_t)t * D + c], weight = (double)z[which];
            spread[at] = d * (1 - weight), spread[at + D] = d * weight;
            slope[which] += d * ((double)x[at + D] - (double)x[at]) * weight * (1 - weight);
        }
    op_launch(run, &g.T, &g.rows);
    OP_CALL(run, gate_backward, &g);
    op_expect(run, dz, slope, gates, "z_gradient");
    op_expect(run, dx, spread, 2 * count, "x_gradient");
}

struct squeezed {
    struct squeeze s;
    real *x, *inner[ATTENTION_BRANCHES], *outer[ATTENTION_BRANCHES];
};

static struct squeezed squeeze_new(struct op_run *run)
{
    struct squeezed q = {.s = {.T = op_size(run) * (run->trial % 8 ? 1 : 9),
                               .D = op_size(run),
                               .N = op_flip(run) ? 1 + op_below(run, 8) : op_size(run),
                               .R = 1 + op_below(run, 4)}};
    q.s.gates = op_flip(run) ? 1 : q.s.R;
    q.x = op_reals(run, OP_INPUT, (int64_t)q.s.T * q.s.R * q.s.D, "x");
    q.s.x = op_act(q.x);
    for (int g = 0; g < q.s.gates; g++) {
        q.inner[g] = op_reals(run, OP_INPUT, (int64_t)q.s.D * q.s.N, "inner");
        q.outer[g] = op_reals(run, OP_INPUT, (int64_t)q.s.N * q.s.D, "outer");
        q.s.inner[g] = op_act(q.inner[g]), q.s.outer[g] = op_act(q.outer[g]);
    }
    return q;
}

/* Computes relu(x_r W1) of row t and branch r, N values. */
static void squeeze_hidden(const struct squeezed *q, int t, int r, double *hidden)
{
    const struct squeeze *s = &q->s;
    const real *x = q->x + ((int64_t)t * s->R + r) * s->D, *w = q->inner[r % s->gates];
    for (int n = 0; n < s->N; n++) {
        hidden[n] = 0;
        for (int c = 0; c < s->D; c++) hidden[n] += (double)x[c] * (double)w[c * s->N + n];
        hidden[n] = fmax(hidden[n], 0);
    }
}

/* Returns element c of the squeeze gate SG. */
static double squeeze_gate(const struct squeezed *q, int r, int c, const double *hidden)
{
    const real *w = q->outer[r % q->s.gates];
    double z = 0;
    for (int n = 0; n < q->s.N; n++) z += hidden[n] * (double)w[n * q->s.D + c];
    return 1 / (1 + exp(-z));
}

void op_case_squeeze(struct op_run *run)
{
    struct squeezed q = squeeze_new(run);
    struct squeeze *s = &q.s;
    const int64_t count = (int64_t)s->T * s->D, kept = (int64_t)s->T * s->R * s->N;
    real *y = op_reals(run, OP_OUTPUT, count, "out");
    double *out = op_zeros(run, count), *hidden = op_zeros(run, kept);
    s->out = op_act(y);
    real *there = op_flip(run) ? op_reals(run, OP_OUTPUT, kept, "hidden") : NULL;
    if (there) s->hidden = op_act(there);
    for (int t = 0; t < s->T; t++)
        for (int r = 0; r < s->R; r++) {
            double *h = hidden + ((int64_t)t * s->R + r) * s->N;
            squeeze_hidden(&q, t, r, h);
            for (int c = 0; c < s->D; c++)
                out[(int64_t)t * s->D + c] +=
                    (double)q.x[((int64_t)t * s->R + r) * s->D + c] * squeeze_gate(&q, r, c, h);
        }
    op_launch(run, &s->T, &s->rows);
    OP_CALL(run, squeeze, s);
    op_expect(run, y, out, count, "out");
    if (there) op_expect_above(run, there, hidden, kept, .1, "hidden");
}

void op_case_squeeze_backward(struct op_run *run)
{
    struct squeezed q = squeeze_new(run);
    struct squeeze *s = &q.s;
    const int D = s->D, N = s->N;
    const int64_t count = (int64_t)s->T * D, size = (int64_t)N * D;
    real *dy = op_reals(run, OP_INPUT, count, "out_gradient");
    real *dx = op_reals(run, OP_OUTPUT, s->R * count, "x_gradient");
    real *hidden = op_reals(run, OP_INPUT, (int64_t)s->T * s->R * N, "hidden");
    s->hidden = op_act(hidden);
    s->out_gradient = op_act(dy), s->x_gradient = op_act(dx);
    double *ex = op_zeros(run, s->R * count), *ei[ATTENTION_BRANCHES], *eo[ATTENTION_BRANCHES];
    for (int g = 0; g < s->gates; g++) {
        s->add_inner[g] = op_flip(run), s->add_outer[g] = op_flip(run);
        ei[g] = op_sums(run, s->add_inner[g], size, "inner_gradient", &s->inner_gradient[g]);
        eo[g] = op_sums(run, s->add_outer[g], size, "outer_gradient", &s->outer_gradient[g]);
    }
    double *h = op_zeros(run, N), *dh = op_zeros(run, N);
    for (int t = 0; t < s->T; t++)
        for (int r = 0; r < s->R; r++) {
            const int g = r % s->gates;
            const int64_t at = (int64_t)t * s->R + r;
            squeeze_hidden(&q, t, r, h);
            for (int n = 0; n < N; n++) {
                hidden[at * N + n] = op_rounded(run, h[n]);
                h[n] = (double)hidden[at * N + n];
                dh[n] = 0;
            }
            for (int c = 0; c < D; c++) {
                const double gate = squeeze_gate(&q, r, c, h), x = (double)q.x[at * D + c];
                const double d = (double)dy[(int64_t)t * D + c], dz = d * x * gate * (1 - gate);
                ex[at * D + c] += d * gate;
                for (int n = 0; n < N; n++) {
                    eo[g][(int64_t)n * D + c] += h[n] * dz;
                    dh[n] += dz * (double)q.outer[g][(int64_t)n * D + c];
                }
            }
            for (int n = 0; n < N; n++)
                for (int c = 0; c < D && hidden[at * N + n] > 0; c++) {
                    ei[g][(int64_t)c * N + n] += (double)q.x[at * D + c] * dh[n];
                    ex[at * D + c] += dh[n] * (double)q.inner[g][(int64_t)c * N + n];
                }
        }
    op_launch(run, &s->T, &s->rows);
    OP_CALL(run, squeeze_backward, s);
    op_expect(run, dx, ex, s->R * count, "x_gradient");
    for (int g = 0; g < s->gates; g++) {
        op_expect_above(run, s->inner_gradient[g], ei[g], size, .1, "inner_gradient");
        op_expect_above(run, s->outer_gradient[g], eo[g], size, .1, "outer_gradient");
    }
}
