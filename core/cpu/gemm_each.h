/* Splits a call of gemm or gemm_weight into its single products, because backends on the host
 * compute one product at a time. */
#pragma once

#include "core/tensor/ops.h"

/* These functions call `product` once for each product of a call. The argument of `product` has the
 * operands of one product and the actual number of rows. */
typedef void cpu_product(const struct gemm *g);
void cpu_gemm_each(const struct gemm *g, cpu_product *product);
void cpu_gemm_weight_each(const struct gemm_weight *g, cpu_product *product);
/* Computes the gradient of the bias for gemm_weight. `columns` is sum_columns of an op table. */
typedef void cpu_columns(const struct act *x, int T, const int32_t *rows, int N, int ld, bool add,
                         real *sum);
void cpu_sum_bias(const struct gemm_weight *g, cpu_columns *columns);
