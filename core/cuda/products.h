/* Matrix products by the library of a device: cuBLASLt in core/cuda, plain loops in core/emu. A
 * product computes all launched rows, including trailing rows (core/tensor/ops.h). In library_gemm,
 * trailing rows of A and C may have any values. In library_gemm_weight, trailing rows of A and B
 * must be zero, because the product sums over them. Each row of a matrix, and the bias, begins at a
 * multiple of 16 bytes. */
#pragma once

#include "core/cuda/device.h"

/* Values of row_multiple, ld_multiple (16 bytes of bf16) and mask_multiple (bits of a word) in the
 * op tables of a device. */
enum { ROWS_MULTIPLE = 64, LD_MULTIPLE = 8, MASK_MULTIPLE = 32 };

/* Computes the op gemm, but does not apply the mask. */
C_NAME void DEVICE(library_gemm)(const struct gemm *g);
/* Computes c of the op gemm_weight. Returns true if the function has also written the column sums
 * of B to `bias`. Otherwise the caller must compute `bias`, if the op has one. Returns false with
 * add_bias, or if SANLAB_CUDA_OFF contains `epilogue`. Also returns false if the library has no
 * such product. */
C_NAME bool DEVICE(library_gemm_weight)(const struct gemm_weight *g);
/* If `on` is true, later products of this table may round float operands to tf32 (ten mantissa
 * bits). */
C_NAME void DEVICE(library_tf32)(bool on);
