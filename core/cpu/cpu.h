/* The CPU backend: the same sources compiled for x86-64-v3 and -v4 with one order of operations, so
 * both tables give the same bits; in the double build there is one table. */
#ifndef CORE_CPU_CPU_H
#define CORE_CPU_CPU_H

#include "core/tensor/ops.h"

#ifdef SANLAB_DOUBLE
extern const struct ops cpu_table_f64;
#else
extern const struct ops cpu_table_v3, cpu_table_v4;
#endif

enum { CPU_PACKED = 1 << 20 }; /* elements of an operand that a product packs at once, at most */

/* Whether this processor has the instructions of the v4 table (AVX-512 F, BW, DQ, VL). */
bool cpu_has_v4(void);

/* The same product as a gemm: on the CPU an activation is a real. */
static inline struct gemm cpu_gemm_of_weight(const struct gemm_weight *g)
{
    return (struct gemm){.transpose_a = true,
                         .M = g->M,
                         .N = g->N,
                         .K = g->T,
                         .a = g->a,
                         .lda = g->lda,
                         .b = g->b,
                         .ldb = g->ldb,
                         .c = (struct act *)(void *)g->c,
                         .ldc = g->N,
                         .add = g->add,
                         .scale = g->scale};
}

/* The best table for this processor, or what SANLAB_ISA (v3, v4) asks for; its products are
 * OpenBLAS's where SANLAB_PRODUCTS=blas (products.h). */
const struct ops *cpu_ops(void);

#endif
