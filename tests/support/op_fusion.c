/* Cases of the ops that make one output of several branches of attention. */
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
    const real *x = op_reals(run, OP_INPUT, s.R * count, "x");
    real *y = op_reals(run, OP_OUTPUT, count, "out");
    s.x = (const struct act *)(const void *)x, s.out = op_act(y);
    double *sum = op_zeros(run, count);
    for (int t = 0; t < s.T; t++)
        for (int i = 0; i < s.R * s.D; i++)
            sum[(int64_t)t * s.D + i % s.D] += (double)x[(int64_t)t * s.R * s.D + i];
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

/* z of the gate that serves column c of row t. */
static int64_t gate_of(const struct gate *g, int t, int c)
{
    return (int64_t)t * g->columns + (g->columns == 1 ? 0 : c / g->d);
}

void op_case_gate(struct op_run *run)
{
    struct gate g = gate_new(run);
    const int D = g.H * g.d;
    const real *x = (const real *)(const void *)g.x;
    real *z = op_reals(run, OP_ADDED, (int64_t)g.T * g.columns, "z");
    real *y = op_reals(run, OP_OUTPUT, (int64_t)g.T * D, "out");
    for (int64_t i = 0; i < (int64_t)g.T * g.columns; i++) z[i] *= op_below(run, 5) ? 3 : 200;
    g.z = op_act(z), g.out = op_act(y);
    double *gates = op_values(run, z, (int64_t)g.T * g.columns),
           *out = op_zeros(run, (int64_t)g.T * D);
    for (int64_t i = 0; i < (int64_t)g.T * g.columns; i++) gates[i] = 1 / (1 + exp(-gates[i]));
    for (int t = 0; t < g.T; t++)
        for (int c = 0; c < D; c++) {
            const double weight = gates[gate_of(&g, t, c)];
            out[(int64_t)t * D + c] = (1 - weight) * (double)x[2 * (int64_t)t * D + c] +
                                      weight * (double)x[2 * (int64_t)t * D + D + c];
        }
    OP_CALL(run, gate, &g);
    op_expect(run, z, gates, (int64_t)g.T * g.columns, "gates");
    op_expect(run, y, out, (int64_t)g.T * D, "out");
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
    for (int64_t i = 0; i < gates; i++) z[i] = (z[i] + 1) / 2;
    g.z = op_act(z), g.out_gradient = op_act(dy), g.z_gradient = op_act(dz),
    g.x_gradient = op_act(dx);
    double *slope = op_zeros(run, gates), *spread = op_zeros(run, 2 * count);
    for (int t = 0; t < g.T; t++)
        for (int c = 0; c < D; c++) {
            const int64_t at = 2 * (int64_t)t * D + c, which = gate_of(&g, t, c);
            const double d = (double)dy[(int64_t)t * D + c], weight = (double)z[which];
            spread[at] = d * (1 - weight), spread[at + D] = d * weight;
            slope[which] += d * ((double)x[at + D] - (double)x[at]) * weight * (1 - weight);
        }
    OP_CALL(run, gate_backward, &g);
    op_expect(run, dz, slope, gates, "z_gradient");
    op_expect(run, dx, spread, 2 * count, "x_gradient");
}
