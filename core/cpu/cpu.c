/* Which table this processor and the environment choose. */
#include "core/cpu/cpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu/blas.h"
#include "core/cpu/products.h"

bool cpu_has_v4(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* `count` elements behind the first one; of what is not there nothing. */
static const struct act *behind(const struct act *x, int64_t count)
{
    return x ? (const struct act *)(const void *)((const real *)(const void *)x + count) : NULL;
}

static int rows_of(int launched, const int32_t *rows, int each)
{
    return rows ? *rows * (each ? each : 1) : launched;
}

void cpu_gemm_each(const struct gemm *g, cpu_product *product)
{
    struct gemm one = *g;
    one.M = rows_of(g->M, g->rows, g->each);
    one.rows = NULL;
    for (int i = 0; i < g->products || !i; i++) {
        one.a = behind(g->a, i * g->next_a);
        one.b = behind(g->b, i * g->next_b);
        one.c = (struct act *)(void *)((real *)(void *)g->c + i * g->next_c);
        product(&one);
    }
}

struct gemm cpu_gemm_of_weight(const struct gemm_weight *g)
{
    return (struct gemm){.transpose_a = true,
                         .M = g->M,
                         .N = g->N,
                         .K = rows_of(g->T, g->rows, g->each),
                         .a = g->a,
                         .lda = g->lda,
                         .b = g->b,
                         .ldb = g->ldb,
                         .c = (struct act *)(void *)g->c,
                         .ldc = g->N,
                         .add = g->add,
                         .scale = g->scale};
}

void cpu_gemm_weight_each(const struct gemm_weight *g, cpu_product *product)
{
    struct gemm one = cpu_gemm_of_weight(g);
    for (int i = 0; i < g->products || !i; i++) {
        one.a = behind(g->a, i * g->next_a);
        one.b = behind(g->b, i * g->next_b);
        one.add = g->add || i;
        product(&one);
    }
}

void cpu_sum_bias(const struct gemm_weight *g, cpu_columns *columns)
{
    CHECK(!g->bias || (g->products < 2 && g->each < 2), "the bias of several products");
    if (g->bias) columns(g->b, g->T, g->rows, g->N, g->ldb, g->add_bias, g->bias);
}

#ifndef SANLAB_DOUBLE
static const struct ops *table_of_processor(void)
{
    const bool v4 = cpu_has_v4();
    const char *wish = getenv("SANLAB_ISA");
    if (!wish) return v4 ? &cpu_table_v4 : &cpu_table_v3;
    if (!strcmp(wish, "v3")) return &cpu_table_v3;
    if (strcmp(wish, "v4")) die("SANLAB_ISA: expected v3 or v4, got \"%s\"", wish);
    if (!v4) die("SANLAB_ISA=v4: this processor has no AVX-512 (F, BW, DQ, VL)");
    return &cpu_table_v4;
}

/* The same tables with OpenBLAS's products. */
static struct ops blas_table_v3, blas_table_v4;

static const char *blas_numerics(void)
{
    return blas_open()->config();
}

/* Both tables sum to the same bits. */
static void blas_weight(const struct gemm_weight *g)
{
    blas_gemm_weight(g);
    cpu_sum_bias(g, cpu_table_v3.sum_columns);
}

static struct ops with_blas(struct ops table)
{
    table.gemm = blas_gemm;
    table.gemm_weight = blas_weight;
    table.panel = 0;
    table.numerics = blas_numerics;
    return table;
}

static void make_blas_tables(void)
{
    blas_table_v3 = with_blas(cpu_table_v3);
    blas_table_v4 = with_blas(cpu_table_v4);
}
#endif

const struct ops *cpu_ops(void)
{
#ifdef SANLAB_DOUBLE
    return &cpu_table_f64; /* whose products are OpenBLAS's */
#else
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct ops *table = table_of_processor();
    if (products_are_own()) return table;
    blas_open(); /* or dies */
    pthread_once(&once, make_blas_tables);
    return table == &cpu_table_v4 ? &blas_table_v4 : &blas_table_v3;
#endif
}
