/* Matrix products by the device's library: cuBLASLt (core/cuda), or plain loops (core/emu). All
 * launched rows exist in memory. Trailing rows of A and C may have any values, but trailing rows
 * over which a product sums are zero. Rows of matrices, and a bias, begin at multiples of 16
 * bytes. */
#pragma once

#include "core/cuda/device.h"

/* Constants of a device's tables: row_multiple; ld_multiple, 16 bytes of bf16; mask_multiple, the
 * bits of a word. */
enum { ROWS_MULTIPLE = 64, LD_MULTIPLE = 8, MASK_MULTIPLE = 32 };

/* Computes gemm, but does not apply the mask. */
C_NAME void DEVICE(library_gemm)(const struct gemm *g);
/* Returns true if the bias was also set to the column sums of B. Returns false if the sums must be
 * added to the bias, if the library lacks this product, or if SANLAB_CUDA_OFF names `epilogue`. */
C_NAME bool DEVICE(library_gemm_weight)(const struct gemm_weight *g);
/* Allows or forbids that float operands of the following products are rounded to tf32 (ten mantissa
 * bits), for the table of this precision. */
C_NAME void DEVICE(library_tf32)(bool on);
