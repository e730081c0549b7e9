/* Cases of the ops that compute features of two neighboring rows. */
#include <math.h>
#include <string.h>

#include "tests/support/op_run.h"

/* Makes the arguments. Gaps are zero, because a word that looks like a pointer into a buffer is
 * moved to the device. */
static void pair_new(struct op_run *run, struct pair_features *f, real **x)
{
    memset(f, 0, sizeof *f);
    f->P = 1 + op_below(run, 9);
    f->N = op_size(run);
    f->match = op_flip(run);
    const int64_t count = 2 * (int64_t)f->P * f->N;
    *x = op_reals(run, OP_INPUT, count, "x");
    if (op_flip(run)) /* some u and v are equal */
        for (int64_t i = 0; i < count; i++) (*x)[i] = (real)(op_below(run, 3) - 1);
    f->x = op_act(*x);
}

static int64_t pair_count(const struct pair_features *f)
{
    return (int64_t)f->P * (f->match ? 4 : 2) * f->N;
}

/* Returns one of the four parts of a row; a row without `match` has only the first two. */
static double pair_part(double u, double v, int part)
{
    const double parts[] = {u, v, u * v, fabs(u - v)};
    return parts[part];
}

void op_case_pair_features(struct op_run *run)
{
    real *x;
    struct pair_features f;
    pair_new(run, &f, &x);
    const int64_t count = pair_count(&f), row = count / f.P;
    real *out = op_reals(run, OP_OUTPUT, count, "out");
    double *expected = op_zeros(run, count);
    f.out = op_act(out);
    for (int64_t i = 0; i < count; i++) {
        const real *u = x + 2 * (i / row) * f.N + i % f.N;
        expected[i] = pair_part((double)u[0], (double)u[f.N], (int)(i % row / f.N));
    }
    op_launch(run, &f.P, &f.rows);
    OP_CALL(run, pair_features, &f);
    op_expect_above(run, out, expected, count, 1, "out");
}

/* Returns the derivative of a part by a side: 0 is u, 1 is v. */
static double pair_slope(double u, double v, int part, int side)
{
    const double other = side ? u : v, sign = (u > v) - (u < v);
    const double slopes[] = {!side, side, other, side ? -sign : sign};
    return slopes[part];
}

void op_case_pair_features_backward(struct op_run *run)
{
    real *x;
    struct pair_features f;
    pair_new(run, &f, &x);
    const int64_t wide = pair_count(&f), row = wide / f.P, count = 2 * (int64_t)f.P * f.N;
    f.add_x = op_flip(run);
    real *dy = op_reals(run, OP_INPUT, wide, "out_gradient");
    real *dx = op_reals(run, f.add_x ? OP_ADDED : OP_OUTPUT, count, "x_gradient");
    double *expected = f.add_x ? op_values(run, dx, count) : op_zeros(run, count);
    f.out_gradient = op_act(dy), f.x_gradient = op_act(dx);
    for (int64_t i = 0; i < wide; i++) {
        const int64_t at = 2 * (i / row) * f.N + i % f.N;
        for (int side = 0; side < 2; side++)
            expected[at + side * f.N] +=
                (double)dy[i] *
                pair_slope((double)x[at], (double)x[at + f.N], (int)(i % row / f.N), side);
    }
    op_launch(run, &f.P, &f.rows);
    OP_CALL(run, pair_features_backward, &f);
    op_expect_above(run, dx, expected, count, 1, "x_gradient");
}
