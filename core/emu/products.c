/* Computes the matrix products for which a device uses a library, by plain loops that sum in the
 * order of k. */
#include <stdlib.h>

#include "core/cuda/act.h"
#include "core/cuda/products.h"
#include "core/emu/record.h"
#include "core/emu/table.h"

static int64_t element(bool transposed, int64_t row, int64_t column, int64_t ld)
{
    return transposed ? column * ld + row : row * ld + column;
}

static bool tf32;

void DEVICE(library_tf32)(bool on)
{
    tf32 = on;
}

/* Returns an element of an operand. With tf32, it is rounded to ten mantissa bits, ties to even. */
static float operand(const struct act *p, int64_t at)
{
    float x = act_get(p, at);
    uint32_t bits;
    if (!tf32 || !ACT_IS_REAL) return x;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7f800000u) == 0x7f800000u) return x;
    bits = (bits + 0xfffu + (bits >> 13 & 1)) & ~0x1fffu;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Computes one row of a product, before scale, add and bias. */
static void row_of(const struct gemm *g, int64_t i, float *sum)
{
    for (int j = 0; j < g->N; j++) sum[j] = 0;
    for (int k = 0; k < g->K; k++) {
        const float a = operand(g->a, element(g->transpose_a, i, k, g->lda));
        for (int j = 0; j < g->N; j++)
            sum[j] = fmaf(a, operand(g->b, element(g->transpose_b, k, j, g->ldb)), sum[j]);
    }
}

/* A product and its precision, because a kept product (record.h) runs later. */
struct job {
    struct gemm g;
    bool tf32;
};

static void multiply(void *arguments)
{
    const struct job *job = arguments;
    const struct gemm *g = &job->g;
    const bool now = tf32;
    tf32 = job->tf32;
    float *sum = heap_alloc((size_t)g->N * sizeof *sum);
    for (int p = 0; p < g->products || !p; p++) {
        struct gemm one = *g;
        one.a = act_from(g->a, p * g->stride_a);
        one.b = act_from(g->b, p * g->stride_b);
        for (int64_t i = 0; i < g->M; i++) {
            row_of(&one, i, sum);
            for (int j = 0; j < g->N; j++) {
                const int64_t at = p * g->stride_c + i * g->ldc + j;
                float c = sum[j] * g->scale;
                if (g->add) c += act_get(g->c, at);
                if (g->bias) c += act_get(g->bias, j);
                act_put(g->c, at, c);
            }
        }
    }
    free(sum);
    tf32 = now;
}

void DEVICE(library_gemm)(const struct gemm *g)
{
    struct job job = {*g, tf32};
    if (!record_issued("gemm", g, sizeof *g)) return;
    if (!record_keeps(multiply, &job, sizeof job)) multiply(&job);
}

static bool row_is_zero(const struct act *x, int64_t at, int columns)
{
    for (int c = 0; c < columns; c++)
        if (act_get(x, at + c) != 0) return false; /* false for NaN, too */
    return true;
}

/* Checks that the rows of A and B after the actual number of rows are zero, because the sum
 * includes them. */
static void check_trailing(const struct gemm_weight *g)
{
    const int64_t there = g->rows ? *g->rows * (g->each ? g->each : 1) : g->T;
    for (int p = 0; p < g->products || !p; p++)
        for (int64_t t = there; t < g->T; t++)
            CHECK(row_is_zero(g->a, p * g->stride_a + t * g->lda, g->M) &&
                      row_is_zero(g->b, p * g->stride_b + t * g->ldb, g->N),
                  "gemm_weight over %lld of %d rows: row %lld is not zero", (long long)there, g->T,
                  (long long)t);
}

struct weight_job {
    struct gemm_weight g;
    bool tf32, bias;
};

static void multiply_weight(void *arguments)
{
    const struct weight_job *job = arguments;
    const struct gemm_weight *g = &job->g;
    const bool now = tf32;
    check_trailing(g);
    tf32 = job->tf32;
    struct gemm one = {.transpose_a = true, .N = g->N, .K = g->T, .lda = g->lda, .ldb = g->ldb};
    float *sum = heap_alloc((size_t)g->N * sizeof *sum);
    for (int p = 0; p < g->products || !p; p++) {
        one.a = act_from(g->a, p * g->stride_a);
        one.b = act_from(g->b, p * g->stride_b);
        for (int64_t i = 0; i < g->M; i++) {
            real *c = g->c + i * g->N;
            row_of(&one, i, sum);
            for (int j = 0; j < g->N; j++) c[j] = sum[j] * g->scale + (g->add || p ? c[j] : 0);
        }
    }
    for (int j = 0; j < g->N && job->bias; j++) {
        real of_column = 0;
        for (int64_t t = 0; t < g->T; t++) of_column += act_get(g->b, t * g->ldb + j);
        g->bias[j] = of_column;
    }
    free(sum);
    tf32 = now;
}

bool DEVICE(library_gemm_weight)(const struct gemm_weight *g)
{
    struct weight_job job = {*g, tf32, g->bias && !g->add_bias && emu_does_epilogues()};
    /* A planned product returns false, as if it did not compute the bias. So the caller reserves
     * memory for the bias. */
    if (!record_issued("gemm_weight", g, sizeof *g)) return false;
    if (!record_keeps(multiply_weight, &job, sizeof job)) multiply_weight(&job);
    return job.bias;
}
