/* Cases of the recurrent cells: one step of some sentences, computed element by element from the
 * equations. */
#include <math.h>
#include <string.h>

#include "tests/support/op_run.h"

enum { ROWS = 3 }; /* rows of a sentence; the tested step is the middle one */

/* Arguments and buffers of a cell, and its expected results in double. */
struct cell_case {
    struct recurrent r;
    int n, T;  /* n: units of a master gate, 0 for lstm */
    int begin; /* first element of the step, if the device counts them; else negative */
    real *x, *h, *gates, *cell, *state, *out, *before, *open, *kept;
};

static void cell_new(struct op_run *run, bool ordered, bool backward, struct cell_case *k)
{
    memset(k, 0, sizeof *k);
    struct recurrent *r = &k->r;
    r->chunk = ordered ? 1 + op_below(run, 3) : 0;
    r->D = ordered ? r->chunk * (1 + op_below(run, run->trial % 4 == 3 ? 300 : 40)) : op_size(run);
    k->n = ordered ? r->D / r->chunk : 0;
    r->G = 2 * k->n + 4 * r->D;
    r->E = 1 + op_below(run, RECURRENT_DIRECTIONS);
    r->B = 1 + op_below(run, 6);
    r->alive = 1 + op_below(run, r->B);
    r->later = op_below(run, r->alive + 1);
    r->first = op_below(run, 3) == 0;
    k->T = ROWS * r->B;
    k->begin = run->ops->row_multiple > 1 && op_flip(run) ? op_below(run, 5) : -1;
    for (int e = 0; e < r->E; e++) {
        const int begin = k->begin > 0 ? k->begin : 0;
        int32_t *row = op_ints(run, OP_INPUT, begin + r->alive, "row");
        row += begin;
        const int turn = op_below(run, r->B);
        for (int i = 0; i < r->alive; i++) row[i] = ROWS * ((i + turn) % r->B) + 1;
        r->row[e] = row;
        r->reverse[e] = op_flip(run);
    }
    const int64_t rows = (int64_t)k->T * r->E, ranks = (int64_t)r->B * r->E;
    const enum op_use made = backward ? OP_INPUT : OP_OUTPUT;
    k->gates = op_reals(run, made, rows * r->G, "gates");
    k->cell = op_reals(run, backward ? OP_INPUT : OP_ADDED, rows * r->D, "cell");
    k->open = ordered ? op_reals(run, made, rows * k->n, "master_input") : NULL;
    k->kept = ordered ? op_reals(run, made, rows * k->n, "master_forget") : NULL;
    r->gates = op_act(k->gates), r->cell = k->cell;
    if (ordered) r->master_input = op_act(k->open), r->master_forget = op_act(k->kept);
    if (backward) return;
    k->x = op_reals(run, OP_INPUT, rows * r->G, "x");
    k->h = op_reals(run, OP_INPUT, ranks * r->G, "h");
    k->state = op_reals(run, OP_ADDED, ranks * r->D, "state");
    k->out = op_reals(run, OP_OUTPUT, rows * r->D, "out");
    k->before = op_flip(run) ? op_reals(run, OP_OUTPUT, rows * r->D, "before") : NULL;
    r->x = op_act(k->x), r->h = op_act(k->h), r->state = op_act(k->state), r->out = op_act(k->out);
    if (k->before) r->before = op_act(k->before);
}

/* Launches the step for more sentences than it has, like a recorded step. */
static void launch(struct op_run *run, struct cell_case *k)
{
    struct recurrent *r = &k->r;
    if (k->begin < 0) return;
    int32_t *counted = op_ints(run, OP_INPUT, 2, "counted"),
            *begin = op_ints(run, OP_INPUT, 1, "begin");
    counted[0] = r->alive, counted[1] = r->later, *begin = k->begin;
    r->counted = counted, r->begin = begin;
    r->alive += op_below(run, r->B - r->alive + 1);
    r->later += op_below(run, r->alive - r->later + 1);
    for (int e = 0; e < r->E; e++) r->row[e] -= k->begin;
}

static int64_t here(const struct recurrent *r, int e, int i)
{
    return (int64_t)r->row[e][i] * r->E + e;
}
static int64_t there(const struct recurrent *r, int e, int i)
{
    return (int64_t)e * r->B + i;
}
/* Returns the index of the preceding token's element in [T, E]. */
static int64_t earlier(const struct recurrent *r, int e, int i)
{
    return here(r, e, i) + (r->reverse[e] ? r->E : -r->E);
}

static double sigmoid(double a)
{
    return 1 / (1 + exp(-a));
}

/* Computes the running sum of softmax(a) [n]; `share` gets the softmax. */
static void running(const double *a, int n, double *share, double *sum)
{
    double all = 0, so_far = 0;
    for (int k = 0; k < n; k++) all += exp(a[k]);
    for (int k = 0; k < n; k++) {
        share[k] = exp(a[k]) / all;
        sum[k] = so_far += share[k];
    }
}

static void forward_case(struct op_run *run, bool ordered)
{
    struct cell_case k;
    cell_new(run, ordered, false, &k);
    struct recurrent *r = &k.r;
    const int D = r->D, G = r->G, n = k.n, blocks = 2 * n;
    const int64_t rows = (int64_t)k.T * r->E, ranks = (int64_t)r->B * r->E;
    double *gates = op_values(run, k.gates, rows * G), *cell = op_values(run, k.cell, rows * D),
           *state = op_values(run, k.state, ranks * D), *out = op_values(run, k.out, rows * D),
           *before = k.before ? op_values(run, k.before, rows * D) : NULL,
           *open = ordered ? op_values(run, k.open, rows * n) : NULL,
           *kept = ordered ? op_values(run, k.kept, rows * n) : NULL, *a = op_zeros(run, G);
    for (int e = 0; e < r->E; e++)
        for (int i = 0; i < r->alive; i++) {
            const int64_t t = here(r, e, i), b = there(r, e, i);
            for (int g = 0; g < G; g++)
                a[g] = (double)k.x[t * G + g] + (r->first ? 0 : (double)k.h[b * G + g]);
            if (ordered) {
                running(a, n, &gates[t * G], &open[t * n]);
                running(a + n, n, &gates[t * G + n], &kept[t * n]);
                for (int u = 0; u < n; u++) open[t * n + u] = 1 - open[t * n + u];
            }
            for (int c = 0; c < D; c++) {
                double *at = &gates[t * G + blocks + c];
                const double *from = a + blocks + c;
                const double o = at[0] = sigmoid(from[0]), g = at[D] = tanh(from[D]),
                             in = at[2 * D] = sigmoid(from[2 * D]),
                             f = at[3 * D] = sigmoid(from[3 * D]);
                const double I = ordered ? open[t * n + c / r->chunk] : 0,
                             F = ordered ? kept[t * n + c / r->chunk] : 0, w = I * F;
                const double c0 = r->first ? 0 : (double)k.cell[earlier(r, e, i) * D + c];
                cell[t * D + c] =
                    ordered ? (f * w + F - w) * c0 + (in * w + I - w) * g : f * c0 + in * g;
                if (before) before[t * D + c] = r->first ? 0 : (double)k.state[b * D + c];
                out[t * D + c] = state[b * D + c] = o * tanh(cell[t * D + c]);
            }
        }
    launch(run, &k);
    if (ordered)
        OP_CALL(run, onlstm, r);
    else
        OP_CALL(run, lstm, r);
    op_expect_above(run, k.gates, gates, rows * G, 1, "gates");
    op_expect_above(run, k.cell, cell, rows * D, 1, "cell");
    op_expect_above(run, k.state, state, ranks * D, 1, "state");
    op_expect_above(run, k.out, out, rows * D, 1, "out");
    if (before) op_expect_above(run, k.before, before, rows * D, 1, "before");
    if (ordered) op_expect_above(run, k.open, open, rows * n, 1, "master_input");
    if (ordered) op_expect_above(run, k.kept, kept, rows * n, 1, "master_forget");
}

/* Backward of a running sum and its softmax: dL/da_j = sum over k of dL/dy_k dy_k/da_j, where
 * dy_k/da_j = s_j ([j <= k] - y_k). */
static void running_slope(const double *share, const double *slope, int n, double *a)
{
    for (int j = 0; j < n; j++) {
        double so_far = 0;
        a[j] = 0;
        for (int k = 0; k < n; k++) {
            so_far += share[k];
            a[j] += slope[k] * share[j] * ((j <= k) - so_far);
        }
    }
}

static void backward_case(struct op_run *run, bool ordered)
{
    struct cell_case k;
    cell_new(run, ordered, true, &k);
    struct recurrent *r = &k.r;
    const int D = r->D, G = r->G, n = k.n, blocks = 2 * n;
    const int64_t rows = (int64_t)k.T * r->E, ranks = (int64_t)r->B * r->E;
    real *dy = op_reals(run, OP_INPUT, rows * D, "out_gradient"),
         *ds = op_reals(run, OP_INPUT, ranks * D, "state_gradient"),
         *dc = op_reals(run, OP_ADDED, ranks * D, "cell_gradient"),
         *dx = op_reals(run, OP_OUTPUT, rows * G, "x_gradient"),
         *dh = op_reals(run, OP_OUTPUT, ranks * G, "h_gradient");
    r->out_gradient = op_act(dy), r->state_gradient = op_act(ds), r->cell_gradient = dc;
    r->x_gradient = op_act(dx), r->h_gradient = op_act(dh);
    double *slope_c = op_values(run, dc, ranks * D), *slope_x = op_values(run, dx, rows * G),
           *slope_h = op_values(run, dh, ranks * G), *dI = op_zeros(run, n + 1),
           *dF = op_zeros(run, n + 1), *share = op_zeros(run, 2 * n + 1);
    for (int e = 0; e < r->E; e++)
        for (int i = 0; i < r->alive; i++) {
            const int64_t t = here(r, e, i), b = there(r, e, i);
            double *a = &slope_x[t * G];
            for (int u = 0; u < n; u++) dI[u] = dF[u] = 0;
            for (int c = 0; c < D; c++) {
                const real *at = &k.gates[t * G + blocks + c];
                const double o = (double)at[0], g = (double)at[D], in = (double)at[2 * D],
                             f = (double)at[3 * D], s = tanh((double)k.cell[t * D + c]);
                const double I = ordered ? (double)k.open[t * n + c / r->chunk] : 0,
                             F = ordered ? (double)k.kept[t * n + c / r->chunk] : 0, w = I * F;
                const double c0 = r->first ? 0 : (double)k.cell[earlier(r, e, i) * D + c];
                const bool later = i < r->later;
                const double y = (double)dy[t * D + c] + (later ? (double)ds[b * D + c] : 0);
                const double d = y * o * (1 - s * s) + (later ? (double)dc[b * D + c] : 0);
                const double keep = ordered ? f * w + F - w : f,
                             take = ordered ? in * w + I - w : in;
                a[blocks + c] = y * s * o * (1 - o);
                a[blocks + D + c] = d * take * (1 - g * g);
                a[blocks + 2 * D + c] = d * g * (ordered ? w : 1) * in * (1 - in);
                a[blocks + 3 * D + c] = d * c0 * (ordered ? w : 1) * f * (1 - f);
                slope_c[b * D + c] = d * keep;
                if (!ordered) continue;
                dI[c / r->chunk] += d * c0 * (f * F - F) + d * g * (in * F + 1 - F);
                dF[c / r->chunk] += d * c0 * (f * I + 1 - I) + d * g * (in * I - I);
            }
            for (int u = 0; u < 2 * n; u++) share[u] = (double)k.gates[t * G + u];
            for (int u = 0; u < n; u++) dI[u] = -dI[u];
            running_slope(share, dI, n, a);
            running_slope(share + n, dF, n, a + n);
            memcpy(&slope_h[b * G], a, (size_t)G * sizeof *a);
        }
    launch(run, &k);
    if (ordered)
        OP_CALL(run, onlstm_backward, r);
    else
        OP_CALL(run, lstm_backward, r);
    op_expect_above(run, dx, slope_x, rows * G, 1, "x_gradient");
    op_expect_above(run, dh, slope_h, ranks * G, 1, "h_gradient");
    op_expect_above(run, dc, slope_c, ranks * D, 1, "cell_gradient");
}

OP_SHARED(lstm, forward_case(run, false))
OP_SHARED(lstm_backward, backward_case(run, false))
OP_SHARED(onlstm, forward_case(run, true))
OP_SHARED(onlstm_backward, backward_case(run, true))
