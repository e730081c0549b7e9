/* Matrix products by the device's library: cuBLASLt (core/cuda), or plain loops (core/emu). All
 * launched rows exist: trailing rows of A and C may have any values; trailing rows that are summed
 * over are zero. Rows of matrices, and a bias, begin at multiples of 16 bytes. */
#pragma once

#include "core/cuda/device.h"

/* Constants of a device's tables: row_multiple; ld_multiple, 16 bytes of bf16; mask_multiple, the
 * bits of a word. */
enum { ROWS_MULTIPLE = 64, LD_MULTIPLE = 8, MASK_MULTIPLE = 32 };

/* Does not apply the mask. */
C_NAME void DEVICE(library_gemm)(const struct gemm *g);
/* Returns true if it has also summed B's columns into the bias. It does not if the sum must be
 * added to the bias, if the library has no such product, or if SANLAB_CUDA_OFF names `epilogue`. */
C_NAME bool DEVICE(library_gemm_weight)(const struct gemm_weight *g);
/* Sets whether float operands of the following products may be rounded to tf32 (ten mantissa bits),
 * for the table of this precision. */
C_NAME void DEVICE(library_tf32)(bool on);
