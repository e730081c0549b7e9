/* A call of gemm or gemm_weight may be several products, with fewer rows than it was launched for:
 * for backends on the host, which compute one product at a time. */
#pragma once

#include "core/tensor/ops.h"

/* The products of a call one after the other: each is the only one, and has exact rows. */
typedef void cpu_product(const struct gemm *g);
void cpu_gemm_each(const struct gemm *g, cpu_product *product);
void cpu_gemm_weight_each(const struct gemm_weight *g, cpu_product *product);
/* What gemm_weight sums beside its product, by a table's sum_columns. */
typedef void cpu_columns(const struct act *x, int T, const int32_t *rows, int N, int ld, bool add,
                         real *sum);
void cpu_sum_bias(const struct gemm_weight *g, cpu_columns *columns);
/* The first of them as a gemm. */
struct gemm cpu_gemm_of_weight(const struct gemm_weight *g);
