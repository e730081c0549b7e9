/* Splits a call of several products into single products. It computes addresses for backends on the
 * host, where an activation is a real. */
#include "core/cpu/gemm_each.h"

/* Returns x + count elements; NULL if x is NULL. */
static const struct act *act_plus(const struct act *x, int64_t count)
{
    return x ? (const struct act *)(const void *)((const real *)(const void *)x + count) : NULL;
}

/* Returns the actual number of rows, rows[0] * each (0 means 1); `launched` if `rows` is NULL. */
static int exact_rows(int launched, const int32_t *rows, int each)
{
    return rows ? op_rows(launched, rows) * (each ? each : 1) : launched;
}

void cpu_gemm_each(const struct gemm *g, cpu_product *product)
{
    struct gemm one = *g;
    one.M = exact_rows(g->M, g->rows, g->each);
    one.rows = NULL;
    for (int i = 0; i < g->products || !i; i++) {
        one.a = act_plus(g->a, i * g->stride_a);
        one.b = act_plus(g->b, i * g->stride_b);
        one.packed = act_plus(g->packed, i * g->stride_packed);
        one.c = (struct act *)(void *)((real *)(void *)g->c + i * g->stride_c);
        product(&one);
    }
}

/* Returns the first product of a gemm_weight as a gemm. */
static struct gemm first_product(const struct gemm_weight *g)
{
    struct gemm one = {.transpose_a = true, .M = g->M, .N = g->N, .add = g->add, .scale = g->scale};
    one.K = exact_rows(g->T, g->rows, g->each);
    one.a = g->a, one.lda = g->lda;
    one.b = g->b, one.ldb = g->ldb;
    one.c = (struct act *)(void *)g->c, one.ldc = g->N;
    return one;
}

void cpu_gemm_weight_each(const struct gemm_weight *g, cpu_product *product)
{
    struct gemm one = first_product(g);
    for (int i = 0; i < g->products || !i; i++) {
        one.a = act_plus(g->a, i * g->stride_a);
        one.b = act_plus(g->b, i * g->stride_b);
        one.add = g->add || i;
        product(&one);
    }
}

void cpu_sum_bias(const struct gemm_weight *g, cpu_columns *columns)
{
    CHECK(!g->bias || (g->products < 2 && g->each < 2), "the bias of several products");
    if (g->bias) columns(g->b, g->T, g->rows, g->N, g->ldb, g->add_bias, g->bias);
}
