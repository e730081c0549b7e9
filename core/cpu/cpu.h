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

/* The products of a call one after the other: each is the only one, and has exact rows. */
typedef void cpu_product(const struct gemm *g);
void cpu_gemm_each(const struct gemm *g, cpu_product *product);
void cpu_gemm_weight_each(const struct gemm_weight *g, cpu_product *product);
/* What gemm_weight sums beside its product, by a table's sum_columns. */
typedef void cpu_columns(const struct act *x, int T, const int32_t *rows, int N, int ld, bool add,
                         real *sum);
void cpu_sum_bias(const struct gemm_weight *g, cpu_columns *columns);
/* The first of them as a gemm: on the CPU an activation is a real. */
struct gemm cpu_gemm_of_weight(const struct gemm_weight *g);

/* The best table for this processor, or what SANLAB_ISA (v3, v4) asks for; its products are
 * OpenBLAS's where SANLAB_PRODUCTS=blas (products.h). */
const struct ops *cpu_ops(void);

#endif
