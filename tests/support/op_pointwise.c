/* Cases of elementwise ops: rectifier, sigmoid, tanh, rotation. */

#include "tests/support/op_run.h"
#include "tests/support/test.h"

static double relu_factor(const struct relu_dropout *r, int64_t at)
{
    return op_factor(r->step, r->dropout,
                     (uint64_t)(r->step->first_row[r->dropout.rows] * r->N + at), 0);
}

void op_case_relu_dropout(struct op_run *run)
{
    struct relu_dropout r = {
        .step = op_step(run), .T = op_size(run), .N = op_size(run), .dropout = op_dropout(run)};
    const bool masked = run->ops->mask_multiple && op_flip(run);
    if (masked) r.N = run->ops->mask_multiple * (1 + op_below(run, 3));
    const int64_t count = (int64_t)r.T * r.N;
    const bool in_place = op_flip(run);
    real *x = op_reals(run, in_place ? OP_ADDED : OP_INPUT, count, "x");
    real *y = in_place ? x : op_reals(run, OP_OUTPUT, count, "out");
    r.x = op_act(x), r.out = op_act(y);
    double *expected = op_values(run, x, count);
    for (int64_t i = 0; i < count; i++) expected[i] = fmax(expected[i], 0) * relu_factor(&r, i);
    if (masked) r.mask = (uint32_t *)op_ints(run, OP_OUTPUT, count / 32, "mask");
    op_launch(run, &r.T, &r.rows);
    OP_CALL(run, relu_dropout, &r);
    op_expect(run, y, expected, count, "out");
    for (int64_t i = 0; i < count && masked; i++)
        if ((r.mask[i / 32] >> i % 32 & 1) != (y[i] > 0))
            fail_msg("value %lld is %g, which its bit does not say", (long long)i, (double)y[i]);
}

void op_case_relu_dropout_backward(struct op_run *run)
{
    struct relu_dropout r = {
        .step = op_step(run), .T = op_size(run), .N = op_size(run), .dropout = op_dropout(run)};
    const int64_t count = (int64_t)r.T * r.N;
    real *y = op_reals(run, OP_INPUT, count, "out"),
         *dy = op_reals(run, OP_INPUT, count, "gradient");
    real *dx = op_reals(run, OP_OUTPUT, count, "x_gradient");
    r.out = op_act(y), r.out_gradient = op_act(dy), r.x_gradient = op_act(dx);
    double *expected = op_zeros(run, count);
    for (int64_t i = 0; i < count; i++) {
        const double factor = relu_factor(&r, i); /* the output of forward */
        y[i] = op_rounded(run, fmax((double)y[i], 0) * factor);
        if (y[i] > 0) expected[i] = (double)dy[i] * factor;
    }
    op_launch(run, &r.T, &r.rows);
    OP_CALL(run, relu_dropout_backward, &r);
    op_expect(run, dx, expected, count, "x_gradient");
}

/* Returns one or several blocks of [T, N]. The values in the gaps must not change. */
static struct squash squash_new(struct op_run *run)
{
    struct squash s = {
        .step = op_step(run), .T = op_size(run), .N = op_size(run), .dropout = op_dropout(run)};
    s.tanh = op_flip(run);
    s.blocks = op_below(run, 4);
    s.next = (int64_t)s.T * s.N + op_below(run, 20);
    return s;
}

static int64_t squash_count(const struct squash *s)
{
    return (s->blocks ? s->blocks - 1 : 0) * s->next + (int64_t)s->T * s->N;
}

/* Returns the dropout factor of an element, counted over all blocks; NaN in a gap, which must
 * not change. */
static double squash_factor(const struct squash *s, int64_t at)
{
    if (at % s->next >= (int64_t)s->T * s->N) return NAN;
    const int64_t first = s->step->first_row[s->dropout.rows] * s->N;
    return op_factor(s->step, s->dropout, (uint64_t)(first + at % s->next), 0);
}

void op_case_squash(struct op_run *run)
{
    struct squash s = squash_new(run);
    const int64_t count = squash_count(&s);
    const bool in_place = op_flip(run);
    real *x = op_reals(run, in_place ? OP_ADDED : OP_INPUT, count, "x");
    real *y = in_place ? x : op_reals(run, OP_OUTPUT, count, "out");
    s.x = op_act(x), s.out = op_act(y);
    double *expected = op_zeros(run, count);
    for (int64_t i = 0; i < count; i++) {
        x[i] = op_rounded(run, (double)x[i] * (run->trial % 4 ? 4 : 60));
        const double factor = squash_factor(&s, i);
        const double dropped = (double)x[i] * factor;
        expected[i] = s.tanh ? tanh(dropped) : 1 / (1 + exp(-dropped));
        if (isnan(factor) && in_place) expected[i] = (double)x[i];
    }
    op_launch(run, &s.T, &s.rows);
    OP_CALL(run, squash, &s);
    op_expect(run, y, expected, count, "out");
}

void op_case_squash_backward(struct op_run *run)
{
    struct squash s = squash_new(run);
    const int64_t count = squash_count(&s);
    const bool in_place = op_flip(run);
    real *y = op_reals(run, OP_INPUT, count, "out");
    real *dy = op_reals(run, in_place ? OP_ADDED : OP_INPUT, count, "gradient");
    real *dx = in_place ? dy : op_reals(run, OP_OUTPUT, count, "x_gradient");
    s.out = op_act(y), s.out_gradient = op_act(dy), s.x_gradient = op_act(dx);
    double *expected = op_zeros(run, count);
    for (int64_t i = 0; i < count; i++) {
        if (!s.tanh) y[i] = op_rounded(run, .5 + (double)y[i] / 2);
        const double factor = squash_factor(&s, i), of = (double)y[i];
        expected[i] = (double)dy[i] * (s.tanh ? 1 - of * of : of * (1 - of)) * factor;
        if (isnan(factor) && in_place) expected[i] = (double)dy[i];
    }
    op_launch(run, &s.T, &s.rows);
    OP_CALL(run, squash_backward, &s);
    op_expect(run, dx, expected, count, "x_gradient");
}

static struct rotate rotate_new(struct op_run *run)
{
    enum { POSITIONS = 9 };
    struct rotate r = {.T = op_size(run), .H = 1 + op_below(run, 3)};
    r.width = 2 * (1 + op_below(run, 20));
    r.d = r.width + (op_flip(run) ? 0 : op_below(run, 20));
    r.halves = op_flip(run), r.back = op_flip(run), r.add = op_flip(run);
    r.ldx = r.H * r.d + op_below(run, 5), r.ldy = r.H * r.d + op_below(run, 5);
    int32_t *position = op_ints(run, OP_INPUT, r.T, "position");
    for (int t = 0; t < r.T; t++) position[t] = op_below(run, POSITIONS);
    r.position = position;
    r.table = op_reals(run, OP_INPUT, (int64_t)POSITIONS * 2 * r.width, "table");
    return r;
}

void op_case_rotate(struct op_run *run)
{
    struct rotate r = rotate_new(run);
    const int64_t count = (int64_t)r.T * r.ldy;
    const real *x = op_reals(run, OP_INPUT, (int64_t)r.T * r.ldx, "x");
    real *y = op_reals(run, r.add ? OP_ADDED : OP_OUTPUT, count, "y");
    r.x = op_act((real *)x), r.y = op_act(y);
    double *expected = op_values(run, y, count);
    for (int t = 0; t < r.T; t++)
        for (int i = 0; i < r.H * r.d; i++) {
            const int c = i % r.d, first = i - c;
            const real *own = r.table + (int64_t)r.position[t] * 2 * r.width;
            int other = c % 2 ? c - 1 : c + 1;
            if (r.halves) other = (c + r.width / 2) % r.width;
            double sum = (double)x[(int64_t)t * r.ldx + i];
            if (c < r.width)
                sum = sum * (double)own[c] + (r.back ? -1 : 1) * (double)own[r.width + c] *
                                                 (double)x[(int64_t)t * r.ldx + first + other];
            double *to = &expected[(int64_t)t * r.ldy + i];
            *to = r.add ? *to + sum : sum;
        }
    op_launch(run, &r.T, &r.rows);
    OP_CALL(run, rotate, &r);
    op_expect_above(run, y, expected, count, 1, "y");
}
