/* Cases of memory, matrix products, reductions and the optimizer. */

#include "tests/support/op_run.h"
#include "tests/support/test.h"

/* Checks the memory of a device: zeroed, aligned, and read back as written. */
static void memory_round_trip(struct op_run *run)
{
    const struct ops *ops = run->ops;
    const int count = op_size(run);
    const size_t bytes = (size_t)count * sizeof(real), act_bytes = (size_t)count * ops->act_bytes;
    real *from = op_reals(run, OP_INPUT, count, "from"),
         *to = op_reals(run, OP_OUTPUT, count, "to");
    real *zero = op_reals(run, OP_OUTPUT, count, "zero"),
         *back = op_reals(run, OP_OUTPUT, count, "back"),
         *one = op_reals(run, OP_OUTPUT, count, "one"),
         *again = op_reals(run, OP_OUTPUT, count, "again");
    double *column = op_values(run, one, count);
    char *device = ops->alloc(bytes);
    struct act *act = ops->alloc(act_bytes);
    assert_int_equal((uintptr_t)device % 64, 0);
    assert_int_equal((uintptr_t)act % 64, 0);
    OP_CALL(run, download, zero, device, bytes);
    op_expect(run, zero, op_zeros(run, count), count, "fresh memory");
    OP_CALL(run, upload, device, from, bytes);
    OP_CALL(run, sync);
    OP_CALL(run, download, to, device, bytes);
    op_expect_exactly(run, to, op_values(run, from, count), count, "what was uploaded");
    const int rows = 1 + op_below(run, 4), columns = count / rows, ld = count / rows;
    OP_CALL(run, write_act, act, rows, columns, ld, from);
    OP_CALL(run, read_act, act, rows, columns, ld, back);
    double *there = op_values(run, back, count);
    for (int i = 0; i < rows * columns; i++) there[i] = (double)from[i];
    op_expect(run, back, there, count, "activations");
    /* Copies one column, as a view, to the host and back. */
    if (columns) {
        OP_CALL(run, read_act, act, rows, 1, ld, one);
        for (int r = 0; r < rows; r++) column[r] = (double)from[r * columns];
        op_expect(run, one, column, count, "a column");
        OP_CALL(run, write_act, act_at(ops, act, columns - 1), rows, 1, ld, one);
        OP_CALL(run, read_act, act, rows, columns, ld, again);
        for (int r = 0; r < rows; r++) there[(r + 1) * columns - 1] = (double)from[r * columns];
        op_expect(run, again, there, count, "a column in its place");
    }
    OP_CALL(run, clear, device + sizeof(real), bytes - sizeof(real));
    OP_CALL(run, download, zero, device, bytes);
    double *expected = op_zeros(run, count);
    expected[0] = (double)from[0];
    op_expect_exactly(run, zero, expected, count, "what was cleared");
    OP_CALL(run, upload, device, NULL, 0);
    ops->release(device, bytes);
    ops->release(act, act_bytes);
}

OP_SHARED(upload, memory_round_trip(run))
OP_SHARED(download, memory_round_trip(run))
OP_SHARED(clear, memory_round_trip(run))
OP_SHARED(read_act, memory_round_trip(run))
OP_SHARED(write_act, memory_round_trip(run))
OP_SHARED(sync, memory_round_trip(run))

struct matrix {
    real *x;
    int ld;
};

/* Rounds the size up in one of four trials: whole sizes go to the device's library. */
static int whole(const struct op_run *run, int size, int multiple)
{
    return run->trial % 4 == 2 ? (size + multiple - 1) / multiple * multiple : size;
}

/* True in another one of eight trials: many columns, an odd number, with rows of whole size. */
static bool odd(const struct op_run *run)
{
    return run->trial % 8 == 4;
}

/* Returns a matrix of `rows` rows. The last row ends with its last column, like a view's. */
static struct matrix matrix(struct op_run *run, enum op_use use, int rows, int columns,
                            const char *name)
{
    struct matrix m = {.ld = columns + (op_flip(run) ? 0 : whole(run, op_below(run, 40), 4))};
    if (odd(run)) m.ld = (m.ld + 15) / 16 * 16;
    m.x = op_reals(run, use, (int64_t)(rows - 1) * m.ld + columns, name);
    return m;
}

/* Returns the expected content of C before the product: NaN where the op must not write. */
static double *before(struct op_run *run, const struct matrix *c, int rows, int columns, bool add)
{
    const int64_t count = (int64_t)(rows - 1) * c->ld + columns;
    double *expected = op_zeros(run, count);
    for (int64_t i = 0; i < count; i++)
        expected[i] = i % c->ld >= columns || add ? (double)c->x[i] : 0;
    return expected;
}

/* Returns a mostly small number of rows; sometimes as large as several blocks, or as a product
 * that a library splits. */
static int rows_of_product(struct op_run *run)
{
    static const int large[] = {97, 200, 481, 700, 1100};
    return op_below(run, 5) ? op_size(run) : large[op_below(run, COUNT_OF(large))];
}

/* Packs B in device memory, in the table's own order. Returns NULL if the table does not pack. */
static struct act *packed(struct op_run *run, const struct gemm *g, size_t *bytes)
{
    const int panel = run->ops->panel;
    if (!panel) return NULL;
    const size_t columns = (size_t)((g->N + panel - 1) / panel * panel);
    *bytes = (size_t)g->K * columns * run->ops->act_bytes;
    struct act *b = run->ops->alloc(*bytes);
    OP_CALL(run, pack,
            &(struct pack){.transpose_b = g->transpose_b,
                           .N = g->N,
                           .K = g->K,
                           .b = g->b,
                           .ldb = g->ldb,
                           .packed = b});
    return b;
}

/* Launches a product for more rows than it has: the count on the device is `rows` times `each`.
 * The matrices have room for all launched rows. */
static void launch(struct op_run *run, int *M, const int32_t **rows, int *each)
{
    if (op_flip(run)) return;
    int32_t *count = op_ints(run, OP_INPUT, 1, "rows");
    *each = *M % 3 ? *M % 2 ? 0 : 2 : 3;
    *count = *M / (*each ? *each : 1);
    *M += (*each ? *each : 1) * (1 + op_below(run, 20));
    *rows = count;
}

/* Returns mask bits for C. Only the first M rows have set bits. Applies the mask to the expected
 * product. */
static const uint32_t *mask(struct op_run *run, const struct gemm *g, int M, int ldc,
                            double *expected)
{
    uint32_t *bits = (uint32_t *)op_ints(run, OP_INPUT, (int64_t)g->M * g->N / 32, "mask");
    memset(bits, 0, (size_t)g->M * (size_t)g->N / 8);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < g->N; j++)
            if (op_flip(run))
                bits[((int64_t)i * g->N + j) / 32] |= 1u << j % 32;
            else
                expected[(int64_t)i * ldc + j] = 0;
    return bits;
}

/* Runs several products in one call: columns of A, of C, and of B or one B for all products. */
static void product_case(struct op_run *run, bool pack)
{
    struct gemm g = {.transpose_a = op_flip(run),
                     .transpose_b = op_flip(run),
                     .add = op_flip(run),
                     .M = rows_of_product(run),
                     .N = op_size(run),
                     .K = op_size(run)};
    if (run->trial % 8 == 7) g.M = 80, g.N = 300, g.K = 200; /* one block, worth several threads */
    if (run->trial % 8 == 3) g.M = 40, g.N = 1025 + op_below(run, 100), g.K = 16;
    if (odd(run)) g.M = 40, g.N = 501 + 2 * op_below(run, 25), g.K = 501 + 2 * op_below(run, 25);
    g.M = whole(run, g.M, 16), g.N = whole(run, g.N, 16), g.K = whole(run, g.K, 16);
    const bool masked = !pack && run->ops->mask_multiple && !op_below(run, 3);
    const int n = pack || masked || odd(run) ? 1 : 1 + op_below(run, 3);
    if (masked) g.add = false, g.N = run->ops->mask_multiple * (1 + op_below(run, 2));
    const int M = g.M, N = g.N;
    if (!g.transpose_a) launch(run, &g.M, &g.rows, &g.each);
    const int columns_a = g.transpose_a ? g.M : g.K, columns_b = g.transpose_b ? g.K : g.N;
    const bool one_b = op_flip(run);
    const struct matrix a = matrix(run, OP_INPUT, g.transpose_a ? g.K : g.M, n * columns_a, "a");
    const struct matrix b =
        matrix(run, OP_INPUT, g.transpose_b ? g.N : g.K, (one_b ? 1 : n) * columns_b, "b");
    struct matrix c = matrix(run, OP_OUTPUT, g.M, n * g.N, "c");
    g.a = op_act(a.x), g.b = op_act(b.x), g.c = op_act(c.x);
    g.lda = a.ld, g.ldb = b.ld, g.ldc = c.ld;
    g.products = n == 1 && op_flip(run) ? 0 : n;
    g.stride_a = columns_a, g.stride_b = one_b ? 0 : columns_b, g.stride_c = g.N;
    real *bias = !masked && op_flip(run) ? op_reals(run, OP_INPUT, g.N, "bias") : NULL;
    g.bias = bias ? op_act(bias) : NULL;
    g.scale = op_flip(run) ? 1 : (real)op_real(run, .1, 2);
    for (int i = 0; i < M && g.add; i++)
        for (int j = 0; j < n * g.N; j++)
            c.x[(int64_t)i * c.ld + j] = op_rounded(run, op_real(run, -1, 1));
    double *expected = before(run, &c, M, n * g.N, g.add);
    for (int p = 0; p < n; p++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                const real *x = a.x + p * g.stride_a, *y = b.x + p * g.stride_b;
                double sum = 0;
                for (int k = 0; k < g.K; k++)
                    sum +=
                        (double)x[g.transpose_a ? (int64_t)k * a.ld + i : (int64_t)i * a.ld + k] *
                        (double)y[g.transpose_b ? (int64_t)j * b.ld + k : (int64_t)k * b.ld + j];
                expected[(int64_t)i * c.ld + p * g.stride_c + j] +=
                    sum * (double)g.scale + (bias ? (double)bias[j] : 0);
            }
    if (masked) g.mask = mask(run, &g, M, c.ld, expected);
    size_t bytes = 0;
    struct act *all = pack ? packed(run, &g, &bytes) : NULL;
    if (all) g.packed = all, g.b = NULL, g.ldb = 0;
    OP_CALL(run, gemm, &g);
    if (all) run->ops->release(all, bytes);
    op_expect(run, c.x, expected, (int64_t)(M - 1) * c.ld + n * N, "c");
    for (int i = M; i < g.M && masked; i++)
        for (int j = 0; j < N; j++)
            if (c.x[(int64_t)i * c.ld + j] != 0) fail_msg("row %d of %d is not masked", i, M);
}

OP_SHARED(gemm, product_case(run, false))
OP_SHARED(pack, product_case(run, true))

void op_case_gemm_weight(struct op_run *run)
{
    struct gemm_weight g = {.T = rows_of_product(run),
                            .M = op_size(run),
                            .N = op_size(run),
                            .add = op_flip(run),
                            .scale = (real)op_real(run, .1, 2)};
    if (run->trial % 8 == 3) g.T = 20, g.M = 120, g.N = 1025 + op_below(run, 100);
    if (run->trial % 8 == 7) g.T = 200, g.M = 80, g.N = 300;
    g.T = whole(run, g.T, 16), g.M = whole(run, g.M, 16), g.N = whole(run, g.N, 16);
    const int n = 1 + op_below(run, 3), T = g.T;
    launch(run, &g.T, &g.rows, &g.each);
    const enum op_use use = g.rows ? OP_ADDED : OP_INPUT; /* an op may write zeros after the rows */
    const struct matrix a = matrix(run, use, g.T, n * g.M, "a");
    const struct matrix b = matrix(run, use, g.T, n * g.N, "b");
    for (int t = T; t < g.T; t++)
        for (int i = 0; i < n * g.M; i++) a.x[(int64_t)t * a.ld + i] = NAN;
    g.products = n == 1 && op_flip(run) ? 0 : n;
    g.stride_a = g.M, g.stride_b = g.N;
    const int64_t count = (int64_t)g.M * g.N;
    g.a = op_act(a.x), g.b = op_act(b.x), g.lda = a.ld, g.ldb = b.ld;
    double *expected = op_sums(run, g.add, count, "c", &g.c);
    for (int i = 0; i < g.M; i++)
        for (int j = 0; j < g.N; j++)
            for (int t = 0; t < n * T; t++)
                expected[(int64_t)i * g.N + j] +=
                    (double)a.x[(int64_t)(t % T) * a.ld + t / T * g.M + i] *
                    (double)b.x[(int64_t)(t % T) * b.ld + t / T * g.N + j] * (double)g.scale;
    double *bias = op_zeros(run, g.N);
    if (n == 1 && g.each < 2 && op_flip(run)) {
        g.add_bias = op_flip(run);
        bias = op_sums(run, g.add_bias, g.N, "bias", &g.bias);
        for (int t = 0; t < T; t++)
            for (int j = 0; j < g.N; j++) bias[j] += (double)b.x[(int64_t)t * b.ld + j];
    }
    OP_CALL(run, gemm_weight, &g);
    op_expect(run, g.c, expected, count, "c");
    if (g.bias) op_expect(run, g.bias, bias, g.N, "bias");
}

void op_case_sum_columns(struct op_run *run)
{
    const int T = rows_of_product(run), N = op_size(run);
    const bool add = op_flip(run);
    const struct matrix x = matrix(run, OP_INPUT, T, N, "x");
    real *sum;
    double *expected = op_sums(run, add, N, "sum", &sum);
    for (int t = 0; t < T; t++)
        for (int c = 0; c < N; c++) expected[c] += (double)x.x[(int64_t)t * x.ld + c];
    int launched = T;
    const int32_t *rows = NULL;
    op_launch(run, &launched, &rows);
    OP_CALL(run, sum_columns, op_act(x.x), launched, rows, N, x.ld, add, sum);
    op_expect(run, sum, expected, N, "sum");
}

static void reduction(struct op_run *run, bool square)
{
    const bool add = !square && op_flip(run);
    const int count = op_flip(run) ? op_size(run) : 1000 + op_below(run, 2000);
    const real *x = op_reals(run, OP_INPUT, count, "x");
    double *result = op_memory(run, add ? OP_ADDED : OP_OUTPUT, sizeof *result, "result");
    if (add) *result = op_real(run, -1, 1);
    double expected = add ? *result : 0, size = 0;
    for (int i = 0; i < count; i++) {
        const double value = (double)x[i];
        expected += square ? value * value : value;
        size += fabs(value);
    }
    int launched = count;
    const int32_t *rows = NULL;
    if (!square) op_launch(run, &launched, &rows);
    if (square)
        OP_CALL(run, sum_of_squares, x, count, result);
    else
        OP_CALL(run, sum, x, launched, rows, add, result);
    if (!(fabs(*result - expected) <= 1e-13 * size))
        fail_msg("%s of %d: %.17g, expected %.17g", run->name, count, *result, expected);
}

OP_SHARED(sum, reduction(run, false))
OP_SHARED(sum_of_squares, reduction(run, true))

void op_case_average(struct op_run *run)
{
    const int count = op_size(run), nth = 1 + op_below(run, 6);
    real *mean = op_reals(run, OP_ADDED, count, "mean");
    const real *x = op_reals(run, OP_INPUT, count, "x");
    double *expected = op_values(run, mean, count);
    for (int i = 0; i < count; i++) expected[i] += ((double)x[i] - expected[i]) / nth;
    OP_CALL(run, average, mean, x, count, nth);
    op_expect(run, mean, expected, count, "mean");
}

/* Returns an outcome of a step, as `settle` writes it. */
static struct outcome *outcome(struct op_run *run, enum op_use use, bool finite)
{
    struct outcome *outcome = op_memory(run, use, sizeof *outcome, "outcome");
    *outcome = (struct outcome){.gradient_scale = op_real(run, .5, 1), .finite = finite};
    return outcome;
}

/* Cases: loss, squares or both not finite; a norm above the clip; below it; no clip. */
void op_case_settle(struct op_run *run)
{
    const struct step *step = op_step(run);
    const double sum = op_flip(run) ? op_real(run, 0, 9) : INFINITY,
                 squares = op_flip(run) ? op_real(run, 0, 4) : NAN;
    const double clip = op_flip(run) ? op_real(run, .1, 2) : 0;
    struct outcome *o = outcome(run, OP_ADDED, false);
    o->loss = sum, o->squares = squares, o->likelihood = 3;
    OP_CALL(run, settle, &(struct settle){step, clip, o});
    const double loss = sum / step->normalizer, norm = sqrt(squares);
    const bool finite = isfinite(loss) && isfinite(norm);
    const double scale = clip > 0 && norm > clip ? clip / norm : 1;
    if (!!o->finite != finite || o->likelihood != 3 || o->gradient_scale != scale ||
        (isfinite(loss) && o->loss != loss) || (isfinite(norm) && o->norm != norm))
        fail_msg("loss %g, norm %g, scale %g, finite %d; expected %g, %g, %g, %d", o->loss, o->norm,
                 o->gradient_scale, o->finite, loss, norm, scale, finite);
}

/* Adam (Kingma and Ba 2015, Alg. 1) with coupled L2, and weight decay apart from it. A step that is
 * not finite changes nothing. */
void op_case_adam(struct op_run *run)
{
    const int count = op_flip(run) ? op_size(run) : 4000 + op_below(run, 5000);
    const bool finite = op_below(run, 4) > 0;
    struct adam a = {.step = op_step(run),
                     .outcome = outcome(run, OP_INPUT, finite),
                     .count = count,
                     .beta1 = .9,
                     .beta2 = .98,
                     .epsilon = 1e-9,
                     .l2 = op_flip(run) ? 0 : 1e-3,
                     .decay = op_flip(run) ? 0 : .5};
    a.master = op_reals(run, OP_ADDED, count, "master");
    a.m = op_reals(run, OP_ADDED, count, "m");
    a.v = op_reals(run, OP_ADDED, count, "v");
    real *gradient = op_reals(run, OP_INPUT, count, "gradient");
    a.gradient = gradient;
    for (int i = 0; i < count; i++) a.v[i] *= a.v[i];
    a.m[0] = a.v[0] = gradient[0] = 0; /* an element that never had a gradient */
    double *x = op_values(run, a.master, count), *m = op_values(run, a.m, count);
    double *v = op_values(run, a.v, count);
    for (int i = 0; i < count && finite; i++) {
        const double g = (double)gradient[i] * a.outcome->gradient_scale + a.l2 * x[i];
        m[i] = a.beta1 * m[i] + (1 - a.beta1) * g;
        v[i] = a.beta2 * v[i] + (1 - a.beta2) * g * g;
        x[i] = x[i] - a.step->rate * a.decay * x[i] -
               a.step->rate * (m[i] / a.step->correction1) /
                   (sqrt(v[i] / a.step->correction2) + a.epsilon);
    }
    const bool apart = op_flip(run) || run->ops->act_bytes != sizeof(real);
    real *operand = apart ? op_reals(run, OP_OUTPUT, count, "operand") : a.master;
    a.operand = apart ? op_act(operand) : (struct act *)(void *)operand;
    OP_CALL(run, adam, &a);
    op_expect(run, a.m, m, count, "m");
    op_expect(run, a.v, v, count, "v");
    op_expect(run, a.master, x, count, "master");
    for (int i = 0; i < count && apart; i++)
        if (finite ? operand[i] != op_rounded(run, (double)a.master[i]) : !isnan(operand[i]))
            fail_msg("operand %d is %g, its master %g", i, (double)operand[i], (double)a.master[i]);
}
