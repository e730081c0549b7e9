/* Splits a call of gemm or gemm_weight into single products with exact rows, for backends on the
 * host, which compute one product at a time. */
#pragma once

#include "core/tensor/ops.h"

/* These functions call `product` for each product of a call, with products = 1 and exact rows. */
typedef void cpu_product(const struct gemm *g);
void cpu_gemm_each(const struct gemm *g, cpu_product *product);
void cpu_gemm_weight_each(const struct gemm_weight *g, cpu_product *product);
/* Computes the bias gradient of gemm_weight with a table's sum_columns. */
typedef void cpu_columns(const struct act *x, int T, const int32_t *rows, int N, int ld, bool add,
                         real *sum);
void cpu_sum_bias(const struct gemm_weight *g, cpu_columns *columns);
/* Returns the first product as a gemm. */
struct gemm cpu_gemm_of_weight(const struct gemm_weight *g);
